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

// Bounds of hashes from elsewhere: more than the defaults of any library. A check at the bounds
// takes seconds, and only one runs at a time.
const (
	maxMemoryKiB  = 256 << 10
	maxPasses     = 10
	maxLanes      = 16
	maxTextBytes  = 64 // per salt or key
	maxBcryptCost = 14
)

// ErrBadHash means that a text is not a hash, or costs more than is allowed.
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

// Check returns ErrBadHash if Verify would, without the work.
func Check(hash string) error {
	if !IsBcrypt(hash) {
		_, err := parse(hash)
		return err
	}
	cost, err := bcrypt.Cost([]byte(hash))
	if err != nil || cost > maxBcryptCost || !bcryptForm.MatchString(hash) {
		return ErrBadHash
	}
	return nil
}

// bcryptForm is the form of hashes: version, cost, and 22 characters of salt and 31 of hash in
// bcrypt's own base64.
var bcryptForm = regexp.MustCompile(`^\$2[abxy]?\$[0-9]{2}\$[./A-Za-z0-9]{53}$`)

// IsBcrypt reports whether a hash is in bcrypt's format, which Hash never returns.
func IsBcrypt(hash string) bool { return strings.HasPrefix(hash, "$2") }

func verifyBcrypt(hash, password string) (bool, error) {
	if err := Check(hash); err != nil {
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
	memory, ok1 := number(cost[0], "m=", maxMemoryKiB)
	passes, ok2 := number(cost[1], "t=", maxPasses)
	lanes, ok3 := number(cost[2], "p=", maxLanes)
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
