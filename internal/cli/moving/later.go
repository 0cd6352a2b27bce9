package moving

import (
	"context"
	"errors"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"terse/api"
	"terse/internal/move/archive"
)

// A row of a table may lead to a short URL of the server. Its code becomes an alias of the link
// there, which may stand in another request. So rows whose link the server does not find are sent
// again after all others, until a round finds no more links.

// maxLater bounds the rows that are sent again, in memory some 50 MiB. Others fail, and a second
// import settles them.
const maxLater = 100_000

// laterRows are the rows to be sent again, by the line of the source.
type laterRows struct {
	rows map[int64]laterRow
	// only, if set, are the rows that count in this round. Others are only there for them.
	only map[int64]laterRow
}

// laterRow is what the server said of a row.
type laterRow struct {
	target string // the address that it leads to
	api.ImportResult
}

// takes keeps a result for later, or one that does not count.
func (l *laterRows) takes(r api.ImportResult, part *Part) bool {
	before, again := l.only[r.Line]
	if l.only != nil && !again {
		return true
	}
	target, missing := strings.CutPrefix(r.Error, archive.NoLinkAt)
	if !missing || len(l.rows) == maxLater {
		return false
	}
	if !again {
		r.Notes = append(r.Notes, part.notesOf(r.Line)...)
		before = laterRow{target, r}
	}
	l.rows[r.Line] = before
	return true
}

// notesOf returns what was noted of a row before.
func (l *laterRows) notesOf(r api.ImportResult) []string {
	return slices.DeleteFunc(slices.Clone(l.only[r.Line].Notes), func(note string) bool {
		return slices.Contains(r.Notes, note)
	})
}

// sendLater sends the rows again that led to links which were not there.
func (m *Import) sendLater(ctx context.Context, o Options, tally *Tally) error {
	for later := tally.later; len(later.rows) > 0; {
		now := later.rows
		later.only, later.rows = now, map[int64]laterRow{}
		err := m.resend(ctx, o, now, tally)
		if err != nil {
			return err
		}
		if len(later.rows) == len(now) { // nothing is gained by another round
			break
		}
	}
	rest := tally.later.rows
	tally.later = nil
	lines := make([]int64, 0, len(rest))
	for line := range rest {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	for _, line := range lines {
		if err := tally.end(); err != nil {
			return err
		}
		tally.last = rest[line].ImportResult
	}
	return tally.end()
}

// resend sends rows again, without their clicks, which are dropped anyway. A dry run has created
// nothing that they could lead to, so it sends that along.
func (m *Import) resend(ctx context.Context, o Options, rows map[int64]laterRow,
	tally *Tally,
) error {
	from, err := m.open()
	if err != nil {
		return err
	}
	emit := func(part *Part) error {
		err := m.send(ctx, o, part, tally)
		return errors.Join(err, part.Close())
	}
	if o.DryRun {
		return resendWithTargets(from, rows, emit)
	}
	part := &Part{}
	err = eachLink(from, func(link *archive.Line) error {
		if _, again := rows[link.Number]; !again {
			return nil
		}
		if part.lines > 0 && part.Len()+int64(len(link.Text)) >= maxPart {
			full := part
			part = &Part{}
			if err := emit(full); err != nil {
				return err
			}
		}
		return part.addLink(link.Number, link.Text)
	})
	if err == nil && part.lines > 0 {
		err = emit(part)
	}
	return err
}

// eachLink calls f with each link line of a source.
func eachLink(from archive.Source, f func(*archive.Line) error) error {
	for line, err := range from.Lines() {
		if err == nil && line.Type == archive.TypeLink {
			err = f(line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// maxTargets bounds the text that a dry run keeps of rows and what they lead to, in bytes.
const maxTargets = 32 << 20

// resendWithTargets sends rows together with the rows that they lead to, and those that these lead
// to.
func resendWithTargets(from archive.Source, rows map[int64]laterRow, emit func(*Part) error) error {
	type kept struct {
		line int64
		text string
	}
	var again []kept
	wanted, found, bytes := map[string]bool{}, map[string][]kept{}, 0
	for _, row := range rows {
		wanted[row.at()] = true
	}
	err := eachLink(from, func(link *archive.Line) error {
		at := address(domainOf(link), link.ShortCode())
		_, isAgain := rows[link.Number]
		if bytes > maxTargets || !isAgain && !wanted[at] {
			return nil
		}
		bytes += len(link.Text)
		k := kept{link.Number, string(link.Text)}
		if isAgain {
			again = append(again, k)
		}
		if wanted[at] {
			found[at] = append(found[at], k)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for len(again) > 0 {
		part, in := &Part{}, map[int64]bool{}
		for len(again) > 0 && part.Len() < maxPart/2 {
			for next := again[:1:1]; len(next) > 0; next = next[1:] {
				k := next[0]
				if in[k.line] {
					continue
				}
				in[k.line] = true
				if err := part.addLink(k.line, []byte(k.text)); err != nil {
					return err
				}
				if row, leads := rows[k.line]; leads {
					next = append(next, found[row.at()]...)
				}
			}
			again = again[1:]
		}
		if err := emit(part); err != nil {
			return err
		}
	}
	return nil
}

// at returns the address that a row leads to, which is on its own domain.
func (r laterRow) at() string { return address(r.Domain, r.target) }

// address returns an address of a domain as it is compared here: a server may ignore case, and then
// finds more.
func address(domain, text string) string {
	return strings.ToLower(domain + "/" + norm.NFC.String(text))
}
