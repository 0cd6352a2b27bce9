package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"terse"
	"terse/internal/database/postgres/links"
	"terse/internal/database/postgres/rows"
)

// snapshot runs f in a read-only transaction that sees one state of the database, and again if the
// connection is lost.
func (s *Store) snapshot(ctx context.Context, f func(pgx.Tx) error) error {
	return again(ctx, func() error {
		return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{
			IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly,
		}, f)
	})
}

// ask is snapshot for a question that may take seconds. It waits while too many questions are under
// way, so that quick reads find a connection.
func (s *Store) ask(ctx context.Context, f func(pgx.Tx) error) error {
	select {
	case s.questions <- struct{}{}:
		defer func() { <-s.questions }()
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return errClosed
	}
	return s.snapshot(ctx, f)
}

// againUndone runs f in a transaction until it is committed or fails for good. It tries again only
// if the last try was certainly rolled back.
func (s *Store) againUndone(ctx context.Context, f func(pgx.Tx) error) error {
	for wait := minBackoff; ; wait = min(2*wait, maxBackoff) {
		undone, err := s.tryOnce(ctx, f)
		err = rows.Ended(ctx, err)
		if err == nil || !undone || !transient(err) || !sleep(ctx, wait-rand.N(wait/2)) {
			return err
		}
	}
}

// tryOnce runs f in a transaction. If that fails, undone reports whether it was certainly rolled
// back.
func (s *Store) tryOnce(ctx context.Context, f func(pgx.Tx) error) (undone bool, err error) {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return true, err
	}
	defer func() { _ = tx.Rollback(ctx) }() // if it fails, the connection is given up
	if err := f(tx); err != nil {
		return true, err
	}
	err = tx.Commit(ctx)
	refused, answered := errors.AsType[*pgconn.PgError](err)
	return errors.Is(err, pgx.ErrTxCommitRollback) ||
		answered && refused.SeverityUnlocalized == "ERROR", err
}

// Transact runs do in a transaction, and again after a conflict with another transaction.
func (s *Store) Transact(ctx context.Context, do func(terse.Tx) error) error {
	select {
	case s.transacts <- struct{}{}:
		defer func() { <-s.transacts }()
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return errClosed
	}
	own := false // the error is do's own
	var changes *links.Changes
	err := s.againUndone(ctx, func(tx pgx.Tx) error {
		t := &transaction{tx: tx, store: s, changes: s.changes(tx)}
		err := do(t)
		if own = err != nil && t.failed == nil; own {
			return err
		}
		if t.failed != nil {
			return t.failed
		}
		changes = t.changes
		return t.changes.Finish(ctx)
	})
	if own {
		return err
	}
	if err == nil {
		s.clock.Expect(changes.Until())
		if err := s.measureAnswers(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("add up kept answers", "error", err)
		}
	}
	return wrap(err, "end transaction")
}

// transaction is a terse.Tx.
type transaction struct {
	tx      pgx.Tx
	store   *Store
	changes *links.Changes
	failed  error // the error that ended the transaction
}

var _ terse.Tx = (*transaction)(nil)

// note records an error that ends the transaction, even if the caller ignores it.
func (t *transaction) note(err error, format string, args ...any) error {
	err = wrap(err, format, args...)
	if _, known := errors.AsType[*terse.Error](err); err != nil && !known && t.failed == nil {
		t.failed = err
	}
	return err
}

func (t *transaction) Create(ctx context.Context, by terse.Caller, l terse.NewLink) (
	terse.Link, error,
) {
	link, err := t.create(ctx, by, fresh(l))
	return link, t.note(err, "create link %v", l.Code)
}

func (t *transaction) create(ctx context.Context, by terse.Caller, link terse.Link) (
	terse.Link, error,
) {
	refused, err := t.changes.Create(ctx, []links.New{{Link: &link, By: by}})
	if err == nil {
		err = refused[0]
	}
	if err != nil {
		return terse.Link{}, err
	}
	return link, nil
}

