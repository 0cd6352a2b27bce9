package sqlite

import (
	"path/filepath"
	"slices"
	"testing"
	"time"
	"unsafe"

	"terse"
)

func openTemp(t *testing.T) *Store {
	s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "terse.db")})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

// What is in a log that is longer than we look at is left to SQLite.
func TestTooLongLog(t *testing.T) {
	t.Parallel()
	x := openTemp(t).pages.Load().index
	h, ok := x.header()
	if _, told := x.frame(&h, 1); !ok || !told {
		t.Error("the log is too long from the start")
	}
	h.Frames = 1 << 16
	if _, told := x.frame(&h, 1); told {
		t.Error("it is never too long")
	}
}

// An index of another version, or one that nobody has built yet, is left to SQLite.
func TestOtherIndex(t *testing.T) {
	t.Parallel()
	original := openTemp(t).pages.Load().index
	for name, change := range map[string]func(h *walHeader){
		"its own version":    func(*walHeader) {},
		"another version":    func(h *walHeader) { h.Version++ },
		"not built":          func(h *walHeader) { h.IsInit = 0 },
		"nothing in it, yet": func(h *walHeader) { *h = walHeader{} },
	} {
		x := &walIndex{memory: slices.Clone(original.memory[:walBlockBytes])}
		for i := range 2 {
			change((*walHeader)(unsafe.Pointer(&x.memory[uintptr(i)*walHeaderBytes])))
		}
		if _, ok := x.header(); ok != (name == "its own version") {
			t.Errorf("%s: the header is believed: %v", name, ok)
		}
	}
}

// Others may commit before we have seen what our commit left, whether it wrote anything or not: then nobody knows what there is,
// until the next one.
func TestOthersCommitAtOnceAfterUs(t *testing.T) {
	t.Parallel()
	for _, writes := range []bool{false, true} {
		s := openTemp(t)
		for began := time.Now(); s.codes.known.Load() == nil; time.Sleep(time.Millisecond) {
			if time.Since(began) > time.Minute {
				t.Fatal("the codes are not known after a minute")
			}
		}
		w := <-s.writer // and nobody else of us writes
		must(t, w.transact(t.Context(), func() error {
			w.suspect = writes
			return w.checkWrite()
		}))
		if !s.Absent(terse.NewCode()) {
			t.Errorf("writes %v: the codes are not known after a commit of ours", writes)
		}
		other, err := openConn(t.Context(), s.path, readerCacheKiB)
		must(t, err)
		must(t, step(other, "INSERT INTO owners VALUES ('other', 0)"))
		must(t, other.Close())
		if w.committed(); s.Absent(terse.NewCode()) {
			t.Errorf("writes %v: the codes are known after a commit of others", writes)
		}
		s.writer <- w
	}
}

// An inner page is found in the place where it was kept, however many there are.
func TestSlots(t *testing.T) {
	t.Parallel()
	p := &pages{}
	for page := range uint32(3 << innerBits) {
		p.slot(page).Store(&innerPage{page: page})
		if in := p.slot(page).Load(); in == nil || in.page != page {
			t.Fatalf("page %d is not found", page)
		}
	}
	kept := 0
	for i := range p.inner {
		if p.inner[i].Load() != nil {
			kept++
		}
	}
	if kept < 1<<innerBits*9/10 {
		t.Errorf("%d of %d places are used", kept, 1<<innerBits)
	}
}
