package archive

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"terse"
	"terse/api"
	"terse/internal/move/sheet"
)

// columns are those of a CSV.
var columns = []string{
	"short_code", "domain", "original_url", "created_at", "created_by", "title", "note", "tags",
	"status", "starts_at", "expires_at", "max_clicks", "click_count", "archived",
}

// WriteCSV writes all links of an owner without their clicks, as CSV. sheet.Plain restores its
// cells.
func WriteCSV(ctx context.Context, store Exporter, to io.Writer, o ExportOptions) error {
	w := sheet.NewWriter(bufio.NewWriterSize(to, chunk), true)
	err := store.Export(ctx, o.ExportQuery, func(int64, int64) error {
		return w.Write(append([]string{}, columns...))
	}, func(e terse.Exported) error {
		return w.Write(cellsOf(e, linkOf(e, o)))
	}, nil)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return w.Flush()
}

func cellsOf(e terse.Exported, line Link) []string {
	options := terse.LinkOptions{
		Disabled: line.Disabled, StartsAt: line.StartsAt, ExpiresAt: line.ExpiresAt,
		MaxClicks: line.MaxClicks,
	}
	most := ""
	if line.MaxClicks > 0 {
		most = strconv.FormatInt(line.MaxClicks, 10)
	}
	archived := ""
	if line.Archived {
		archived = "true"
	}
	return []string{
		line.ShortCode, line.Domain, line.OriginalURL, timeOf(line.CreatedAt.Time), line.CreatedBy,
		line.Title, line.Note, strings.Join(line.Tags, ","),
		string(options.Status(time.Now(), e.Link.Used)), timeOf(line.StartsAt),
		timeOf(line.ExpiresAt), most, strconv.FormatInt(line.ClickCount, 10),
		archived,
	}
}

// timeOf returns a time as lines have it, "" for none.
func timeOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(api.EventTime)
}
