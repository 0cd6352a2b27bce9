package sqlite

import (
	"context"
	"errors"
	"fmt"

	"zombiezen.com/go/sqlite"

	"terse"
)

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

// partError is an error of a function that may have written before it failed.
type partError struct{ error }

func (e partError) Unwrap() error { return e.error }

// whole marks an error of several statements as one after which some may have taken effect. The
// domain's errors, and that of a code that is taken, come before the first write.
func whole(err error) error {
	var known *terse.Error
	if err == nil || errors.As(err, &known) ||
		sqlite.ErrCode(err) == sqlite.ResultConstraintUnique {
		return err
	}
	return partError{err}
}

// halfDone reports whether a statement may have done part of its work before it failed. Then its
// transaction has to be rolled back, if SQLite has not done so. Violated constraints, and errors
// outside of statements, come before any write.
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
