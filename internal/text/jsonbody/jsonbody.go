// Package jsonbody parses JSON objects from clients, and says in words for people what is wrong
// with them and where. It refuses duplicate names and invalid UTF-8 at any depth. It knows nothing
// of links or HTTP.
package jsonbody

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse"
)

var errNoObject = terse.Invalidf("", "request body must be a JSON object")

// Members are the fields of a JSON object, by name.
type Members map[string]jsontext.Value

// TakeString removes and returns a field that must be a string. It returns nil if the field is
// absent or null.
func (m Members) TakeString(name string) (*string, error) {
	return take[*string](m, name, "a string")
}

// TakeBool removes and returns a field that must be true or false. It returns false if the field is
// absent or null.
func (m Members) TakeBool(name string) (bool, error) {
	return take[bool](m, name, "true or false")
}

// TakeList removes and returns a field that must be a list. It returns nil if the field is absent
// or null. It stops after most + 1 elements, because a body of a few MiB may have millions.
func (m Members) TakeList(name string, most int) (list []jsontext.Value, err error) {
	text, ok := m[name]
	delete(m, name)
	if !ok || text.Kind() == jsontext.KindNull {
		return nil, nil
	}
	if text.Kind() != jsontext.KindBeginArray {
		return nil, terse.Invalidf(name, "field %s must be %s", Quote(name), "a list")
	}
	d := jsontext.NewDecoder(bytes.NewReader(text))
	_, err = d.ReadToken() // the bracket
	list = []jsontext.Value{}
	for err == nil && len(list) <= most && d.PeekKind() != jsontext.KindEndArray {
		var value jsontext.Value
		value, err = d.ReadValue()
		list = append(list, value.Clone())
	}
	if err != nil { // can't happen: the value was parsed before
		return nil, describe(err)
	}
	return list, nil
}

func take[T any](m Members, name, kind string) (value T, err error) {
	text, ok := m[name]
	delete(m, name)
	if ok && json.Unmarshal(text, &value) != nil {
		return value, terse.Invalidf(name, "field %s must be %s", Quote(name), kind)
	}
	return value, nil
}

// object is a JSON object that is being parsed. Parsing stops at a name that known refuses, without
// looking at its value.
type object struct {
	known  func(name string) error
	fields Members
}

func (o *object) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if token, err := d.ReadToken(); err != nil {
		return err
	} else if token.Kind() != jsontext.KindBeginObject {
		return errNoObject
	}
	for o.fields = (Members{}); d.PeekKind() != jsontext.KindEndObject; {
		token, err := d.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		if err := o.known(name); err != nil {
			return err
		}
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		o.fields[name] = value.Clone()
	}
	_, err := d.ReadToken()
	return err
}

// Object parses a text that must be one JSON object. known returns an error for names that it must
// not have. Every failure is an *terse.Error of kind Invalid.
func Object(text []byte, known func(name string) error) (Members, error) {
	o := object{known: known}
	err := Unmarshal(text, &o)
	return o.fields, err
}

// Known returns a function for Object that refuses all other names.
func Known(names ...string) func(name string) error {
	return func(name string) error {
		if slices.Contains(names, name) {
			return nil
		}
		return terse.Invalidf(name, "unknown field %s", Quote(name))
	}
}

// Unmarshal parses a text that must be one JSON object into out, a pointer to a struct of strings.
func Unmarshal(text []byte, out any) error {
	if err := json.Unmarshal(text, out, json.RejectUnknownMembers(true)); err != nil {
		return describe(err)
	}
	if jsontext.Value(text).Kind() == jsontext.KindNull { // else an empty object
		return errNoObject
	}
	return nil
}

// describe says what is wrong with a body and where, without mentioning Go.
func describe(err error) error {
	if known, ok := errors.AsType[*terse.Error](err); ok {
		return known
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return DescribeSyntax(syntax)
	}
	value, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return terse.Invalidf("", "malformed JSON in the request body")
	}
	switch at, name := pathOf(value.JSONPointer), quoteName(value.JSONPointer); {
	case value.JSONPointer == "":
		return errNoObject
	case errors.Is(value.Err, json.ErrUnknownName):
		return terse.Invalidf(at, "unknown field %s", name)
	default:
		return terse.Invalidf(at, "field %s must be a string", name) // all fields are strings
	}
}

// DescribeSyntax says what is wrong with a text that is no JSON, and where.
func DescribeSyntax(err *jsontext.SyntacticError) error {
	switch {
	case errors.Is(err.Err, jsontext.ErrDuplicateName):
		return terse.Invalidf(pathOf(err.JSONPointer), "duplicate field %s",
			quoteName(err.JSONPointer))
	case errors.Is(err.Err, io.ErrUnexpectedEOF):
		return terse.Invalidf("", "malformed JSON at byte %d: the text ends too early",
			err.ByteOffset)
	default:
		return terse.Invalidf("", "malformed JSON at byte %d: %v", err.ByteOffset, err.Err)
	}
}

// pathOf returns a pointer's path in the form of terse.Error.Field: rules[2].url. It takes numbers
// for indexes.
func pathOf(pointer jsontext.Pointer) string {
	var path strings.Builder
	for token := range pointer.Tokens() {
		switch _, err := strconv.ParseUint(token, 10, 32); {
		case err == nil:
			path.WriteString("[" + token + "]")
		case path.Len() > 0:
			path.WriteString("." + token)
		default:
			path.WriteString(token)
		}
	}
	return path.String()
}

// quoteName returns the last name of a pointer in quotes.
func quoteName(pointer jsontext.Pointer) string { return Quote(pointer.LastToken()) }

// Quote returns a name in quotes, shortened because it may be as long as the body.
func Quote(s string) string {
	const maxRunes = 64
	name := []rune(strings.ToValidUTF8(s, "\uFFFD"))
	if len(name) > maxRunes {
		name = append(name[:maxRunes], '…')
	}
	return fmt.Sprintf("%q", string(name))
}
