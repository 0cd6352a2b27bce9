package terse

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// Bounds of what is kept about codes without a link: as many as an answer shows, for as long as
// somebody may still fix whatever led to them.
const (
	MaxUnknownCodes = 1000 // of each kind per day
	UnknownDays     = 30
)

// UnknownCodes are the most requested addresses without a link on a day: codes, and those that only
// an alias could be. They are counted in bounded memory, so a count may be too high, but says by
// how much at most.
type UnknownCodes struct {
	Total   int64 // all visits of such addresses; exact
	Rest    int64 // upper bound on the visits of any code that Codes does not list
	Codes   []UnknownCode
	Aliases []UnknownCode // up to as many again
	// AliasRest is Rest of Aliases.
	AliasRest int64
}

// UnknownCode says how often an address was requested: between Count - Error and Count times.
type UnknownCode struct {
	Code         Code   // the zero Code for an alias
	Alias        string // "" for a code
	Count, Error int64
}

// Address returns the code or alias.
func (u *UnknownCode) Address() string { return cmp.Or(u.Alias, u.Code.String()) }

// SumUnknown adds up several counts. If one of them does not list an address, it may have seen that
// address up to Rest times.
func SumUnknown(parts ...UnknownCodes) UnknownCodes {
	var sum UnknownCodes
	var codes, aliases unknownSum
	for _, p := range parts {
		sum.Total += p.Total
		codes.add(p.Codes, p.Rest)
		aliases.add(p.Aliases, p.AliasRest)
	}
	sum.Codes, sum.Rest = codes.all()
	sum.Aliases, sum.AliasRest = aliases.all()
	return sum.Top(MaxUnknownCodes)
}

// unknownSum is the sum of several lists. Each number in it lacks what addresses that a list does
// not have may have had there, which is rest in all.
type unknownSum struct {
	list []UnknownCode
	rest int64
	at   map[UnknownCode]int // by address
}

func (s *unknownSum) add(list []UnknownCode, rest int64) {
	if s.at == nil {
		s.at = map[UnknownCode]int{}
	}
	s.rest += rest
	for _, c := range list {
		key := UnknownCode{Code: c.Code, Alias: c.Alias}
		i, found := s.at[key]
		if !found {
			i = len(s.list)
			s.at[key], s.list = i, append(s.list, key)
		}
		s.list[i].Count += c.Count - rest
		s.list[i].Error += c.Error - rest
	}
}

func (s *unknownSum) all() (list []UnknownCode, rest int64) {
	for i := range s.list {
		s.list[i].Count += s.rest
		s.list[i].Error += s.rest
	}
	return s.list, s.rest
}

// Top returns the n most requested of each kind, most first, ties by their bytes. It sorts lists in
// place.
func (u UnknownCodes) Top(n int) UnknownCodes {
	u.Codes, u.Rest = topUnknown(u.Codes, u.Rest, n)
	u.Aliases, u.AliasRest = topUnknown(u.Aliases, u.AliasRest, n)
	return u
}

// All returns the n most requested addresses of both kinds, as Top does.
func (u UnknownCodes) All(n int) []UnknownCode {
	all, _ := topUnknown(slices.Concat(u.Codes, u.Aliases), 0, n)
	return all
}

func topUnknown(list []UnknownCode, rest int64, n int) ([]UnknownCode, int64) {
	slices.SortFunc(list, func(a, b UnknownCode) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), a.compare(&b))
	})
	if len(list) > n {
		rest, list = max(rest, list[n].Count), list[:n]
	}
	return list, rest
}

// compare compares addresses by their bytes.
func (u *UnknownCode) compare(v *UnknownCode) int {
	if u.Alias == "" && v.Alias == "" {
		return u.Code.Compare(v.Code)
	}
	return cmp.Compare(u.Address(), v.Address())
}

// The first byte of encoded UnknownCodes. Format 1 has no aliases.
const (
	unknownFormat   = 1
	unknownFormat2  = 2
	maxUnknownAlias = 255 // whose length is a byte; see MaxAlias
)

// AppendBinary implements encoding.BinaryAppender. Numbers are varints; an address is a byte with
// its length, and its characters. In format 2 the number of codes precedes them, and the upper
// bound for the rest the aliases behind them.
func (u UnknownCodes) AppendBinary(b []byte) ([]byte, error) {
	format := byte(unknownFormat)
	if len(u.Aliases) > 0 || u.AliasRest > 0 {
		format = unknownFormat2
	}
	b = append(b, format)
	b = binary.AppendUvarint(b, uint64(u.Total))
	b = binary.AppendUvarint(b, uint64(u.Rest))
	if format == unknownFormat {
		return appendUnknown(b, u.Codes)
	}
	b = binary.AppendUvarint(b, uint64(len(u.Codes)))
	b, err := appendUnknown(b, u.Codes)
	if err != nil {
		return nil, err
	}
	return appendUnknown(binary.AppendUvarint(b, uint64(u.AliasRest)), u.Aliases)
}

func appendUnknown(b []byte, list []UnknownCode) ([]byte, error) {
	for _, c := range list {
		address := c.Address()
		if len(address) > maxUnknownAlias {
			return nil, errUnknownCodes
		}
		b = append(append(b, byte(len(address))), address...)
		b = binary.AppendUvarint(b, uint64(c.Count))
		b = binary.AppendUvarint(b, uint64(c.Error))
	}
	return b, nil
}

var errUnknownCodes = errors.New("terse: no unknown codes")

// UnmarshalBinary implements encoding.BinaryUnmarshaler. It does not retain b.
func (u *UnknownCodes) UnmarshalBinary(b []byte) error {
	if len(b) == 0 || b[0] != unknownFormat && b[0] != unknownFormat2 {
		return errUnknownCodes
	}
	r := unknownReader{rest: b[1:]}
	*u = UnknownCodes{Total: r.number(), Rest: r.number()}
	codes := int64(math.MaxInt64)
	if b[0] == unknownFormat2 {
		codes = r.number()
	}
	for !r.bad && codes > 0 && (len(r.rest) > 0 || b[0] == unknownFormat2) {
		codes--
		code, err := ParseCode(r.text())
		r.bad = r.bad || err != nil
		u.Codes = append(u.Codes, UnknownCode{Code: code, Count: r.number(), Error: r.number()})
	}
	if b[0] == unknownFormat2 {
		u.AliasRest = r.number()
	}
	for !r.bad && len(r.rest) > 0 {
		alias := string(r.text())
		r.bad = r.bad || alias == ""
		u.Aliases = append(u.Aliases, UnknownCode{
			Alias: alias, Count: r.number(), Error: r.number(),
		})
	}
	if r.bad {
		return errUnknownCodes
	}
	return nil
}

// unknownReader reads encoded UnknownCodes. After an error it is bad and returns zeros.
type unknownReader struct {
	rest []byte
	bad  bool
}

func (r *unknownReader) number() int64 {
	v, n := binary.Uvarint(r.rest)
	if r.bad = r.bad || n <= 0 || int64(v) < 0; r.bad {
		return 0
	}
	r.rest = r.rest[n:]
	return int64(v)
}

func (r *unknownReader) text() []byte {
	if r.bad = r.bad || len(r.rest) == 0 || int(r.rest[0]) >= len(r.rest); r.bad {
		return nil
	}
	n := 1 + int(r.rest[0])
	text := r.rest[1:n]
	r.rest = r.rest[n:]
	return text
}
