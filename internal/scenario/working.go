package scenario

import (
	"cmp"

	"replog/internal/plan"
)

// readWorking reads what one reckons, with the parameters of this run.
func (c *compiler) readWorking(n *node) {
	if n == nil || !c.is(n, sequence, "working") {
		return
	}
	for _, item := range n.items {
		b := c.open(item, workingShape)
		w := plan.Working{
			Say: b.text("say"), Text: b.text("text"), Unit: b.choice("unit", "bytes", "share"), Measured: b.text("measured"),
			Value: b.integer("value", 0, 0, maxNumber), Of: b.integer("of", 0, 1, maxNumber), Reckoned: b.get("value") != nil,
		}
		if (w.Unit == "share") != (w.Of > 0) {
			c.report(cmp.Or(b.get("unit"), b.get("of"), b.node), "unit: share, of: 125000000", "a share needs to know what it is a share of")
		}
		if field := expectShape.find(w.Measured); w.Measured != "" && (field == nil || field.form != integerForm) {
			c.report(b.get("measured"), DidYouMean(w.Measured, expectShape.names()), "there is no number %s in an outcome",
				quoted(w.Measured))
		}
		c.plan.Working = append(c.plan.Working, w)
	}
}
