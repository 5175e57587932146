package scenario

// Block is one kind of block of a scenario file, for the reference page.
type Block struct {
	Name string // "a topic"
	Keys []BlockKey
}

// BlockKey is one key that a block may have.
type BlockKey struct {
	Name     string
	Takes    string // what one writes there, in words
	Doc      string
	Required bool
	Of       string // the block that the value is, or that its items are; empty for a single value
}

// forms says what one writes for a value of each form.
var forms = [...]string{
	textForm: "text", nameForm: "a word", nodesForm: "names", integerForm: "a number", booleanForm: "true or false",
	spanForm: "a span", instantForm: "a time", joinsForm: "a time, or a list of times", keyForm: "a key", orderForm: "true or false", latencyForm: "a span, or a block", replicasForm: "lists of brokers",
	idsForm: "a number, or a list of records", blockForm: "a block", namedForm: "blocks by name", listForm: "a list of blocks",
	configForm: "Kafka's settings", paramsForm: "values by name", offsetsForm: "offsets by partition", setForm: "values by path",
}

// Reference lists every block that a scenario file may have, and every key: the file first, then its blocks in the order
// in which a reader meets them.
func Reference() []Block {
	var blocks []Block
	seen := map[*shape]bool{fileShape: true}
	for queue := []*shape{fileShape}; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		b := Block{Name: s.name}
		for i := range s.keys {
			k := &s.keys[i]
			key := BlockKey{Name: k.name, Takes: forms[k.form], Doc: k.doc, Required: k.required}
			if k.of != nil {
				key.Of = k.of.name
				if !seen[k.of] {
					seen[k.of] = true
					queue = append(queue, k.of)
				}
			}
			b.Keys = append(b.Keys, key)
		}
		blocks = append(blocks, b)
	}
	return blocks
}
