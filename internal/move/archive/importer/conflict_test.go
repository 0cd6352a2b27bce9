package importer

import (
	"context"
	"errors"
	"strings"
	"testing"

	"terse"
	"terse/internal/link/hosts"
	"terse/internal/link/manage"
	"terse/internal/move/archive"
)

// finder is a store that only finds links.
type finder struct {
	Store
	links map[string]terse.Link
	asked int
}

func (f *finder) Find(context.Context, []string) (map[string]terse.Link, error) {
	f.asked++
	return f.links, nil
}

// The search for conflicts keeps little of long lines, and of few of them.
func TestConflictsOfLongLines(t *testing.T) {
	t.Parallel()
	store := &finder{}
	j := &job{Request: Request{Conflict: Fail}, importer: &Importer{Options: Options{
		Store: store, Manager: manage.New(manage.Options{
			Hosts:    hosts.New(hosts.Options{BaseURL: "https://sho.rt"}),
			Reserved: func(string) bool { return false },
		}),
	}}}
	const lines = 40
	long := `{"type":"link","short_code":"abc","original_url":"https://e.example/",` +
		`"history":[{}],"more":"` + strings.Repeat("x", archive.MaxLine-200) + "\"}\n"
	r := archive.NewReader(strings.NewReader(strings.Repeat(long, lines)))
	for n := range lines {
		line, err := r.Next()
		if err == nil {
			err = j.checkConflict(t.Context(), line)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range j.batch {
			if task.restored.History != nil {
				t.Fatalf("line %d: the history is kept", n+1)
			}
		}
		if len(j.batch) > batchBytes/archive.MaxLine+1 {
			t.Fatalf("line %d: %d are kept", n+1, len(j.batch))
		}
	}
	if store.asked == 0 {
		t.Error("nothing was looked up")
	}
	store.links = map[string]terse.Link{"abc": {URL: "https://e.example/old"}}
	if known, ok := errors.AsType[*terse.Error](j.conflictOf(t.Context())); !ok ||
		known.Kind != terse.Conflict {
		t.Errorf("error %v", known)
	}
}
