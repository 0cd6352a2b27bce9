// Package password hashes passwords, and checks them against hashes. It keeps nothing; its callers
// limit the attempts.
//
// Passwords are first converted to NFC, as in RFC 8265 (OpaqueString): systems send typed text in
// different forms.
package password

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"
	"golang.org/x/text/unicode/norm"
)

// The cost of new hashes: the least memory among the options that OWASP's Password Storage Cheat
// Sheet considers equivalent, because several may be checked at once.
const (
	memoryKiB = 19 << 10
	passes    = 2
	lanes     = 1
	saltBytes = 16
	keyBytes  = 32
)

// Bounds of hashes that an import may bring: the defaults of most programs. A check at the bounds
// takes some ten times as long as one of our own hashes.
const (
	maxMemoryKiB  = 64 << 10
	maxPasses     = 4
	maxLanes      = 4
	maxTextBytes  = 64 // per salt or key
	maxBcryptCost = 12
)

// Bounds of hashes that are checked at all. Links may have such ones from before the bounds above.
// A check takes seconds.
const (
	oldMemoryKiB  = 256 << 10
	oldPasses     = 10
	oldLanes      = 16
	oldBcryptCost = 14
)

// ErrBadHash means that a text is not a hash, or one that costs more than is allowed.
var ErrBadHash = errors.New("not a password hash of argon2id or bcrypt within the bounds")

// Compose returns a password in NFC.
func Compose(password string) string { return norm.NFC.String(password) }

// Hash returns the argon2id hash of a password, as a PHC string.
func Hash(password string) string {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails
	key := argon2.IDKey([]byte(Compose(password)), salt, passes, memoryKiB, lanes, keyBytes)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, memoryKiB, passes,
		lanes, encoding.EncodeToString(salt), encoding.EncodeToString(key))
}

var encoding = base64.RawStdEncoding.Strict()

// Verify reports whether a hash belongs to a password: in NFC or, for hashes from other programs,
// as it was sent. It takes the time and memory of the hash's cost, and up to twice the time if the
// two forms differ. Its error is ErrBadHash.
func Verify(hash, password string) (bool, error) {
	composed := Compose(password)
	ok, err := verify(hash, composed)
	if ok || err != nil || composed == password {
		return ok, err
	}
	return verify(hash, password)
}

func verify(hash, password string) (bool, error) {
	if IsBcrypt(hash) {
		return verifyBcrypt(hash, password)
	}
	h, err := parse(hash)
	if err != nil {
		return false, err
	}
	key := argon2.IDKey([]byte(password), h.salt, h.passes, h.memoryKiB, h.lanes,
		uint32(len(h.key)))
	return subtle.ConstantTimeCompare(key, h.key) == 1, nil
}

// Check returns ErrBadHash for a hash that an import may not bring.
func Check(hash string) error {
	if IsBcrypt(hash) {
		cost, err := bcryptCost(hash)
		if err == nil && cost > maxBcryptCost {
			err = ErrBadHash
		}
		return err
	}
	h, err := parse(hash)
	if err == nil && (h.memoryKiB > maxMemoryKiB || h.passes > maxPasses || h.lanes > maxLanes) {
		err = ErrBadHash
	}
	return err
}

// Cost estimates the work of checking a password against a hash, where that of one of Hash is 100.
// It is 0 if Verify would return an error.
func Cost(hash string) int64 {
	if IsBcrypt(hash) {
		cost, err := bcryptCost(hash)
		if err != nil {
			return 0
		}
		return bcrypt10 << cost >> 10
	}
	h, err := parse(hash)
	if err != nil {
		return 0
	}
	return 100*int64(h.memoryKiB)*int64(h.passes)/(memoryKiB*passes) + 1
}

// bcrypt10 is the Cost of bcrypt at a cost of 10, as BenchmarkVerify has it.
const bcrypt10 = 250

// IsOurs reports whether a hash is as Hash returns them. Others should be replaced.
func IsOurs(hash string) bool {
	h, err := parse(hash)
	return err == nil && h.memoryKiB == memoryKiB && h.passes == passes && h.lanes == lanes &&
		len(h.salt) >= saltBytes && len(h.key) >= keyBytes
}

func bcryptCost(hash string) (int, error) {
	cost, err := bcrypt.Cost([]byte(hash))
	if err != nil || cost > oldBcryptCost || !bcryptForm.MatchString(hash) {
		return 0, ErrBadHash
	}
	return cost, nil
}

// bcryptForm is the form of hashes: version, cost, and 22 characters of salt and 31 of hash in
// bcrypt's own base64.
var bcryptForm = regexp.MustCompile(`^\$2[abxy]?\$[0-9]{2}\$[./A-Za-z0-9]{53}$`)

// IsBcrypt reports whether a hash is in bcrypt's format, which Hash never returns.
func IsBcrypt(hash string) bool { return strings.HasPrefix(hash, "$2") }

func verifyBcrypt(hash, password string) (bool, error) {
	if _, err := bcryptCost(hash); err != nil {
		return false, err
	}
	switch err := bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)); {
	case err == nil:
		return true, nil
	case errors.Is(err, bcrypt.ErrMismatchedHashAndPassword):
		return false, nil
	}
	return false, ErrBadHash
}

// parsed is an argon2id hash.
type parsed struct {
	memoryKiB, passes uint32
	lanes             uint8
	salt, key         []byte
}

// parse parses a PHC string: $argon2id$v=19$m=19456,t=2,p=1$salt$key.
func parse(hash string) (h parsed, err error) {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" ||
		parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return h, ErrBadHash
	}
	cost := strings.Split(parts[3], ",")
	if len(cost) != 3 {
		return h, ErrBadHash
	}
	memory, ok1 := number(cost[0], "m=", oldMemoryKiB)
	passes, ok2 := number(cost[1], "t=", oldPasses)
	lanes, ok3 := number(cost[2], "p=", oldLanes)
	if !ok1 || !ok2 || !ok3 {
		return h, ErrBadHash
	}
	h.memoryKiB, h.passes, h.lanes = uint32(memory), uint32(passes), uint8(lanes)
	if h.salt, err = decode(parts[4]); err != nil {
		return h, err
	}
	h.key, err = decode(parts[5])
	return h, err
}

// number parses a parameter such as "m=19456".
func number(s, prefix string, most uint64) (uint64, bool) {
	digits, ok := strings.CutPrefix(s, prefix)
	n, err := strconv.ParseUint(digits, 10, 32)
	return n, ok && err == nil && 1 <= n && n <= most
}

func decode(s string) ([]byte, error) {
	b, err := encoding.DecodeString(s)
	if err != nil || len(b) < 8 || len(b) > maxTextBytes {
		return nil, ErrBadHash
	}
	return b, nil
}
