package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"terse/internal/cli/console"
)

// The exit codes of commands.
const (
	ExitOK = iota
	ExitFailure
	ExitUsage
	ExitNotFound
	ExitDenied
	ExitUnreachable
	ExitLimited // by a rate limit, or because the server is too busy

	// ExitSettings is EX_CONFIG of sysexits.h. It is not 2, with which Go's runtime ends a process
	// that panics or has no memory: a supervisor restarts that one, not one with wrong settings.
	ExitSettings = 78
)

// failure is an error with a sentence for people and an exit code for scripts.
type failure struct {
	text string
	code int
}

func (f failure) Error() string { return f.text }

func fail(code int, format string, args ...any) error {
	return failure{fmt.Sprintf(format, args...), code}
}

// NotFound returns the error of a command whose object does not exist.
func NotFound(format string, args ...any) error { return fail(ExitNotFound, format, args...) }

// SettingsError is an invalid setting of a server.
type SettingsError struct{ Err error }

func (e SettingsError) Error() string { return e.Err.Error() }
func (e SettingsError) Unwrap() error { return e.Err }

// UsageError is an invalid command line, or a setting of the commands that talk to a server.
type UsageError struct {
	Err   error
	Usage bool // also show the command's usage
}

func (e UsageError) Error() string { return e.Err.Error() }
func (e UsageError) Unwrap() error { return e.Err }

func misuse(format string, args ...any) error {
	return UsageError{fmt.Errorf(format, args...), true}
}

// usage turns an error into a UsageError.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return UsageError{err, true}
}

// Report prints an error for people and returns the exit code for scripts.
func Report(stderr io.Writer, err error) (code int) {
	if err == nil {
		return ExitOK
	}
	prefix, code := "terse: ", ExitFailure
	if failed, ok := errors.AsType[failure](err); ok { // sentences
		prefix, code = "", failed.code
	} else if errors.Is(err, console.ErrInterrupted) {
		prefix = ""
	} else if _, ok := errors.AsType[SettingsError](err); ok {
		code = ExitSettings
	} else if _, ok := errors.AsType[UsageError](err); ok {
		code = ExitUsage
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintln(stderr, prefix+line)
	}
	return code
}