func (t *transaction) Link(ctx context.Context, code terse.Code) (terse.Link, error) {
	link, err := t.changes.Link(ctx, code)
	return link, t.note(err, "look up link %v", code)
}

func (t *transaction) Update(ctx context.Context, by terse.Caller, change terse.LinkChange) (
	terse.Link, error,
) {
	after := change.After
	after.UpdatedAt = terse.Version(time.Now(), change.Before.UpdatedAt)
	link, err := t.changes.Update(ctx, by, change, &after)
	if err != nil {
		link = terse.Link{}
	}
	return link, t.note(err, "update link %d %v", change.Before.ID, change.Before.Code)
}

func (t *transaction) Delete(ctx context.Context, by terse.Caller, link terse.Link) error {
	refused, err := t.changes.Delete(ctx, []links.Unwanted{{Link: link, By: by}})
	if err == nil {
		err = refused[0]
	}
	return t.note(err, "delete link %d %v", link.ID, link.Code)
}

func (t *transaction) LinkAll(ctx context.Context, codes []terse.Code) (
	links []terse.Link, refused []error, err error,
) {
	links, refused, err = t.changes.LinkAll(ctx, codes)
	return links, refused, t.note(err, "look up %d links", len(codes))
}

func (t *transaction) DeleteAll(ctx context.Context, by terse.Caller, all []terse.Link) (
	refused []error, err error,
) {
	unwanted := make([]links.Unwanted, len(all))
	for i, link := range all {
		unwanted[i] = links.Unwanted{Link: link, By: by}
	}
	refused, err = t.changes.Delete(ctx, unwanted)
	return refused, t.note(err, "delete %d links", len(all))
}

func (t *transaction) NewestTo(
	ctx context.Context, owner string, on terse.Domain, url terse.URL, now time.Time,
) (
	terse.Link, error,
) {
	link, err := t.changes.NewestTo(ctx, owner, on, url, now)
	return link, t.note(err, "find the newest link of %s to a URL", owner)
}

func (t *transaction) SpellTag(ctx context.Context, owner, tag string) error {
	return t.note(t.changes.SpellTag(ctx, owner, tag), "spell a tag of %s", owner)
}

func (t *transaction) Note(_ context.Context, by terse.Caller, what terse.Noted) error {
	return t.note(t.changes.Note(by, what), "note %s", what.Action)
}

func (t *transaction) Share(ctx context.Context, by terse.Caller, target terse.ShareTarget,
	fresh terse.Share, change terse.ShareChange,
) (terse.Shared, bool, error) {
	shared, made, err := t.changes.Share(ctx, by, named(target), fresh, change)
	return shared, made, t.note(err, "share")
}

func (t *transaction) Unshare(
	ctx context.Context, by terse.Caller, target terse.ShareTarget,
) error {
	return t.note(t.changes.Unshare(ctx, by, named(target)), "revoke a share")
}

func (t *transaction) MoveShare(
	ctx context.Context, by terse.Caller, from, to terse.ShareTarget,
) error {
	return t.note(t.changes.MoveShare(ctx, by, from, to), "move a share")
}

func (t *transaction) RestoreShare(ctx context.Context, by terse.Caller, share terse.Shared) (
	bool, error,
) {
	made, err := t.changes.RestoreShare(ctx, by, share)
	return made, t.note(err, "restore a share")
}

func (t *transaction) CreateAll(
	ctx context.Context, by terse.Caller, restored []terse.RestoredLink,
) (
	created []terse.Link, refused []error, err error,
) {
	created = make([]terse.Link, len(restored))
	all := make([]links.New, len(restored))
	histories := make([][]terse.HistoryEntry, len(restored))
	for i, l := range restored {
		created[i], histories[i] = fresh(l.Link), l.Restored.History
		all[i] = links.New{Link: &created[i], By: by}
		created[i].UpdatedAt = l.Restored.UpdatedAt
		if used := l.Restored.Used; used != nil {
			created[i].Used = *used
		}
	}
	refused, err = t.changes.Create(ctx, all)
	if err == nil {
		err = t.changes.AddHistories(ctx, all, histories, refused)
	}
	return created, refused, t.note(err, "create %d links", len(restored))
}

