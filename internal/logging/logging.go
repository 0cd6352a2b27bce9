package logging

import (
	"io"
	"log/slog"
	"time"

	"github.com/lmittmann/tint"
)

// Format is the format of records.
type Format string

// The formats (contract: Cross-cutting behaviour, 3).
const (
	JSON   Format = "json"
	Pretty Format = "pretty"
)

// New returns a logger that writes records of at least the given level to w.
func New(w io.Writer, level slog.Level, format Format) *slog.Logger {
	if format == Pretty {
		return slog.New(tint.NewTextHandler(w, &tint.Options{
			Level:      level,
			TimeFormat: time.TimeOnly,
		}))
	}
	return slog.New(slog.NewJSONHandler(visible{w}, &slog.HandlerOptions{Level: level}))
}
