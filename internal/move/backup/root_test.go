package backup

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// swapping is a context that, when it is asked the nth time whether it has ended, puts a link in
// the place of a file, as the owner of the folder may do at any moment.
type swapping struct {
	context.Context
	left     *int
	file, to string
}

func (c swapping) swap() {
	if *c.left--; *c.left == 0 {
		_ = os.Rename(c.file, c.file+".away") // if it is there
		_ = os.Symlink(c.to, c.file)
	}
}

func (c swapping) Err() error {
	c.swap()
	return c.Context.Err()
}

func (c swapping) Done() <-chan struct{} {
	c.swap()
	return c.Context.Done()
}

// A user in whose folder root restores or backs up gets none of root's files by that, and root
// writes to none, whatever stands in the place of the file that root makes, from whatever moment.
func TestRootGivesNothingAway(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root has files to give away")
	}
	const stranger = 65532
	source := newDatabase(t)
	for what, do := range map[string]func(ctx context.Context, dir string) error{
		"restore": func(ctx context.Context, dir string) error {
			_, err := Restore(ctx, source, Place{
				Database: filepath.Join(dir, "terse.db"), Journal: filepath.Join(dir, "journal"),
			})
			return err
		},
		"backup": func(ctx context.Context, dir string) error {
			_, err := Make(ctx, source, filepath.Join(dir, "terse.db.restored"), true)
			return err
		},
	} {
		moments := 0
		for swapped := true; swapped; moments++ {
			dir, victim, left := t.TempDir(), newDatabase(t), moments+1
			must(t, os.Chown(dir, stranger, stranger))
			before, err := os.ReadFile(victim)
			must(t, err)
			_ = do(swapping{
				t.Context(), &left, filepath.Join(dir, "terse.db.restored.part"), victim,
			}, dir)
			var info unix.Stat_t
			must(t, unix.Stat(victim, &info))
			after, err := os.ReadFile(victim)
			must(t, err)
			if info.Uid != 0 || info.Mode&0o777 != 0o600 || !bytes.Equal(before, after) {
				t.Errorf("%s, moment %d: the file belongs to %d, changed: %v", what, moments,
					info.Uid, !bytes.Equal(before, after))
			}
			swapped = left <= 0
		}
		if moments < 3 {
			t.Errorf("%s: only %d moments", what, moments)
		}
	}
}

// Root follows no link by which somebody else would have any file of the machine replaced.
func TestRootFollowsNoForeignLink(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root may be led astray")
	}
	const stranger = 65532
	source := newDatabase(t)
	for _, test := range []struct {
		link, folder int // their owners
		followed     bool
	}{{stranger, 0, false}, {stranger, stranger, true}, {0, 0, true}, {0, stranger, true}} {
		dir, disk := t.TempDir(), t.TempDir()
		must(t, os.Chown(dir, stranger, stranger))
		must(t, os.Chown(disk, test.folder, test.folder))
		there, link := filepath.Join(disk, "file"), filepath.Join(dir, "terse.db")
		must(t, os.WriteFile(there, []byte("precious"), 0o600))
		must(t, os.Symlink(there, link))
		must(t, os.Lchown(link, test.link, test.link))
		_, err := Restore(t.Context(), source, Place{
			Database: link, Journal: filepath.Join(dir, "journal"),
		})
		content, _ := os.ReadFile(there)
		if followed := string(content) != "precious"; followed != test.followed ||
			(err == nil) != test.followed {
			t.Errorf("%+v: followed %v, %v", test, followed, err)
		}
	}
}
