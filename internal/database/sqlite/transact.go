package sqlite

import (
	"context"
	"errors"
	"slices"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/record"
)

var errUnfinished = errors.New("sqlite: transaction was left")

// Transact runs f in a transaction, which has the writer to itself and is interrupted when the
// context ends. The transaction begins with the first operation of f. So Answer can refuse a key
// that is under way without waiting for the writer.
func (s *Store) Transact(ctx context.Context, f func(terse.Tx) error) (err error) {
	tx := &transaction{store: s, held: record.Held{}}
	tx.begin = func() (err error) {
		if tx.writer, err = s.takeWriter(ctx); err != nil {
			return err
		}
		return tx.writer.begin(ctx)
	}
	err = errUnfinished // when f panics
	defer func() {
		if err = translate(ctx, tx.end(err), "transact"); err == nil {
			if err := s.measureAnswers(ctx); err != nil && ctx.Err() == nil {
				s.log.Warn("add up kept answers", "path", s.path, "error", err)
			}
		}
	}()
	err = f(tx)
	return err
}

// transaction is a terse.Tx.
type transaction struct {
	store  *Store
	begin  func() error
	writer *writer // nil until the transaction has begun
	failed error   // the error that ended the transaction
	keys   []terse.AnswerKey
	held   record.Held // tags that it may have taken from their last links
}

// do runs f with the writer. The domain's errors leave the transaction intact; any other error ends
// it.
func (t *transaction) do(ctx context.Context, what string, f func(*writer) error) (err error) {
	if t.failed == nil && t.writer == nil {
		t.failed = t.begin()
	}
	if t.failed != nil {
		return t.failed
	}
	err = translate(ctx, f(t.writer), "%s", what)
	var known *terse.Error
	if err != nil && !errors.As(err, &known) {
		t.failed = err
	}
	return err
}

// end commits the transaction, or rolls it back after an error.
func (t *transaction) end(err error) error {
	defer t.store.answering.release(t.keys)
	if err == nil {
		err = t.failed
	}
	if t.writer == nil {
		return err
	}
	if err == nil {
		err = t.held.Release(t.writer.conn)
	}
	err = t.writer.end(err)
	t.store.writer <- t.writer
	return err
}

func (t *transaction) Create(ctx context.Context, by terse.Caller, l terse.NewLink) (
	link terse.Link, err error,
) {
	err = t.do(ctx, "create link", func(w *writer) error {
		return w.change(func(c *record.Changes) (err error) {
			link, err = c.Insert(by, l)
			return err
		})
	})
	return link, err
}

func (t *transaction) Link(ctx context.Context, code terse.Code) (link terse.Link, err error) {
	err = t.do(ctx, "look up link", func(w *writer) error {
		link, err = w.naming.OfCode(w.conn, code)
		return err
	})
	return link, err
}

func (t *transaction) Update(ctx context.Context, by terse.Caller, change terse.LinkChange) (
	link terse.Link, err error,
) {
	err = t.do(ctx, "update link", func(w *writer) error {
		return w.change(func(c *record.Changes) (err error) {
			c.Held = t.held
			link, err = c.Update(by, change)
			return err
		})
	})
	return link, err
}

func (t *transaction) Delete(ctx context.Context, by terse.Caller, link terse.Link) error {
	return t.do(ctx, "delete link", func(w *writer) error {
		return w.change(func(c *record.Changes) error {
			c.Held = t.held
			return c.Delete(by, link)
		})
	})
}

func (t *transaction) LinkAll(ctx context.Context, codes []terse.Code) (
	links []terse.Link, refused []error, err error,
) {
	links, refused = make([]terse.Link, len(codes)), make([]error, len(codes))
	for i, code := range codes {
		if links[i], refused[i] = t.Link(ctx, code); refused[i] != nil {
			links[i] = terse.Link{}
		}
	}
	return links, refused, t.failed
}

func (t *transaction) DeleteAll(ctx context.Context, by terse.Caller, links []terse.Link) (
	refused []error, err error,
) {
	refused = make([]error, len(links))
	for i, link := range links {
		refused[i] = t.Delete(ctx, by, link)
	}
	return refused, t.failed
}

