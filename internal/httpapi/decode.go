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
func quoteName(pointer jsontext.Pointer) string {
	const maxRunes = 64
	name := []rune(strings.ToValidUTF8(pointer.LastToken(), "\uFFFD"))
	if len(name) > maxRunes {
		name = append(name[:maxRunes], '…')
	}
	return fmt.Sprintf("%q", string(name))
}
