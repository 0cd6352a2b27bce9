package visitors

import (
	"bytes"
	"strconv"
	"testing"

	"terse/internal/tests/doctest"
)

const page = "../../../docs/format/visitors.md"

// saved returns the chunks that a Bucket saves.
func saved(t *testing.T, b *Bucket) (log [][]byte) {
	t.Helper()
	if err := b.Save(func(seq int, chunk []byte) error {
		if seq != len(log) {
			t.Errorf("chunk %d is number %d", len(log), seq)
		}
		log = append(log, bytes.Clone(chunk))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return log
}

// loaded returns the Bucket that has a log.
func loaded(t *testing.T, log [][]byte) *Bucket {
	t.Helper()
	b := &Bucket{}
	for seq, chunk := range log {
		if err := b.Load(seq, chunk); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func TestFormatOfExactSets(t *testing.T) {
	t.Parallel()
	const heading = "## Example: few visitors"
	var example []struct {
		Offset uint8  `json:"offset"`
		Hash   string `json:"hash"`
	}
	doctest.JSON(t, page, heading, &example)
	chunk := doctest.Hex(t, page, heading)
	written, read := &Bucket{}, loaded(t, [][]byte{chunk})
	for _, visitor := range example {
		hash, err := strconv.ParseUint(visitor.Hash, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		if !written.First(visitor.Offset, hash) {
			t.Errorf("%v comes twice", visitor)
		}
		if read.First(visitor.Offset, hash) || !read.First(visitor.Offset+1, hash) {
			t.Errorf("%v is not in the chunk, or not of that link", visitor)
		}
	}
	log := saved(t, written)
	if len(log) != 1 {
		t.Fatalf("%d chunks", len(log))
	}
	doctest.SameBytes(t, log[0], chunk)
	chunk[0]++
	if err := new(Bucket).Load(0, chunk); err != ErrDamaged {
		t.Errorf("another version: %v", err)
	}
}

func TestFormatOfSketches(t *testing.T) {
	t.Parallel()
	const heading = "## Example: many visitors"
	var example struct {
		Offset   uint8  `json:"offset"`
		Visitors uint64 `json:"visitors"`
		Firsts   int64  `json:"firsts"`
		Chunk    int    `json:"chunk"`
	}
	doctest.JSON(t, page, heading, &example)
	chunk := doctest.Hex(t, page, heading)
	b, firsts := &Bucket{}, int64(0)
	for n := range example.Visitors {
		if b.First(example.Offset, (n+1)<<48) {
			firsts++
		}
	}
	log := saved(t, b)
	if firsts != example.Firsts || len(log) != example.Chunk+1 {
		t.Fatalf("%d firsts in %d chunks", firsts, len(log))
	}
	doctest.SameBytes(t, log[example.Chunk], chunk)
	log[example.Chunk] = chunk
	if s := loaded(t, log).sketch(example.Offset); s == nil || s.firsts != firsts ||
		*s != *b.sketch(example.Offset) {
		t.Error("another sketch was read")
	}
}
