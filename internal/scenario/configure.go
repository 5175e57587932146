package scenario

import (
	"slices"
	"strings"

	"replog/internal/plan"
)

// changeable are the beginnings of the paths that a timeline entry may set: settings, never who takes part.
var changeable = []string{"producers", "readers", "consumers", "brokers", "topics", "latency", "rules", "wire"}

// readSettings reads a timeline entry that sets values, and returns it in words.
func (c *compiler) readSettings(b block, f *fault) string {
	c.refuseEnd(b, "a setting stays until another entry sets it back")
	if !c.is(f.node, mapping, "set") {
		return ""
	}
	var words []string
	for _, e := range f.node.entries {
		path := e.key.text
		first, _, _ := strings.Cut(path, ".")
		inBlock := slices.Contains(changeable[:5], first)
		if !slices.Contains(changeable, first) || inBlock && !strings.Contains(path, ".config.") {
			c.report(e.key, "settings can: those in config blocks, latency, wire and rules",
				"%s can not change while the cluster runs", quoted(path))
			continue
		}
		text := path
		if _, setting, found := strings.Cut(path, ".config."); found {
			text = setting
		}
		if e.value.kind == scalar {
			text += "=" + e.value.text
		}
		words = append(words, text)
	}
	return "from now on " + strings.Join(words, ", ")
}

// configure works out the plan after each entry that sets values, in the order of time: each builds on those before.
func (c *compiler) configure(faults []fault) {
	root := c.root
	for i := range faults {
		f := &faults[i]
		if f.Kind != plan.Configure || f.node.kind != mapping {
			continue
		}
		for _, e := range f.node.entries {
			root = override(root, e.key, e.value, c.mistakes)
		}
		after := newCompiler(root, c.mistakes)
		after.readCluster(after.open(root, fileShape))
		after.plan.Names = &c.names
		f.After = &after.plan
	}
}

// refuseEnd reports an end where a fault has none.
func (c *compiler) refuseEnd(b block, hint string) {
	for _, key := range []string{"until", "for"} {
		if n := b.get(key); n != nil {
			c.report(n, hint, "%s is for faults of messages", key)
		}
	}
}
