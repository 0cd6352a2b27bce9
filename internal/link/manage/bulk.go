package manage

import (
	"github.com/go-json-experiment/json/jsontext"

	"terse"
	"terse/internal/text/jsonbody"
)

// Bounds of a bulk request.
const (
	maxOperations = 1000
	// maxPasswords bounds the passwords in it: hashing one takes about 30 ms of a core.
	maxPasswords = 50
)

// Op is the kind of an Operation.
type Op string

// The kinds of operations.
const (
	Create Op = "create"
	Update Op = "update"
	Delete Op = "delete"
)

// Operation is one of a bulk request.
type Operation struct {
	Op    Op
	Code  terse.Code // of the link to update or delete; zero: what was named can't be one
	Draft Draft      // to create
	Patch Patch      // to update
	Err   error      // why it is invalid, an *terse.Error
}

// Bulk is the body of a bulk request. Its operations are counted but not parsed.
type Bulk struct {
	Atomic     bool // all operations succeed or none does
	operations []jsontext.Value
}

// Len returns how many operations there are.
func (b Bulk) Len() int { return len(b.operations) }

// ParseBulk parses the body of a bulk request.
func ParseBulk(body []byte) (b Bulk, err error) {
	fields, err := jsonbody.Object(body, jsonbody.Known("operations", "atomic"))
	if err != nil {
		return b, err
	}
	atomic, err := fields.TakeBool("atomic")
	if err != nil {
		return b, err
	}
	operations, err := fields.TakeList("operations", maxOperations)
	if err != nil {
		return b, err
	}
	if operations == nil || len(operations) > maxOperations {
		return b, terse.Invalidf("operations", "operations must be a list of at most %d",
			maxOperations)
	}
	return Bulk{atomic, operations}, nil
}

// Operations parses the operations of a bulk request. An invalid one has its own error.
func (m *Manager) Operations(b Bulk) []Operation {
	passwords := maxPasswords
	operations := make([]Operation, len(b.operations))
	for i, text := range b.operations {
		o, err := m.parseOperation(text, &passwords)
		o.Err = err
		operations[i] = o
	}
	return operations
}

// parseOperation parses one operation. passwords is how many passwords may still be set; it
// subtracts its own.
func (m *Manager) parseOperation(text jsontext.Value, passwords *int) (o Operation, err error) {
	fields, err := jsonbody.Object(text, jsonbody.Known("op", "short_code", "domain", "link"))
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
	if code != nil {
		o.Code, _ = terse.ParseCode(*code)
	}
	if o.Code, err = m.onDomain(fields, o); err != nil {
		return o, err
	}
	switch o.Op {
	case Create:
		o.Draft, err = m.parseDraft(link, passwords)
	case Update:
		o.Patch = m.parsePatch(link, passwords)
	}
	return o, err
}

// onDomain returns the code of an operation on the domain that stands beside it.
func (m *Manager) onDomain(fields jsonbody.Members, o Operation) (terse.Code, error) {
	name, err := fields.TakeString("domain")
	if err != nil || name == nil {
		return o.Code, err
	}
	if o.Op == Create {
		return o.Code, terse.Invalidf("domain", "domain must be a field of link to create one")
	}
	d, err := m.Hosts.Table().DomainOf(*name)
	if err != nil || o.Code == (terse.Code{}) {
		return o.Code, err
	}
	return o.Code.On(d), nil
}

// check refuses an operation that lacks a part or has one too many.
func (op Op) check(code, link bool) error {
	want, known := map[Op][2]bool{
		Create: {false, true}, Update: {true, true}, Delete: {true, false},
	}[op]
	switch {
	case !known:
		return terse.Invalidf("op", "op must be create, update or delete")
	case code && !want[0]:
		return terse.Invalidf("short_code", "short_code must be a field of link to create one")
	case !code && want[0]:
		return terse.Invalidf("short_code", "short_code is required to %s a link", op)
	case link && !want[1]:
		return terse.Invalidf("link", "link must be absent to delete one")
	case !link && want[1]:
		return terse.Invalidf("link", "link is required to %s one", op)
	}
	return nil
}
