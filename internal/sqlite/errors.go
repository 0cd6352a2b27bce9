package sqlite

import (
	"context"
	"errors"
	"fmt"

	"zombiezen.com/go/sqlite"

	"terse"
)

// ErrPosition says that a batch does not start where its journal's last one ended: it was counted
// already, or something before it was not.
var ErrPosition = errors.New("sqlite: batch does not start at the journal's position")

// translate turns a driver's error into the domain's, by its code, and wraps what remains.
func translate(ctx context.Context, err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	var known *terse.Error
	switch code := sqlite.ErrCode(err); {
	case errors.As(err, &known):
		return err
	case code == sqlite.ResultConstraintUnique:
		return terse.ErrCodeTaken
	case (code == sqlite.ResultInterrupt || code.ToPrimary() == sqlite.ResultBusy) &&
		ctx.Err() != nil:
		err = ctx.Err()
	}
	return fmt.Errorf("sqlite: "+format+": %w", append(args, err)...)
}

// partError is an error of something that may have written before it failed.
type partError struct{ error }

func (e partError) Unwrap() error { return e.error }

// whole turns an error of several statements into one that says that some may be done. Those that
// callers are told of, and a code that is taken, come before anything is written.
func whole(err error) error {
	var known *terse.Error
	if err == nil || errors.As(err, &known) ||
		sqlite.ErrCode(err) == sqlite.ResultConstraintUnique {
		return err
	}
	return partError{err}
}

// halfDone reports whether a statement may have done part of its work before it failed. Its
// transaction has to be rolled back then, if SQLite has not done so. A constraint fails before
// that, and so does what is no error of running a statement.
func halfDone(err error) bool {
	if _, ok := errors.AsType[partError](err); ok {
		return true
	}
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultOK, sqlite.ResultError, sqlite.ResultConstraint:
		return false
	default:
		return true
	}
}

// openError says in words what is wrong with the file.
func openError(err error) error {
	if sqlite.ErrCode(err) == sqlite.ResultNotADB {
		return fmt.Errorf("it is not an SQLite database: %w", err)
	}
	return err
}
