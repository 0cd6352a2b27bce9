// Package jsonbody reads JSON objects that clients send, and says in words for people what is wrong
// with them and where. Duplicate names and invalid UTF-8 are refused at any depth. It knows nothing
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

// Members are the fields of a JSON object, by their names.
type Members map[string]jsontext.Value

// TakeString removes a field that has to be a string, and returns it, or nil when it is absent or
// null.
func (m Members) TakeString(name string) (*string, error) {
	return take[*string](m, name, "a string")
}

// TakeBool removes a field that has to be true or false, and returns it; false when it is absent or
// null.
func (m Members) TakeBool(name string) (bool, error) {
	return take[bool](m, name, "true or false")
}

// TakeList removes a field that has to be a list, and returns it; nil when it is absent or null. Of
// a list with more than so many elements it returns one more than that: a body of a few MiB has
// millions.
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
	if err != nil { // never: the text is a whole value that was read before
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

// object is a JSON object as it is read. It stops at a name that known refuses: what comes with it
// is not looked at.
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

// Object reads a text that has to be one JSON object. known returns an error for a name that it
// must not have. Every failure is an *terse.Error of kind Invalid.
func Object(text []byte, known func(name string) error) (Members, error) {
	o := object{known: known}
	err := Unmarshal(text, &o)
	return o.fields, err
}

// Known returns a function for Object that refuses all names but some.
func Known(names ...string) func(name string) error {
	return func(name string) error {
		if slices.Contains(names, name) {
			return nil
		}
		return terse.Invalidf(name, "unknown field %s", Quote(name))
	}
}

// Unmarshal reads a text that has to be one JSON object into out, a pointer to a struct of strings.
func Unmarshal(text []byte, out any) error {
	if err := json.Unmarshal(text, out, json.RejectUnknownMembers(true)); err != nil {
		return describe(err)
	}
	if jsontext.Value(text).Kind() == jsontext.KindNull { // to the decoder an object without fields
		return errNoObject
	}
	return nil
}

// describe says what is wrong with a body and where, in words that know nothing of Go.
func describe(err error) error {
	if known, ok := errors.AsType[*terse.Error](err); ok {
		return known
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return describeSyntax(syntax)
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
		return terse.Invalidf(at, "field %s must be a string", name) // all fields are
	}
}

func describeSyntax(err *jsontext.SyntacticError) error {
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

// pathOf returns where a pointer leads as terse.Error.Field has it: rules[2].url. A number is taken
// for an index.
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

// Quote returns a name in quotes, shortened: a name may be as long as the body.
func Quote(s string) string {
	const maxRunes = 64
	name := []rune(strings.ToValidUTF8(s, "\uFFFD"))
	if len(name) > maxRunes {
		name = append(name[:maxRunes], '…')
	}
	return fmt.Sprintf("%q", string(name))
}
