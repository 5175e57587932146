package scenario

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"
)

const schemaFile = "../../scenarios/scenario.schema.json"

// TestJSONSchemaIsCommitted: the file beside the scenarios is what the table says. `go test ./internal/scenario -update` writes it.
func TestJSONSchemaIsCommitted(t *testing.T) {
	if flag.Lookup("update").Value.String() == "true" { // the flag of scenario_test.go
		if err := os.WriteFile(schemaFile, JSONSchema(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, JSONSchema()) {
		t.Error("scenarios/scenario.schema.json is not what schema.go says; go test ./internal/scenario -update writes it")
	}
}

// TestJSONSchemaAgreesWithTheParser: what the parser takes the schema takes; a key that the parser refuses it refuses.
func TestJSONSchemaAgreesWithTheParser(t *testing.T) {
	compiled := compileSchema(t)
	var files []string
	err := filepath.WalkDir("../../scenarios", func(path string, _ os.DirEntry, err error) error {
		if filepath.Ext(path) == ".yaml" {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(decode(t, data)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		misspelt := bytes.Replace(data, []byte("\nbrokers:"), []byte("\nbrokerz:"), 1)
		if compiled.Validate(decode(t, misspelt)) == nil {
			t.Errorf("%s: the schema takes a misspelt key", path)
		}
	}
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(JSONSchema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("scenario.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("scenario.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// decode reads YAML as the JSON values that a schema speaks of.
func decode(t *testing.T, data []byte) any {
	t.Helper()
	var value any
	if err := yaml.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	return plain(value)
}

func plain(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	case map[any]any:
		named := map[string]any{}
		for k, item := range v {
			named[toText(k)] = plain(item)
		}
		return named
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case int:
		return float64(v)
	}
	return value
}

func toText(v any) string {
	text, err := yaml.Marshal(v)
	if err != nil {
		return ""
	}
	return string(bytes.TrimSpace(text))
}
