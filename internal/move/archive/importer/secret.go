package importer

import (
	"context"
	"errors"

	"terse/internal/visit/password"
)

// secret is the password of a line. It is hashed outside of transactions, because others wait for
// those.
type secret struct {
	password string // "": no hash is needed yet
	known    string // the hash that the link has
	hash     string // "": it is to be made
}

// errNotHashed says that a link must be tried again, after its password was hashed.
var errNotHashed = errors.New("the password is not hashed yet")

// find is a manage.Hasher.
func (s *secret) find(known, password string) (string, error) {
	if s.hash == "" || known != s.known && known != s.hash {
		*s = secret{password: password, known: known}
		return "", errNotHashed
	}
	return s.hash, nil
}

// tried stands for a new hash in a dry run, which saves the time for it.
const tried = "-"

// hash makes the hashes that links lack. Each takes up to seconds.
func (j *job) hash(ctx context.Context, tasks []*task) error {
	for _, t := range tasks {
		s := &t.secret
		if t.settled || s.password == "" || s.hash != "" {
			continue
		}
		if ctx.Err() != nil {
			return errStopped
		}
		switch {
		case j.isTrial: // whose links may have 1,000 passwords
			s.hash = tried
		case s.known != "" && j.importer.verify(s.known, s.password):
			s.hash = s.known
		case j.DryRun:
			s.hash = tried
		default:
			s.hash = j.importer.Manager.Hash(s.password)
		}
	}
	return nil
}

// verify reports whether a hash belongs to a password.
func (i *Importer) verify(hash, sent string) bool {
	i.verifying.Lock()
	defer i.verifying.Unlock()
	right, err := password.Verify(hash, sent)
	return right && err == nil
}
