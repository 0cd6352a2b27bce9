package mcp

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/jsonschema-go/jsonschema"

	"terse/api"
)

// The schemas of tools name what the API takes: no more, because it would refuse that, and no less,
// because nobody else tells a model of it.
func TestSchemasAreThoseOfTheAPI(t *testing.T) {
	t.Parallel()
	document, err := openapi3.NewLoader().LoadFromData([]byte(api.OpenAPI))
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]*jsonschema.Schema{}
	for _, tool := range tools() {
		of[tool.name] = tool.input
	}
	changes := of["update_link"].Properties["changes"]
	rule := changes.Properties["rules"].Items
	for name, got := range map[string]*jsonschema.Schema{
		"CreateRequest": of["create_link"], "UpdateRequest": changes,
		"Rule": rule,
	} {
		want := document.Components.Schemas[name].Value
		names := slices.Sorted(maps.Keys(want.Properties))
		names = slices.DeleteFunc(names, func(n string) bool {
			return n == "find_existing" || n == "owner" // for programs, and for admins
		})
		if have := slices.Sorted(maps.Keys(got.Properties)); !slices.Equal(have, names) {
			t.Errorf("%s: %v, want %v", name, have, names)
		}
		for field, s := range got.Properties {
			if have := want.Properties[field].Value; name == "UpdateRequest" && have != nil &&
				have.Nullable != slices.Contains(s.Types, "null") {
				t.Errorf("%s: %s may be null: %v", name, field, !have.Nullable)
			}
		}
	}
	when := document.Components.Schemas["Rule"].Value.Properties["when"].Value
	have := slices.Sorted(maps.Keys(rule.Properties["when"].Properties))
	if names := slices.Sorted(maps.Keys(when.Properties)); !slices.Equal(have, names) {
		t.Errorf("conditions %v, want %v", have, names)
	}
	parameters := map[string]string{"search_links": "/api/urls", "get_overview": "/api/overview"}
	for name, path := range parameters {
		for argument, s := range of[name].Properties {
			if argument == "query" || argument == "filters" {
				continue
			}
			p := document.Paths.Find(path).Get.Parameters.GetByInAndName("query", argument)
			if p == nil {
				t.Errorf("%s has no parameter %s", path, argument)
			} else if want := p.Schema.Value.Enum; want != nil && !sameEnum(want, s.Enum) {
				t.Errorf("%s: %v, want %v", argument, s.Enum, want)
			}
		}
	}
}

func sameEnum(a, b []any) bool {
	return slices.EqualFunc(a, b, func(x, y any) bool { return x == y })
}

// The schemas are schemas, and describe each argument.
func TestSchemasAreValid(t *testing.T) {
	t.Parallel()
	for _, tool := range tools() {
		b, err := json.Marshal(tool.input)
		if err != nil {
			t.Fatal(err)
		}
		var read jsonschema.Schema
		if err := json.Unmarshal(b, &read); err != nil {
			t.Fatal(err)
		}
		if _, err := read.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true}); err != nil {
			t.Errorf("%s: %v", tool.name, err)
		}
		for name, s := range read.Properties {
			if s.Description == "" {
				t.Errorf("%s: %s is not described", tool.name, name)
			}
		}
	}
}
