// Package exporter writes all links of an owner, as NDJSON with their clicks (package archive), or
// as CSV.
package exporter

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"terse"
	"terse/api"
	"terse/internal/archive"
	"terse/internal/sheet"
)

// Options of an export. All are required unless their comment says otherwise.
type Options struct {
	Owner         string
	WithoutClicks bool   // with links only, and without days
	Generator     string // for example "terse 1.2.0"
	BaseURL       string // for example "https://s.example"
	Logger        *slog.Logger
}

// Lines writes an export as NDJSON, in one snapshot of the store.
func Lines(ctx context.Context, store terse.Archive, to io.Writer, opts Options) error {
	w := archive.NewWriter(to, !opts.WithoutClicks)
	err := store.Export(ctx, opts.Owner, func(links, clicks int64) error {
		return w.Begin(archive.Export{
			CreatedAt: api.Instant{Time: time.Now()}, Generator: opts.Generator,
			BaseURL: opts.BaseURL, Links: links, Clicks: clicks,
		})
	}, func(e terse.Exported) error {
		if err := w.Link(lineOf(e, opts), e.Past); err != nil {
			return fmt.Errorf("link %s: %w", e.Link.Code, err)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return w.End()
}

func lineOf(e terse.Exported, opts Options) archive.Link {
	line, damaged := archive.LinkOf(e)
	if damaged != nil {
		opts.Logger.Warn("link has damaged options: exported as disabled",
			"short_code", e.Link.Code.String(), "error", damaged)
	}
	return line
}

// columns are those of a CSV.
var columns = []string{
	"short_code", "domain", "original_url", "created_at", "created_by", "title", "note", "tags",
	"status", "starts_at", "expires_at", "max_clicks", "click_count",
}

// CSV writes links only, as CSV. sheet.Plain restores its cells.
func CSV(ctx context.Context, store terse.Archive, to io.Writer, opts Options) error {
	w := sheet.NewWriter(bufio.NewWriterSize(to, 32<<10), true)
	err := store.Export(ctx, opts.Owner, func(int64, int64) error {
		return w.Write(append([]string{}, columns...))
	}, func(e terse.Exported) error {
		return w.Write(cellsOf(e, lineOf(e, opts)))
	})
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return w.Flush()
}

func cellsOf(e terse.Exported, line archive.Link) []string {
	options := terse.LinkOptions{
		Disabled: line.Disabled, StartsAt: line.StartsAt, ExpiresAt: line.ExpiresAt,
		MaxClicks: line.MaxClicks,
	}
	most := ""
	if line.MaxClicks > 0 {
		most = strconv.FormatInt(line.MaxClicks, 10)
	}
	const noDomain = "" // a server has one
	return []string{
		line.ShortCode, noDomain, line.OriginalURL, timeOf(line.CreatedAt.Time), line.CreatedBy,
		line.Title, line.Note, strings.Join(line.Tags, ","),
		string(options.Status(time.Now(), e.Link.Used)), timeOf(line.StartsAt),
		timeOf(line.ExpiresAt), most, strconv.FormatInt(line.ClickCount, 10),
	}
}

// timeOf returns a time as lines have it, "" for none.
func timeOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(api.EventTime)
}
