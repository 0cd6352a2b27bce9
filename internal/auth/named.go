package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"strings"

	"terse"
)

// The text of a named token: namedPrefix, namedRandom characters of namedAlphabet, "_", and the
// CRC-32 (IEEE) of all before that in 8 hexadecimal digits. It is recognized wherever it leaks, and
// a text that was cut or mistyped costs no look-up. 32 random characters are 190 bits.
const (
	namedPrefix   = "terse_"
	namedRandom   = 32
	namedChecked  = len(namedPrefix) + namedRandom
	namedLength   = namedChecked + len("_") + 8
	namedAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// HintLength is how many of a named token's last characters people may see.
const HintLength = 4

// NewNamedToken returns the text of a new named token.
func NewNamedToken() string {
	text := []byte(namedPrefix + randomText(namedRandom))
	return string(appendChecksum(text, text))
}

// appendChecksum appends "_" and the checksum of a text.
func appendChecksum(to, text []byte) []byte {
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(text))
	return hex.AppendEncode(append(to, '_'), sum)
}

// NewTokenID returns the ID of a new named token. It is no secret, but nobody guesses it: 95 bits.
func NewTokenID() string { return randomText(16) }

// randomText returns random characters of namedAlphabet.
func randomText(length int) string {
	text := make([]byte, 0, length)
	for random := make([]byte, 2*length); len(text) < length; {
		_, _ = rand.Read(random) // never fails: crypto/rand ends the process instead
		for _, b := range random {
			// The largest multiple of 62 keeps all characters equally likely.
			if b < 4*byte(len(namedAlphabet)) && len(text) < length {
				text = append(text, namedAlphabet[int(b)%len(namedAlphabet)])
			}
		}
	}
	return string(text)
}

// isNamed reports whether a text may be that of a named token.
func isNamed(text string) bool {
	if len(text) != namedLength || !strings.HasPrefix(text, namedPrefix) ||
		strings.Trim(text[len(namedPrefix):namedChecked], namedAlphabet) != "" {
		return false
	}
	var buf [namedLength]byte
	return text[namedChecked:] == string(appendChecksum(buf[:0], []byte(text[:namedChecked])))
}

// HashOf returns the hash by which stores know the text of a token or of a session. It needs no
// salt and no slow function: the texts are too random to be guessed from it. Finding it by an index
// takes no constant time, but what that reveals is about the hash, which no sender can choose bit
// by bit.
func HashOf(text string) terse.SecretHash { return sha256.Sum256([]byte(text)) }
