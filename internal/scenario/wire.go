package scenario

import (
	"math"

	"replog/internal/kafka"
)

// readRewrite reads which answers get another error code, and returns it in words. The core matches the response where
// the broker had stored the batches, and else the request, which the broker then does not get.
func (c *compiler) readRewrite(b block, f *fault) string {
	m := c.open(f.node, rewriteShape)
	from, to := c.nodes(m.get("from"), "from"), c.nodes(m.get("to"), "to")
	stored := m.boolean("stored", false)
	f.Match.Kind, f.Match.From, f.Match.To = kafka.KindProduceResponse, from, to
	if !stored {
		f.Match.Kind, f.Match.From, f.Match.To = kafka.KindProduceRequest, to, from
	}
	if n := m.get("message"); n != nil && c.messageKind(n) != kafka.KindProduceResponse {
		c.report(n, "message: ProduceResponse", "only a ProduceResponse can be rewritten")
	}
	if n, ok := c.scalar(m.get("error"), "error"); ok {
		if f.Error, ok = kafka.ParseErrorCode(n.text); !ok || f.Error == kafka.None {
			c.report(n, DidYouMean(n.text, kafka.ErrorNames()[1:]), "there is no error %s", quoted(n.text))
		}
	}
	if n, ok := c.scalar(m.get("partition"), "partition"); ok {
		f.Match.Partition = c.partition(n)
	}
	f.Count = int32(m.integer("count", 0, 1, math.MaxInt32))
	c.readEnd(b, f)
	words := "produce requests answered " + f.Error.String()
	if stored {
		words += ", although they are stored"
	}
	return words
}

// readSilence reads which connections fall silent, and returns it in words.
func (c *compiler) readSilence(b block, f *fault) string {
	c.refuseEnd(b, "a silent connection stays silent until its client closes it")
	m := c.open(f.node, silenceShape)
	f.Match.From, f.Match.To = c.nodes(m.get("from"), "from"), c.nodes(m.get("to"), "to")
	words := "the connections"
	for _, key := range []string{"from", "to"} {
		if n := m.get(key); n != nil {
			words += " " + key + " " + c.joined(n)
		}
	}
	return words + " fall silent"
}
