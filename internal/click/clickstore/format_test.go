package clickstore

import (
	"strings"
	"testing"
	"time"

	"terse"
	"terse/internal/click/clickblock"
	"terse/internal/tests/doctest"
)

const countsPage = "../../../docs/format/counts.md"

func TestFormatOfTotals(t *testing.T) {
	t.Parallel()
	const heading = "### Example: totals"
	var page []struct {
		Offset int       `json:"offset"`
		Clicks int64     `json:"clicks"`
		People int64     `json:"people"`
		Last   time.Time `json:"last"`
		Era    uint32    `json:"era"`
	}
	doctest.JSON(t, countsPage, heading, &page)
	row := doctest.Hex(t, countsPage, heading)
	var want, got totals
	for _, link := range page {
		i := link.Offset
		want.clicks[i], want.people[i], want.eras[i] = link.Clicks, link.People, link.Era
		if !link.Last.IsZero() {
			want.last[i] = link.Last.UnixMicro()
		}
	}
	doctest.SameBytes(t, want.append(nil), row)
	if err := got.parse(row); err != nil || got != want {
		t.Errorf("decoded to other totals, or an error: %v", err)
	}
	row[0]++
	if err := got.parse(row); err != clickblock.ErrDamaged {
		t.Errorf("another version: %v", err)
	}
}

func dayNamed(t *testing.T, name string) terse.Day {
	t.Helper()
	at, err := time.Parse(time.DateOnly, name)
	if err != nil {
		t.Fatal(err)
	}
	return terse.DayOf(at.UnixMicro())
}

// tablesOnPage are the names of the tables in databases.
var tablesOnPage = map[string]Table{
	"totals": Totals, "level0": Level0, "level1": Level1, "level2": Level2, "day_counts": Days,
	"month_counts": Months, "dropped_counts": Dropped, "visitor_hashes_even": VisitorsEven,
	"visitor_hashes_odd": VisitorsOdd,
}

func TestFormatOfKeys(t *testing.T) {
	t.Parallel()
	found := map[Table]bool{}
	for _, row := range doctest.Table(t, "../../../docs/format/keys.md", "## Examples") {
		table := tablesOnPage[row[0]]
		found[table] = true
		link, of := terse.LinkID(doctest.Number(t, row[1])), row[2]
		col, n := doctest.Number(t, row[3]), doctest.Number(t, row[4])
		key := keyOnPage(t, table, link, of, col, n)
		if want := (Key{doctest.Number(t, row[5]), doctest.Number(t, row[6])}); key != want {
			t.Errorf("%s: %v, on the page %v", row, key, want)
		}
		if _, piece := ofKey(key.B); row[3] != "" && (int64(piece) != n ||
			ColumnAt(key.B) != column(col)) {
			t.Errorf("%s: read as piece %d of column %d", row, piece, ColumnAt(key.B))
		}
		if got := PartOf(table, key.A, 32); got != int(doctest.Number(t, row[8])) {
			t.Errorf("%s: part %d", row, got)
		}
	}
	if len(found) != int(NumTables) {
		t.Errorf("examples of %d of %d tables", len(found), NumTables)
	}
}

// keyOnPage returns the key of an example.
func keyOnPage(t *testing.T, table Table, link terse.LinkID, of string, col, n int64) (k Key) {
	t.Helper()
	k.A, k.B = int64(link), n
	switch table {
	case Totals, Level1:
		k.A = BucketOf(link)
	case Level0:
		k.A = regionOf(link)
	case VisitorsEven, VisitorsOdd:
		k.A = BucketOf(link)
		if got := VisitorTable(dayNamed(t, of)); got != table {
			t.Errorf("visitors of %s are in table %d", of, got)
		}
	case Level2:
		day := looseDay
		if of != "loose" {
			day = dayNamed(t, of)
		}
		k.B = blockKey(day, n)
	case Months:
		if month, isOpen := strings.CutPrefix(of, "open "); isOpen {
			return openKey(link, terse.MonthOf(dayNamed(t, month+"-01")))
		}
		k.B = countsKey(column(col), terse.MonthOf(dayNamed(t, of+"-01")), int(n))
	default:
		k.B = countsKey(column(col), dayNamed(t, of), int(n))
	}
	return k
}
