package moving

import (
	"cmp"
	"fmt"
	"slices"

	"terse/api"
)

// Entry is a remark about a line of the file.
type Entry struct {
	Line                        int64
	Domain                      string // of Code; "": the default one
	Code, Result, Field, Reason string
}

// Tally sums up what became of links. A link whose clicks are in several parts is one.
type Tally struct {
	api.ImportSummary
	Read   int64 // how many bytes of the source's Size were answered to, about
	report func(Entry) error
	later  *laterRows       // nil: links that are not there yet fail at once
	last   api.ImportResult // its Line is the source's; more of it may follow in the next part
}

// add adds the results of a part.
func (t *Tally) add(part *Part, results []api.ImportResult, summary api.ImportSummary) error {
	// The last link may go on in the next part.
	slices.SortStableFunc(results, func(a, b api.ImportResult) int {
		return cmp.Compare(a.Line, b.Line)
	})
	for _, r := range results {
		isLink := part.isLink(r.Line)
		r.Line = part.sourceLine(r.Line)
		if t.later != nil {
			r.Notes = append(r.Notes, t.later.notesOf(r)...)
		}
		switch {
		case isLink && t.later != nil && t.later.takes(r, part):
		case !isLink && r.Result != "failed": // a share
			for _, reason := range slices.DeleteFunc(append([]string{r.Error}, r.Notes...),
				func(reason string) bool { return reason == "" }) {
				if err := t.report(Entry{
					Line: r.Line, Domain: r.Domain, Code: r.ShortCode, Result: r.Result,
					Reason: reason,
				}); err != nil {
					return err
				}
			}
		case !isLink:
			err := t.addBroken(Entry{
				Line: r.Line, Domain: r.Domain, Code: r.ShortCode, Reason: r.Error,
			})
			if err != nil {
				return err
			}
		case r.Line == t.last.Line:
			r.Notes = append(r.Notes, part.notesOf(r.Line)...)
			t.last = joined(t.last, r)
		default:
			if err := t.end(); err != nil {
				return err
			}
			r.Notes = append(r.Notes, part.notesOf(r.Line)...)
			t.last = r
		}
	}
	t.ClicksSkipped += summary.ClicksSkipped
	return nil
}

// joined returns the result of a link from those of two parts.
func joined(first, next api.ImportResult) api.ImportResult {
	if next.Result == "unchanged" || first.Result == "failed" || first.Result == "skipped" {
		next.Result, next.NewShortCode, next.Error = first.Result, first.NewShortCode, first.Error
	}
	next.ClicksAdded += first.ClicksAdded
	next.ClicksKnown += first.ClicksKnown
	next.Notes = append(slices.Clone(first.Notes), slices.DeleteFunc(next.Notes,
		func(note string) bool { return slices.Contains(first.Notes, note) })...)
	return next
}

// addBroken counts a line that is no link, or could not be read as one.
func (t *Tally) addBroken(e Entry) error {
	t.LinesFailed++
	e.Result = "failed"
	return t.report(e)
}

// end counts the last link.
func (t *Tally) end() error {
	r := t.last
	t.last = api.ImportResult{}
	n := map[string]*int64{
		"created": &t.Created, "updated": &t.Updated, "unchanged": &t.Unchanged,
		"renamed": &t.Renamed, "skipped": &t.Skipped, "failed": &t.Failed,
	}[r.Result]
	switch {
	case r.Line == 0:
		return nil
	case n == nil:
		return fmt.Errorf("line %d has the unknown result %q", r.Line, r.Result)
	}
	*n++
	t.ClicksAdded += r.ClicksAdded
	t.ClicksKnown += r.ClicksKnown
	reasons := r.Notes
	switch {
	case r.Error != "":
		reasons = append([]string{r.Error}, reasons...)
	case r.Result == "renamed":
		reasons = append([]string{"short code already exists; it is now " + r.NewShortCode},
			reasons...)
	case r.Result == "created" && r.NewShortCode != "":
		reasons = append([]string{"short code is not possible here (3-20 letters, digits, - and " +
			"_); it is an alias of " + r.NewShortCode}, reasons...)
	}
	for _, reason := range reasons {
		err := t.report(Entry{
			Line: r.Line, Domain: r.Domain, Code: r.ShortCode, Result: r.Result, Reason: reason,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
