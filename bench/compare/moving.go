package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"terse/api"
)

// clicksOfImported is the number of clicks of each link that is imported.
const clicksOfImported = 20

// imported counts what was sent, over all runs on a server's data.
type imported struct{ links, clicks int64 }

// moving measures redirects at a steady rate, alone and while links with clicks are imported. The
// importer runs on the core of the load.
func (b *bench) moving(ctx context.Context) (rows []row, err error) {
	type part struct {
		*terseServer

		of        *imported
		importing bool
	}
	var parts []part
	for _, of := range b.programs() {
		s, err := b.startNew(ctx, of, sqlite, hotLinks)
		if err != nil {
			return nil, err
		}
		if err := b.fillCache(ctx, target{s, known, hotLinks}); err != nil {
			return nil, err
		}
		sent := &imported{}
		parts = append(parts, part{s, sent, false}, part{s, sent, true})
	}
	values, err := inTurns(b.runs, parts, func(p part) ([]float64, error) {
		if err := p.rest(ctx); err != nil {
			return nil, err
		}
		if p.importing {
			return b.steadyBesideImport(ctx, p.terseServer, p.of)
		}
		r, err := b.wrk(ctx, p.process, steady, hotLinks, 2*b.seconds)
		return []float64{r.rate, r.p50, r.p99, 0, 0}, err
	})
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(parts); i += 2 {
		beside := func(m int) []series { return []series{values[m][i+1], values[m][i]} }
		rows = append(rows,
			figures("an import into "+parts[i].data.of.name+", beside none", "redirects/s", whole,
				beside(0), nil),
			figures("", "redirect p50, µs", whole, beside(1), nil),
			figures("", "redirect p99, µs", whole, beside(2), nil),
			figures("", "links imported/s", whole, values[3][i+1:i+2], nil),
			figures("", "clicks imported/s", whole, values[4][i+1:i+2], nil))
	}
	return rows, nil
}

// steadyBesideImport returns the rate, p50 and p99 of redirects while links are imported, and how
// many links and clicks a second were.
func (b *bench) steadyBesideImport(ctx context.Context, s *terseServer, sent *imported,
) ([]float64, error) {
	var end atomic.Bool
	before, began := *sent, time.Now()
	source, to := io.Pipe()
	go func() { to.CloseWithError(sent.write(to, &end)) }()

	cmd := onCore(ctx, loadCore, s.data.of.path, "import", "terse", "-", "--report",
		filepath.Join(s.data.dir, "report.csv"))
	var told bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = source, &told, &told
	cmd.Env = append(os.Environ(), "TERSE_URL=http://"+s.addr, "TERSE_TOKEN="+token)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	r, err := b.wrk(ctx, s.process, steady, hotLinks, 2*b.seconds)
	end.Store(true)
	if err = errors.Join(err, cmd.Wait(), source.Close()); err != nil {
		return nil, fmt.Errorf("beside an import: %w: %s", err, &told)
	}
	took := time.Since(began).Seconds()
	links, clicks := sent.links-before.links, sent.clicks-before.clicks
	s.data.clicks += clicks
	say("%s: %.0f redirects/s, p99 %.0f µs; %.0f links/s, %.0f clicks/s imported",
		s.data.of.name, r.rate, r.p99, float64(links)/took, float64(clicks)/took)
	return []float64{r.rate, r.p50, r.p99, float64(links) / took, float64(clicks) / took}, err
}

// write writes an export of new links until the end is stored.
func (i *imported) write(to io.Writer, end *atomic.Bool) error {
	w := bufio.NewWriterSize(to, 1<<16)
	first := time.Now().Add(-400 * 24 * time.Hour).UTC()
	before := *i
	fmt.Fprintln(w, `{"type":"export","version":1}`)
	for !end.Load() {
		i.links++
		fmt.Fprintf(w, `{"type":"link","short_code":"i-%d","original_url":%q,"created_at":%q}`+"\n",
			i.links, urlOf(int(i.links)), first.Format(api.EventTime))
		for c := range clicksOfImported {
			i.clicks++
			fmt.Fprintf(w, `{"type":"click","time":%q,"firsts":1,"country":"DE",`+
				`"browser":"Firefox","device":"desktop","visitor":"person",`+
				`"referrer":"https://news.example/%d"}`+"\n",
				first.Add(time.Duration(c)*19*24*time.Hour).Format(api.EventTime), i.links%20)
		}
	}
	fmt.Fprintf(w, `{"type":"end","links":%d,"clicks":%d}`+"\n", i.links-before.links,
		i.clicks-before.clicks)
	return w.Flush()
}
