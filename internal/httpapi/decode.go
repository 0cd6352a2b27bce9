package httpapi

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse"
)

// maxBodyBytes bounds a request body: the largest sensible one is a URL of 8192 bytes,
// each written as a \u escape.
const maxBodyBytes = 1 << 20

var errNoObject = invalid("request body must be a JSON object")

// members are the fields of a JSON object, by their names.
type members map[string]jsontext.Value

// takeString removes a field that has to be a string, and returns it, or nil when it is absent or
// null.
func (m members) takeString(name string) (value *string, err error) {
	text, ok := m[name]
	delete(m, name)
	if ok && json.Unmarshal(text, &value) != nil {
		return nil, invalid("field %s must be a string", quote(name))
	}
	return value, nil
}

// object is a JSON object as it is read. It stops at a name that known refuses: what comes with it
// is not looked at.
type object struct {
	known  func(name string) error
	fields members
}

func (o *object) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if token, err := d.ReadToken(); err != nil {
		return err
	} else if token.Kind() != jsontext.KindBeginObject {
		return errNoObject
	}
	for o.fields = (members{}); d.PeekKind() != jsontext.KindEndObject; {
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

// decodeMembers reads the request body as one JSON object whose names are known.
func decodeMembers(w http.ResponseWriter, r *http.Request, known func(name string) error) (
	members, error,
) {
	o := object{known: known}
	err := decode(w, r, &o)
	return o.fields, err
}

// decode reads the request body as one JSON object into out, a pointer to a struct.
func decode(w http.ResponseWriter, r *http.Request, out any) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return errTooLarge
	}
	if err != nil {
		return invalid("request body ended early")
	}
	if err := json.Unmarshal(body, out, json.RejectUnknownMembers(true)); err != nil {
		return describe(err)
	}
	if jsontext.Value(body).Kind() == jsontext.KindNull { // to the decoder an object without fields
		return errNoObject
	}
	return nil
}

func invalid(format string, args ...any) error {
	return &terse.Error{Kind: terse.Invalid, Message: fmt.Sprintf(format, args...)}
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
		return invalid("malformed JSON in the request body")
	}
	switch name := quoteName(value.JSONPointer); {
	case value.JSONPointer == "":
		return errNoObject
	case errors.Is(value.Err, json.ErrUnknownName):
		return invalid("unknown field %s", name)
	default:
		return invalid("field %s must be a string", name) // all fields are
	}
}

func describeSyntax(err *jsontext.SyntacticError) error {
	switch {
	case errors.Is(err.Err, jsontext.ErrDuplicateName):
		return invalid("duplicate field %s", quoteName(err.JSONPointer))
	case errors.Is(err.Err, io.ErrUnexpectedEOF):
		return invalid("malformed JSON at byte %d: the text ends too early", err.ByteOffset)
	default:
		return invalid("malformed JSON at byte %d: %v", err.ByteOffset, err.Err)
	}
}

// quoteName returns the last name of a pointer in quotes, shortened: a name may be as long
// as the body.
func quoteName(pointer jsontext.Pointer) string { return quote(pointer.LastToken()) }

func quote(s string) string {
	const maxRunes = 64
	name := []rune(strings.ToValidUTF8(s, "\uFFFD"))
	if len(name) > maxRunes {
		name = append(name[:maxRunes], '…')
	}
	return fmt.Sprintf("%q", string(name))
}
