package sqlite

import (
	"context"
	"errors"
	"fmt"

	"zombiezen.com/go/sqlite"

	"terse"
)

// translate turns a driver's error into one of the domain's, by its code, and wraps all others.
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
	case code.ToPrimary() == sqlite.ResultFull:
		err = fmt.Errorf("%w: %w", terse.ErrNoRoom, err)
	}
	return fmt.Errorf("sqlite: "+format+": %w", append(args, err)...)
}

// partError is an error of a function that may have written before it failed.
type partError struct{ error }

func (e partError) Unwrap() error { return e.error }

// maybePart marks an error of a function with several statements: some may have taken effect. The
// domain's errors, and the violation of a unique constraint, occur before the first write.
func maybePart(err error) error {
	var known *terse.Error
	if err == nil || errors.As(err, &known) ||
		sqlite.ErrCode(err) == sqlite.ResultConstraintUnique {
		return err
	}
	return partError{err}
}

// halfDone reports whether a statement may have done part of its work before it failed. Then its
// transaction must be rolled back, unless SQLite has done so. Violated constraints, and errors
// outside of statements, occur before any write.
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

// openError explains an error of opening the file.
func openError(err error) error {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultNotADB:
		return fmt.Errorf("it is not an SQLite database: %w", err)
	case sqlite.ResultCorrupt:
		return fmt.Errorf("it is damaged or cut off: %w", err)
	}
	return err
}
