package list

import (
	"testing"
)

// Texts take no more memory than they may, whatever their sizes, and one that is too large for all
// of it is not kept.
func TestTextsAreBounded(t *testing.T) {
	t.Parallel()
	texts := NewTexts()
	text := func(bytes int, changes int64) *rangeText {
		return &rangeText{state: rangeState{changes: changes}, text: make([]byte, bytes)}
	}
	check := func() {
		t.Helper()
		size := 0
		for _, text := range texts.of {
			size += text.size()
		}
		if size != texts.size || size > maxTexts {
			t.Fatalf("%d bytes are kept, %d are counted, %d are the bound", size, texts.size,
				maxTexts)
		}
	}
	for i := range int64(100) {
		texts.keep(textKey{id: i % 70}, text(1<<20, i))
		check()
	}
	if n := len(texts.of); n != maxTexts>>20 {
		t.Errorf("%d texts of a MiB are kept, want %d", n, maxTexts>>20)
	}
	for key, kept := range texts.of {
		if texts.get(key, kept.state) != kept || texts.get(key, rangeState{changes: -1}) != nil {
			t.Errorf("text of %+v is not known by its state", key)
		}
	}
	texts.keep(textKey{id: 1000}, text(maxTexts+1, 0))
	check()
	if texts.get(textKey{id: 1000}, rangeState{}) != nil {
		t.Error("a text that is too large is kept")
	}
}
