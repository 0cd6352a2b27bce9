package terse

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
)

// Bounds of what is kept about codes without a link: as many as an answer shows, for as long as
// somebody may still fix whatever led to them.
const (
	MaxUnknownCodes = 1000 // per day
	UnknownDays     = 30
)

// UnknownCodes are the most requested codes without a link on a day. They are counted in bounded
// memory, so a count may be too high, but says by how much at most.
type UnknownCodes struct {
	Total int64 // all visits of such codes; exact
	Rest  int64 // upper bound on the visits of any code that Codes does not list
	Codes []UnknownCode
}

// UnknownCode says how often a code was requested: between Count - Error and Count times.
type UnknownCode struct {
	Code         Code
	Count, Error int64
}

// SumUnknown adds up several counts. If one of them does not list a code, it may have seen that
// code up to Rest times.
func SumUnknown(parts ...UnknownCodes) UnknownCodes {
	var sum UnknownCodes
	listed := 0
	for _, p := range parts {
		listed += len(p.Codes)
	}
	at := make(map[Code]int, listed)
	for _, p := range parts {
		sum.Total += p.Total
		sum.Rest += p.Rest
		for _, c := range p.Codes {
			i, found := at[c.Code]
			if !found {
				i = len(sum.Codes)
				at[c.Code] = i
				sum.Codes = append(sum.Codes, UnknownCode{Code: c.Code})
			}
			sum.Codes[i].Count += c.Count - p.Rest
			sum.Codes[i].Error += c.Error - p.Rest
		}
	}
	for i := range sum.Codes {
		sum.Codes[i].Count += sum.Rest
		sum.Codes[i].Error += sum.Rest
	}
	return sum.Top(MaxUnknownCodes)
}

// Top returns the n most requested codes, most first, ties by their bytes. It sorts u.Codes in
// place.
func (u UnknownCodes) Top(n int) UnknownCodes {
	slices.SortFunc(u.Codes, func(a, b UnknownCode) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), a.Code.Compare(b.Code))
	})
	if len(u.Codes) > n {
		u.Rest = max(u.Rest, u.Codes[n].Count)
		u.Codes = u.Codes[:n]
	}
	return u
}

// unknownFormat is the first byte of encoded UnknownCodes.
const unknownFormat = 1

// AppendBinary implements encoding.BinaryAppender. Numbers are varints; a code is a byte with its
// length, and its characters.
func (u UnknownCodes) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, unknownFormat)
	b = binary.AppendUvarint(b, uint64(u.Total))
	b = binary.AppendUvarint(b, uint64(u.Rest))
	for _, c := range u.Codes {
		length := len(b)
		b = c.Code.AppendTo(append(b, 0))
		b[length] = byte(len(b) - length - 1)
		b = binary.AppendUvarint(b, uint64(c.Count))
		b = binary.AppendUvarint(b, uint64(c.Error))
	}
	return b, nil
}

var errUnknownCodes = errors.New("terse: no unknown codes")

// UnmarshalBinary implements encoding.BinaryUnmarshaler. It does not retain b.
func (u *UnknownCodes) UnmarshalBinary(b []byte) error {
	if len(b) == 0 || b[0] != unknownFormat {
		return errUnknownCodes
	}
	b = b[1:]
	ok := true
	number := func() int64 {
		v, n := binary.Uvarint(b)
		if ok = ok && n > 0 && int64(v) >= 0; !ok {
			return 0
		}
		b = b[n:]
		return int64(v)
	}
	*u = UnknownCodes{Total: number(), Rest: number()}
	for ok && len(b) > 0 {
		length := int(b[0])
		if length >= len(b) {
			return errUnknownCodes
		}
		code, err := ParseCode(b[1 : 1+length])
		if err != nil {
			return errUnknownCodes
		}
		b = b[1+length:]
		u.Codes = append(u.Codes, UnknownCode{Code: code, Count: number(), Error: number()})
	}
	if !ok {
		return errUnknownCodes
	}
	return nil
}
