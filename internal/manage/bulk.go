package manage

import (
	"github.com/go-json-experiment/json/jsontext"

	"terse"
	"terse/internal/jsonbody"
)

// Bounds of a bulk request.
const (
	maxOperations = 1000
	// maxPasswords bounds the passwords that it may set: to hash one takes some 30 ms of a core.
	maxPasswords = 50
)

// Op is what an Operation does.
type Op string

// What operations there are.
const (
	Create Op = "create"
	Update Op = "update"
	Delete Op = "delete"
)

// Operation is one of a bulk request.
type Operation struct {
	Op    Op
	Code  string // of the link to update or delete
	Draft Draft  // to create
	Patch Patch  // to update
	Err   error  // why it can't be tried, an *terse.Error
}

// ParseBulk reads the body of a bulk request. What is wrong with one operation is its own error.
func (m *Manager) ParseBulk(body []byte) (operations []Operation, atomic bool, err error) {
	fields, err := jsonbody.Object(body, jsonbody.Known("operations", "atomic"))
	if err != nil {
		return nil, false, err
	}
	if atomic, err = fields.TakeBool("atomic"); err != nil {
		return nil, false, err
	}
	items, err := fields.TakeList("operations")
	if err != nil {
		return nil, false, err
	}
	if items == nil || len(items) > maxOperations {
		return nil, false, terse.Invalidf("operations must be a list of at most %d", maxOperations)
	}
	passwords := 0
	for _, item := range items {
		o, err := m.parseOperation(item, &passwords)
		o.Err = err
		operations = append(operations, o)
	}
	return operations, atomic, nil
}

// parseOperation reads one operation. It counts those that set a password.
func (m *Manager) parseOperation(item jsontext.Value, passwords *int) (o Operation, err error) {
	fields, err := jsonbody.Object(item, jsonbody.Known("op", "short_code", "link"))
	if err != nil {
		return o, err
	}
	op, err := fields.TakeString("op")
	if err != nil {
		return o, err
	}
	code, err := fields.TakeString("short_code")
	if err != nil {
		return o, err
	}
	if op != nil {
		o.Op = Op(*op)
	}
	link := fields["link"]
	if err := o.Op.check(code != nil, link != nil); err != nil {
		return o, err
	}
	if hasPassword(link) {
		if *passwords++; *passwords > maxPasswords {
			return o, terse.Invalidf("a request may set %d passwords", maxPasswords)
		}
	}
	if code != nil {
		o.Code = *code
	}
	switch o.Op {
	case Create:
		o.Draft, err = m.ParseDraft(link)
	case Update:
		o.Patch = m.ParsePatch(link)
	}
	return o, err
}

func hasPassword(link jsontext.Value) bool {
	fields, err := jsonbody.Object(link, func(string) error { return nil })
	return err == nil && fields["password"].Kind() == jsontext.KindString
}

// check refuses an operation that lacks a part or has one too many.
func (op Op) check(code, link bool) error {
	want, known := map[Op][2]bool{
		Create: {false, true}, Update: {true, true}, Delete: {true, false},
	}[op]
	switch {
	case !known:
		return terse.Invalidf("op must be create, update or delete")
	case code && !want[0]:
		return terse.Invalidf("short_code must be a field of link to create one")
	case !code && want[0]:
		return terse.Invalidf("short_code is required to %s a link", op)
	case link && !want[1]:
		return terse.Invalidf("link must be absent to delete one")
	case !link && want[1]:
		return terse.Invalidf("link is required to %s one", op)
	}
	return nil
}
