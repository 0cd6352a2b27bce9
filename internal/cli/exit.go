package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"terse/internal/cli/console"
)

// What a command's exit code says.
const (
	ExitOK = iota
	ExitFailure
	ExitUsage
	ExitNotFound
	ExitDenied
	ExitUnreachable
	ExitLimited // by a rate limit, or because the server is asked too much at once
)

// failure is what went wrong in a sentence for people, and in an exit code for scripts.
type failure struct {
	text string
	code int
}

func (f failure) Error() string { return f.text }

func fail(code int, format string, args ...any) error {
	return failure{fmt.Sprintf(format, args...), code}
}

// NotFound says that there is not what a command is about.
func NotFound(format string, args ...any) error { return fail(ExitNotFound, format, args...) }

// UsageError is a command line or a setting that can't be used.
type UsageError struct {
	Err   error
	Usage bool // show how the command is used
}

func (e UsageError) Error() string { return e.Err.Error() }
func (e UsageError) Unwrap() error { return e.Err }

func misuse(format string, args ...any) error {
	return UsageError{fmt.Errorf(format, args...), true}
}

// oneOf refuses a flag's value that is neither empty nor one of some.
func oneOf(flag, value string, allowed ...string) error {
	if value == "" || slices.Contains(allowed, value) {
		return nil
	}
	last := len(allowed) - 1
	return misuse("%s is %q; it must be %s or %s", flag, value,
		strings.Join(allowed[:last], ", "), allowed[last])
}

// usage makes an error one of the command line.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return UsageError{err, true}
}

// Report tells people what went wrong, and returns the exit code that tells scripts.
func Report(stderr io.Writer, err error) (code int) {
	if err == nil {
		return ExitOK
	}
	prefix, code := "terse: ", ExitFailure
	if failed, ok := errors.AsType[failure](err); ok { // sentences
		prefix, code = "", failed.code
	} else if errors.Is(err, console.ErrInterrupted) {
		prefix = ""
	} else if _, ok := errors.AsType[UsageError](err); ok {
		code = ExitUsage
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintln(stderr, prefix+line)
	}
	return code
}
