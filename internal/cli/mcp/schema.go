package mcp

import (
	"slices"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schemas tell a model what it may pass. Names and types are checked here, all else by the server,
// whose errors say it better.

// fields are the properties of an object, in the order in which clients show them.
type fields []struct {
	name   string
	schema *jsonschema.Schema
}

// object is an object with these properties and no others.
func object(required []string, all fields) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type: "object", Required: required, Properties: map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, f := range all {
		s.Properties[f.name] = f.schema
		s.PropertyOrder = append(s.PropertyOrder, f.name)
	}
	return s
}

func withAbout(s *jsonschema.Schema, about string) *jsonschema.Schema {
	s.Description = about
	return s
}

func text(about string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: about}
}

func web(about string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Format: "uri", Description: about}
}

func moment(about string) *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "string", Format: "date-time", Description: about,
		Examples: []any{"2026-01-31T12:00:00Z"},
	}
}

func flag(about string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "boolean", Description: about}
}

func list(of *jsonschema.Schema, about string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: of, Description: about}
}

func oneOf(about string, values ...string) *jsonschema.Schema {
	s := text(about)
	for _, value := range values {
		s.Enum = append(s.Enum, value)
	}
	return s
}

func integer(about string, least, most, usual int) *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "integer", Minimum: number(least), Maximum: number(most), Description: about,
		Default: []byte(strconv.Itoa(usual)),
	}
}

func number(n int) *float64 {
	f := float64(n)
	return &f
}

// nullable returns fields that may also be null.
func nullable(all fields) fields {
	others := make(fields, len(all))
	for i, f := range all {
		s := *f.schema
		s.Types, s.Type = []string{s.Type, "null"}, ""
		if s.Enum != nil {
			s.Enum = append(slices.Clip(s.Enum), nil)
		}
		others[i].name, others[i].schema = f.name, &s
	}
	return others
}
