package scenario

import (
	"encoding/json"

	"replog/internal/kafka"
)

// JSONSchema is a JSON schema of scenario files for editors, made from the same table as the parser. It is looser than
// the parser where a value may hold an $(expression), and it does not know names that other parts of the file give.
func JSONSchema() []byte {
	root := objectOf(fileShape)
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "A replog scenario"
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic("scenario: a schema of maps and strings must marshal: " + err.Error())
	}
	return append(text, '\n')
}

type schema = map[string]any

// objectOf describes a block: its keys and no others.
func objectOf(s *shape) schema {
	properties, required := schema{}, []string{}
	for i := range s.keys {
		k := &s.keys[i]
		value := valueOf(k)
		value["description"] = k.doc
		properties[k.name] = value
		if k.required {
			required = append(required, k.name)
		}
	}
	object := schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		object["required"] = required
	}
	return object
}

// expression is how a scalar that is worked out looks.
func expression() schema { return schema{"type": "string", "pattern": `\$\(`} }

func anyOf(types ...string) schema { return schema{"type": types} }

// valueOf describes the value of a key.
func valueOf(k *key) schema {
	switch k.form {
	case integerForm:
		return schema{"anyOf": []schema{anyOf("integer", "null"), expression()}}
	case booleanForm, orderForm:
		return schema{"anyOf": []schema{anyOf("boolean"), expression()}}
	case textForm, keyForm, nameForm:
		return schema{"anyOf": []schema{anyOf("string", "number", "boolean"), listOf(anyOf("string"))}}
	case nodesForm:
		return schema{"anyOf": []schema{anyOf("string"), listOf(anyOf("string"))}}
	case spanForm, instantForm:
		return anyOf("string", "integer")
	case joinsForm:
		return schema{"anyOf": []schema{anyOf("string", "integer"), listOf(anyOf("string", "integer"))}}
	case latencyForm:
		return schema{"anyOf": []schema{anyOf("string"), objectOf(k.of)}}
	case replicasForm:
		return listOf(listOf(anyOf("integer")))
	case idsForm:
		return schema{"anyOf": []schema{anyOf("integer", "string"), listOf(anyOf("integer", "string"))}}
	case blockForm:
		return orNull(objectOf(k.of))
	case namedForm:
		return schema{"type": "object", "additionalProperties": orNull(objectOf(k.of))}
	case listForm:
		return listOf(objectOf(k.of))
	case configForm:
		return configOf(k.scope)
	}
	return schema{"type": "object"} // names that the author gives
}

func listOf(item schema) schema { return schema{"type": "array", "items": item} }

func orNull(object schema) schema {
	object["type"] = []string{"object", "null"}
	return object
}

// configOf describes a config block: Kafka's settings of a scope.
func configOf(scope kafka.Scope) schema {
	properties := schema{}
	for _, s := range kafka.Settings() {
		if s.Scope&scope == 0 {
			continue
		}
		value := anyOf("string", "number", "boolean")
		if s.Unit == kafka.Words {
			value = schema{"anyOf": []schema{anyOf("string"), listOf(anyOf("string"))}}
		}
		value["description"] = s.Meaning
		for _, name := range append([]string{s.Name}, s.Librdkafka...) {
			properties[name] = value
		}
	}
	return schema{"type": []string{"object", "null"}, "properties": properties, "additionalProperties": false}
}