func (t *transaction) Restore(
	ctx context.Context, by terse.Caller, link terse.LinkRef, r terse.Restored,
) error {
	return t.note(t.changes.Restore(ctx, by, link, r), "restore link %d %v", link.ID, link.Code)
}

// Answer locks the key until the transaction ends. Other callers do not wait for the lock: they get
// terse.ErrUnderWay.
func (t *transaction) Answer(ctx context.Context, key terse.AnswerKey) (terse.Answer, error) {
	answer, err := t.answer(ctx, key)
	return answer, t.note(err, "look up an answer")
}

func (t *transaction) answer(ctx context.Context, key terse.AnswerKey) (a terse.Answer, err error) {
	var locked bool
	err = t.tx.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1)",
		int64(binary.LittleEndian.Uint64(key[:]))).Scan(&locked)
	if err != nil {
		return a, err
	}
	if !locked {
		return a, terse.ErrUnderWay
	}
	var request []byte
	err = t.tx.QueryRow(ctx,
		"SELECT request, status, etag, body FROM answers WHERE key = $1 AND at > $2", key[:],
		time.Now().Add(-terse.AnswerLifetime).UnixMicro(),
	).Scan(&request, &a.Status, &a.ETag, &a.Body)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, terse.ErrNotFound
	}
	copy(a.Request[:], request)
	return a, err
}

// maxForgotten bounds the old answers that are deleted with a new one. More are deleted than added,
// so that none stays for long; a large answer makes room for itself.
func maxForgotten(a terse.Answer) int { return 10 + len(a.Body)/terse.AnswerOverhead }

// measureAfter is how many bytes of answers a node stores before it measures all answers again,
// which takes half a second for a million.
const measureAfter = 16 << 20

// kept is what a node knows about the size of stored answers.
type kept struct {
	most       int64        // bound of answers, in bytes
	unmeasured atomic.Int64 // bytes that this node has stored since it measured
	last       atomic.Int64 // answers up to this time exceed most; 0: none do
}

// measureAnswers finds out which answers have to be deleted, once many were stored. One caller does
// this at a time. The answers are deleted when the next ones are stored.
func (s *Store) measureAnswers(ctx context.Context) error {
	bytes := s.kept.unmeasured.Load()
	if bytes < min(measureAfter, s.kept.most/16) ||
		!s.kept.unmeasured.CompareAndSwap(bytes, 0) {
		return nil
	}
	var last int64
	err := s.pool.QueryRow(ctx, `SELECT coalesce(max(at), 0) FROM (
			SELECT at, sum(octet_length(body) + $1::bigint) OVER (ORDER BY at DESC) AS bytes
			FROM answers
		) AS a WHERE bytes > $2`, terse.AnswerOverhead, s.kept.most).Scan(&last)
	if err != nil {
		s.kept.unmeasured.Add(bytes) // so that the next caller tries again
		return err
	}
	s.kept.last.Store(last)
	return nil
}

// KeepAnswer also deletes some answers that are too old.
func (t *transaction) KeepAnswer(
	ctx context.Context, key terse.AnswerKey, a terse.Answer,
) error {
	now := time.Now()
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO answers (key, at, request, status, etag, body)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (key) DO UPDATE SET at = excluded.at, request = excluded.request,
			status = excluded.status, etag = excluded.etag, body = excluded.body`,
		key[:], now.UnixMicro(), a.Request[:], a.Status, a.ETag, append([]byte{}, a.Body...))
	batch.Queue(`DELETE FROM answers WHERE key IN (
			SELECT key FROM answers WHERE at <= $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
		max(t.store.kept.last.Load(), now.Add(-terse.AnswerLifetime).UnixMicro()), maxForgotten(a))
	t.store.kept.unmeasured.Add(int64(len(a.Body)) + terse.AnswerOverhead)
	return t.note(t.tx.SendBatch(ctx, batch).Close(), "keep an answer")
}
