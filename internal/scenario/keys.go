package scenario

import (
	"slices"
	"strings"

	"replog/internal/kafka"
)

// maxKeys bounds the keys that the loads of a scenario have in their tables.
const maxKeys = 1 << 17

// noKey is how a load asks for the null key.
const noKey = "none"

// keyScope knows the parameters, and the number of the order whose key is made.
type keyScope struct {
	*params
	number int64
}

func (s keyScope) known() []string { return append([]string{orderName}, s.names...) }

func (s keyScope) lookup(name string) (value, bool) {
	if name == orderName {
		return intValue(s.number), true
	}
	return s.params.lookup(name)
}

// readKeys is the keys of a load's records, from the order number on, up to where they repeat.
func (c *compiler) readKeys(n *node, number int64, orders int) []kafka.KeyID {
	none := []kafka.KeyID{kafka.NoKey}
	if n == nil || !c.is(n, scalar, "key") || n.text == noKey {
		return none
	}
	var ids []kafka.KeyID
	if !c.eachOrder(n, number, orders, func(text string) { ids = append(ids, c.keyID(text)) }) {
		return none
	}
	return ids
}

// readTombstones says which of a load's records have no value; nil for none.
func (c *compiler) readTombstones(n *node, number int64, orders int) []bool {
	if n == nil || !c.is(n, scalar, "tombstone") {
		return nil
	}
	var deletes []bool
	wrong := ""
	ok := c.eachOrder(n, number, orders, func(text string) {
		if text != "true" && text != "false" {
			wrong = text
		}
		deletes = append(deletes, text == "true")
	})
	if wrong != "" {
		c.report(n, "an expression over the order, as in $(order mod 5 == 0)", "tombstone takes true or false, not %s", quoted(wrong))
	}
	if !ok || wrong != "" || !slices.Contains(deletes, true) {
		return nil
	}
	return deletes
}

// eachOrder yields what a scalar is for each order from the number on, up to where it repeats; false when it has a mistake.
func (c *compiler) eachOrder(n *node, number int64, orders int, yield func(text string)) bool {
	parts, ok := c.split(n)
	if !ok {
		return false
	}
	period := int64(1)
	for _, p := range parts {
		if p.expr != nil {
			period = lcm(period, p.expr.bind(&c.params).period())
		}
	}
	length := orders
	if period > 0 {
		length = min(orders, int(period))
	}
	if c.keySlots += length; c.keySlots > maxKeys {
		c.report(n, "let the keys repeat, as in customer-$(order mod 1000)", "the loads have more than %d keys", maxKeys)
		return false
	}
	for i := range length {
		text, ok := c.keyText(n, parts, number+int64(i))
		if !ok {
			return false
		}
		yield(text)
	}
	return true
}

// keyText is the key of one order.
func (c *compiler) keyText(n *node, parts []part, number int64) (key string, ok bool) {
	var b strings.Builder
	for _, p := range parts {
		if p.expr == nil {
			b.WriteString(p.text)
			continue
		}
		v, err := p.expr.eval(keyScope{&c.params, number})
		if err != nil {
			err.at += p.at
			c.reportInside(n, err)
			return "", false
		}
		b.WriteString(v.String())
	}
	if c.expanded += b.Len(); c.expanded > maxExpanded {
		c.report(n, "", "the keys make this scenario too large")
		return "", false
	}
	return b.String(), true
}

// keyID is the number of a key; equal texts have one number.
func (c *compiler) keyID(text string) kafka.KeyID {
	id, known := c.keys[text]
	if !known {
		id = kafka.KeyID(len(c.names.Keys))
		c.keys[text] = id
		c.names.Keys = append(c.names.Keys, text)
	}
	return id
}