func (t *transaction) NewestTo(
	ctx context.Context, owner string, on terse.Domain, url terse.URL, now time.Time,
) (
	link terse.Link, err error,
) {
	err = t.do(ctx, "look for a link to a URL", func(w *writer) error {
		link, err = record.NewestTo(w.conn, owner, on, url, now)
		return err
	})
	return link, err
}

func (t *transaction) SpellTag(ctx context.Context, owner, tag string) error {
	return t.do(ctx, "spell a tag", func(w *writer) error {
		return record.SpellTag(w.conn, owner, tag)
	})
}

func (t *transaction) Note(ctx context.Context, by terse.Caller, what terse.Noted) error {
	return t.do(ctx, "note "+string(what.Action), func(w *writer) error {
		return w.change(func(c *record.Changes) error { return c.Note(by, what) })
	})
}

func (t *transaction) Share(ctx context.Context, by terse.Caller, target terse.ShareTarget,
	fresh terse.Share, change terse.ShareChange,
) (shared terse.Shared, made bool, err error) {
	err = t.do(ctx, "share", func(w *writer) error {
		return w.change(func(c *record.Changes) (err error) {
			shared, made, err = c.MakeShare(by, target, fresh, change)
			return err
		})
	})
	return shared, made, err
}

func (t *transaction) Unshare(
	ctx context.Context, by terse.Caller, target terse.ShareTarget,
) error {
	return t.do(ctx, "revoke a share", func(w *writer) error {
		return w.change(func(c *record.Changes) error { return c.DropShare(by, target) })
	})
}

func (t *transaction) MoveShare(
	ctx context.Context, by terse.Caller, from, to terse.ShareTarget,
) error {
	return t.do(ctx, "move a share", func(w *writer) error {
		return w.change(func(c *record.Changes) error { return c.MoveShare(by, from, to) })
	})
}

func (t *transaction) RestoreShare(ctx context.Context, by terse.Caller, share terse.Shared) (
	made bool, err error,
) {
	err = t.do(ctx, "restore a share", func(w *writer) error {
		return w.change(func(c *record.Changes) (err error) {
			made, err = c.RestoreShare(by, share)
			return err
		})
	})
	return made, err
}

func (t *transaction) CreateAll(
	ctx context.Context, by terse.Caller, links []terse.RestoredLink,
) (
	created []terse.Link, refused []error, err error,
) {
	created, refused = make([]terse.Link, len(links)), make([]error, len(links))
	for i, l := range links {
		created[i], err = t.Create(ctx, by, l.Link)
		if known, ok := errors.AsType[*terse.Error](err); ok {
			refused[i] = known
			continue
		}
		if err == nil {
			l.Restored.CreatedAt, l.Restored.Share = time.Time{}, ""
			err = t.Restore(ctx, by, created[i].Ref(), l.Restored)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return created, refused, nil
}

func (t *transaction) Restore(
	ctx context.Context, by terse.Caller, link terse.LinkRef, r terse.Restored,
) error {
	return t.do(ctx, "restore a link", func(w *writer) error {
		return w.change(func(c *record.Changes) error { return c.Restore(by, link, r) })
	})
}

// Answer first looks for the answer without the writer: repeating an answer needs no write.
func (t *transaction) Answer(ctx context.Context, key terse.AnswerKey) (
	answer terse.Answer, err error,
) {
	if t.writer == nil {
		err = t.store.read(ctx, func(conn *sqlite.Conn) error {
			answer, err = record.Answer(conn, key, time.Now())
			return err
		})
		if !errors.Is(err, terse.ErrNotFound) {
			return answer, translate(ctx, err, "look up an answer")
		}
	}
	if !slices.Contains(t.keys, key) {
		if !t.store.answering.take(key) {
			return terse.Answer{}, terse.ErrUnderWay
		}
		t.keys = append(t.keys, key)
	}
	err = t.do(ctx, "look up an answer", func(w *writer) error {
		answer, err = record.Answer(w.conn, key, time.Now())
		return err
	})
	return answer, err
}

func (t *transaction) KeepAnswer(ctx context.Context, key terse.AnswerKey, a terse.Answer) error {
	return t.do(ctx, "keep an answer", func(w *writer) error {
		w.answering.unmeasured.Add(int64(len(a.Body)) + terse.AnswerOverhead)
		return record.KeepAnswer(w.conn, key, a, time.Now(), w.answering.last.Load())
	})
}
