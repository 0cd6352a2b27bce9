package terse

import (
	"crypto/rand"
	"errors"
	"math/bits"
)

// Bounds of a short code's length in characters (contract: Validation rules, 1).
const (
	MinCodeLength = 3
	MaxCodeLength = 20
)

// GeneratedCodeLength is the length of the codes that NewCode makes. 57^7 is 1.95 * 10^12 codes, so
// guessing one of a million links takes millions of requests.
const GeneratedCodeLength = 7

// Code is a valid short code on a domain: 3 to 20 characters of A-Z, a-z, 0-9, '_' and '-'. Only
// ParseCode, ParseKey, NewCode and UnpackCode make one. It is packed into 16 bytes, 6 bits a
// character behind a leading 1 bit, and the domain in the 7 bits before them, so it is comparable
// and serves as a map key without allocating. The zero Code is not a code.
type Code struct{ hi, lo uint64 }

// domainShift is where the domain begins in Code.hi: 20 characters and the leading bit take 121.
const domainShift = 6*MaxCodeLength + 1 - 64

const codeAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

// codeDigits maps a character to its index in codeAlphabet, and all others to 0xFF.
var codeDigits = func() (t [256]uint8) {
	for i := range t {
		t[i] = 0xFF
	}
	for i := range len(codeAlphabet) {
		t[codeAlphabet[i]] = uint8(i)
	}
	return t
}()

// ErrBadCode says what a valid short code looks like.
var ErrBadCode = &Error{
	Kind:    Invalid,
	Message: "short code must be 3-20 characters of a-z, A-Z, 0-9, _ and -",
	Field:   "short_code",
}

// ErrCodeCharacters is for a text that is as long as a short code, and has other characters.
var ErrCodeCharacters = &Error{
	Kind:    Invalid,
	Message: "short code may have only the characters a-z, A-Z, 0-9, _ and -",
	Field:   "short_code",
}

// ParseCode returns the code that s spells, on the default domain, or ErrBadCode or
// ErrCodeCharacters. It does not allocate.
func ParseCode[T string | []byte](s T) (Code, error) {
	if len(s) < MinCodeLength || len(s) > MaxCodeLength {
		return Code{}, ErrBadCode
	}
	c := Code{lo: 1}
	for i := range len(s) {
		d := codeDigits[s[i]]
		if d == 0xFF {
			return Code{}, ErrCodeCharacters
		}
		c.hi = c.hi<<6 | c.lo>>58
		c.lo = c.lo<<6 | uint64(d)
	}
	return c, nil
}

// UnpackCode is the reverse of Code.Pack; it fails for words that Pack never
// returns.
func UnpackCode(hi, lo uint64) (Code, error) {
	c := Code{hi, lo}
	n := c.bitLen()
	if n%6 != 1 || n/6 < MinCodeLength || n/6 > MaxCodeLength || c.Domain() > MaxDomain {
		return Code{}, errors.New("terse: no packed short code")
	}
	return c, nil
}

// Pack returns the code as two words, for storage and hashing.
func (c Code) Pack() (hi, lo uint64) { return c.hi, c.lo }

// Domain returns the domain that the code is on.
func (c Code) Domain() Domain { return Domain(c.hi >> domainShift) }

// On returns the same characters on another domain.
func (c Code) On(d Domain) Code {
	return Code{c.hi&(1<<domainShift-1) | uint64(d)<<domainShift, c.lo}
}

// bitLen returns the length of the characters with the leading bit.
func (c Code) bitLen() int {
	if hi := c.On(DefaultDomain).hi; hi != 0 {
		return 64 + bits.Len64(hi)
	}
	return bits.Len64(c.lo)
}

// AppendTo appends the code's characters to b, without its domain.
func (c Code) AppendTo(b []byte) []byte {
	n := c.bitLen() / 6
	var buf [MaxCodeLength]byte
	for i := n - 1; i >= 0; i-- {
		buf[i] = codeAlphabet[c.lo&63]
		c.lo = c.lo>>6 | c.hi<<58
		c.hi >>= 6
	}
	return append(b, buf[:n]...)
}

// Text returns the code's characters, without its domain, and "" for the zero Code.
func (c Code) Text() string { return string(c.AppendTo(make([]byte, 0, MaxCodeLength))) }

// String returns the key of the code, by which stores keep it: see Domain.Key. On the default
// domain that is its Text.
func (c Code) String() string { return c.Domain().Key(c.Text()) }

// Compare orders codes by domain, then like strings.Compare orders their texts.
func (c Code) Compare(d Code) int {
	if c.Domain() != d.Domain() {
		return int(c.Domain()) - int(d.Domain())
	}
	c, d = c.On(DefaultDomain), d.On(DefaultDomain)
	n, m := c.bitLen()/6, d.bitLen()/6
	c, d = c.shiftLeft(6*(MaxCodeLength-n)), d.shiftLeft(6*(MaxCodeLength-m))
	differ := 64 + bits.Len64(c.hi^d.hi) // number of bits from the first difference on
	if c.hi == d.hi {
		differ = bits.Len64(c.lo ^ d.lo)
	}
	at := MaxCodeLength - (differ+5)/6 // index of the first character that differs
	if at >= min(n, m) {
		return n - m
	}
	c, d = c.shiftLeft(6*at), d.shiftLeft(6*at)
	const first = 6*(MaxCodeLength-1) - 64 // shift in hi of the first character's digit
	return int(codeAlphabet[c.hi>>first&63]) - int(codeAlphabet[d.hi>>first&63])
}

func (c Code) shiftLeft(n int) Code {
	if n >= 64 {
		return Code{c.lo << (n - 64), 0}
	}
	return Code{c.hi<<n | c.lo>>(64-n), c.lo << n}
}

// NewCode returns a random code of GeneratedCodeLength letters and digits from the system's
// cryptographic source, each equally likely. It leaves out 0 O 1 I l, which people confuse: codes
// are read from paper and over the phone. If case is ignored, it also leaves out capitals, i and o;
// 31^7 is 2.75 * 10^10 codes. The code may be taken; then the caller tries another.
func NewCode(ignoreCase bool) Code {
	legible := "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
	if ignoreCase {
		legible = "abcdefghjkmnpqrstuvwxyz23456789"
	}
	code := make([]byte, 0, GeneratedCodeLength)
	var random [16]byte
	for {
		_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the process instead
		for _, r := range random {
			// Some of the 64 six-bit values stand for no character. Folding them in would make some
			// characters likelier.
			if r &= 63; int(r) >= len(legible) {
				continue
			}
			code = append(code, legible[r])
			if len(code) == GeneratedCodeLength {
				c, err := ParseCode(code)
				if err != nil {
					panic(err) // legible is a subset of the code alphabet
				}
				return c
			}
		}
	}
}
