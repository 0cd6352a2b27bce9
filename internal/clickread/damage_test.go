package clickread_test

import (
	"bytes"
	"errors"
	"testing"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/clickread"
)

// A code that no link can have is damage, and not a link that nobody asks for.
func TestDamagedCodeOfALink(t *testing.T) {
	t.Parallel()
	code, err := terse.ParseCode("abcdef")
	if err != nil {
		t.Fatal(err)
	}
	p := clickblock.NewPacker()
	batch := terse.ClicksOf(terse.Click{Time: 1})
	p.Begin(&batch, func() {})
	clicks := []clickblock.Click{p.New(&batch.List[0], 0)}
	p.Of(&clicks[0], clickblock.Link{LinkRef: terse.LinkRef{ID: 7, Code: code}})
	block := bytes.Clone(p.Pack(clicks))
	add := func() error {
		tally := clickread.NewTally(terse.SeriesQuery{Range: terse.AllTime})
		tally.OfLinks(func(clickblock.Link) bool { return true })
		return tally.AddBlock(block)
	}
	if err := add(); err != nil {
		t.Fatalf("a block that is whole: %v", err)
	}
	if !bytes.Contains(block, []byte("abcdef")) {
		t.Fatal("the block has no code")
	}
	copy(block[bytes.Index(block, []byte("abcdef")):], "abc ef")
	if err := add(); !errors.Is(err, clickblock.ErrDamaged) {
		t.Errorf("a code with a space: %v, want %v", err, clickblock.ErrDamaged)
	}
}
