package derive_test

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/link/derive"
	"terse/internal/link/linkset"
)

const (
	least = math.MinInt64
	most  = math.MaxInt64
)

// database is rows in memory.
type database struct {
	links   []derive.Link
	sets    []derive.Set
	ranges  []derive.Range
	aliases []derive.Alias
	owned   []derive.Owned
	tags    []derive.Tag
}

func (d *database) rows() derive.Rows {
	return derive.Rows{
		Links: each(d.links), Sets: each(d.sets), Ranges: each(d.ranges), Aliases: each(d.aliases),
		Owned: []iter.Seq2[derive.Owned, error]{each(d.owned)}, Tags: each(d.tags),
	}
}

func each[T any](rows []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// good returns the rows of three links with tags, an alias and a status, in two ranges.
func good() *database {
	return &database{
		links: []derive.Link{
			{
				ID: 7, Code: "spring", Owner: terse.Identity, CreatedAt: 100,
				Since: least, Until: most,
				Options: `{"tags":["News","Ärger"],"aliases":["Spring/Sale"]}`, HasTags: true,
				Tags: []string{"news", "ärger"}, Columns: []derive.Column{
					{Name: derive.OpenUntil, Value: most},
				},
			},
			{
				ID: 8, Code: "ended", Owner: terse.Identity, CreatedAt: 50, Status: terse.Expired,
				Options: `{"tags":["news"],"expires_at":"1970-01-01T00:00:00.0002Z"}`,
				Since:   200, Until: most, HasTags: true, Tags: []string{"news"},
			},
			{ID: 2000, Code: "plain", Owner: "bob", CreatedAt: 10, Since: least, Until: most},
		},
		sets: []derive.Set{
			{Owner: terse.Identity, Name: "#news", From: 0, Links: linkset.Of([]int64{7, 8})},
			{Owner: terse.Identity, Name: "#ärger", From: 0, Links: linkset.Of([]int64{7})},
			{Owner: terse.Identity, Name: "expired", From: 0, Links: linkset.Of([]int64{8})},
		},
		ranges: []derive.Range{
			{Owner: terse.Identity, Number: 0, Links: 1, First: 50, Last: 60},
			{Owner: terse.Identity, Number: 0, Links: 1, First: 70, Last: 120}, // of another node
			{Owner: "bob", Number: 1, Links: 1, First: 10, Last: 10},
			{Owner: "*", Number: 1, Links: 1, First: 10, Last: 10},
			{Owner: "bob", Number: 5, Links: 0, First: 10, Last: 10}, // all are gone
		},
		aliases: []derive.Alias{{Address: "Spring/Sale", Folded: "spring/sale", Link: 7}},
		owned: []derive.Owned{
			{What: "a former code", Link: 7},
			{What: "a share", Link: 8, Code: "ended", Owner: terse.Identity},
			{What: "a tombstone", Link: 9, Buries: true},
		},
		tags: []derive.Tag{
			{Owner: terse.Identity, Folded: "news", Name: "NEWS", Links: 2},
			{Owner: terse.Identity, Folded: "ärger", Name: "ÄRGER", Links: 1},
		},
	}
}

// tagged gives bob's link a tag, whose sets those of some owners have.
func tagged(d *database, owners ...string) {
	d.links[2].Options, d.links[2].HasTags = `{"tags":["x"]}`, true
	d.links[2].Tags = []string{"x"}
	for _, owner := range owners {
		d.sets = append(d.sets, derive.Set{
			Owner: owner, Name: "#x", From: 1984, Links: linkset.Of([]int64{2000}),
		})
	}
	d.tags = append(d.tags, derive.Tag{Owner: "bob", Folded: "x", Name: "X", Links: 1})
}

// TestCompare edits good rows, and expects the differences in words.
func TestCompare(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		edit func(*database)
		want []string
	}{
		"nothing": {func(*database) {}, nil},
		"a forgotten tag": {func(d *database) { d.tags = d.tags[1:] }, []string{
			"the tag news of authenticated-user is not there, 2 links have it",
		}},
		"a wrong number of a tag": {func(d *database) { d.tags[0].Links = 3 }, []string{
			"the tag news of authenticated-user counts 3 links, 2 have it",
		}},
		"a tag of none": {func(d *database) {
			d.tags = append(d.tags, derive.Tag{Owner: "bob", Folded: "x", Name: "X"})
		}, []string{"the tag x of bob counts 0 links, 0 have it"}},
		"another's spelling": {func(d *database) { d.tags[1].Name = "News" }, []string{
			`the tag ärger of authenticated-user is spelled "News"`,
		}},
		"a forgotten bit": {func(d *database) {
			d.sets[0].Links = linkset.Of([]int64{8})
		}, []string{"link 7 (spring) has the tag news of authenticated-user, whose set lacks it"}},
		"bits too many": {func(d *database) {
			d.sets[1].Links = linkset.Of([]int64{7, 8, 9})
		}, []string{
			"the set for the tag ärger of authenticated-user has link 8 (ended), which does not " +
				"have it",
			"the set for the tag ärger of authenticated-user has link 9, which is gone, which " +
				"does not have it",
		}},
		"the set of a former status": {func(d *database) { d.sets[2].Name = "scheduled" }, []string{
			"link 8 (ended) has the status expired of authenticated-user, whose set lacks it",
			"the set for the status scheduled of authenticated-user has link 8 (ended), " +
				"which does not have it",
		}},
		"an empty row": {func(d *database) {
			d.sets = append(d.sets, derive.Set{Owner: "bob", Name: "#x", From: 1024})
		}, []string{"the tag x of bob has an empty row"}},
		"a wrong range": {func(d *database) { d.ranges[1].Links = 2 }, []string{
			"authenticated-user has 2 links with IDs from 0 to 1023, and 3 are counted",
		}},
		"no range": {func(d *database) { d.ranges = d.ranges[:2] }, []string{
			"everybody but authenticated-user has 1 links with IDs from 1024 to 2047, and 0 are " +
				"counted",
			"bob has 1 links with IDs from 1024 to 2047, and 0 are counted",
		}},
		"a wrong range of everybody": {func(d *database) { d.ranges[3].First = 11 }, []string{
			"everybody but authenticated-user has links with IDs from 1024 to 2047 made from " +
				"1970-01-01T00:00:00.00001Z to 1970-01-01T00:00:00.00001Z, and only " +
				"1970-01-01T00:00:00.000011Z to 1970-01-01T00:00:00.00001Z is noted",
		}},
		"a tag of another": {func(d *database) { tagged(d, "bob", "*") }, nil},
		"a forgotten bit of everybody": {func(d *database) { tagged(d, "bob") }, []string{
			"link 2000 (plain) has the tag x of everybody but authenticated-user, whose set " +
				"lacks it",
		}},
		"a bit of everybody too many": {func(d *database) {
			tagged(d, "bob", "*")
			d.sets[4].Links = linkset.Of([]int64{2000, 2001})
		}, []string{
			"the set for the tag x of everybody but authenticated-user has link 2001, which is " +
				"gone, which does not have it",
		}},
		"damaged options of another": {func(d *database) {
			tagged(d, "bob")
			d.links[2].Options, d.links[2].HasTags, d.links[2].Tags = "no JSON", false, nil
		}, []string{
			"link 2000 (plain) has the tag x of everybody but authenticated-user, whose set " +
				"lacks it",
		}},
		"a range of none": {func(d *database) { d.ranges[4].Links = 4 }, []string{
			"bob has no links with IDs from 5120 to 6143, and 4 are counted",
		}},
		"a narrow range": {func(d *database) { d.ranges[0].First = 51 }, []string{
			"authenticated-user has links with IDs from 0 to 1023 made from " +
				"1970-01-01T00:00:00.00005Z to 1970-01-01T00:00:00.0001Z, and only " +
				"1970-01-01T00:00:00.000051Z to " +
				"1970-01-01T00:00:00.00012Z is noted",
		}},
		"an alias is missing": {func(d *database) { d.aliases = nil }, []string{
			"link 7 (spring) is not found at its alias Spring/Sale",
		}},
		"aliases too many": {func(d *database) {
			d.aliases = append(
				d.aliases,
				derive.Alias{Address: "x", Folded: "x", Link: 8},
				derive.Alias{Address: "y", Folded: "y", Link: 9},
			)
		}, []string{
			"the alias x, folded as x, leads to link 8 (ended), which does not have it",
			"the alias y leads to link 9, which is gone",
		}},
		"rows are left over": {func(d *database) {
			d.owned = []derive.Owned{
				{What: "a former code", Link: 3},
				{What: "a share", Link: 8, Code: "old"},
				{What: "a state", Link: 8, Owner: "bob"},
			}
		}, []string{
			"there is a former code of link 3, which is gone",
			"there is a share of link 8 (ended) with its former code old",
			"there is a state of link 8 (ended) with its former owner bob",
		}},
		"a tombstone of a link": {func(d *database) { d.owned[2].Link = 2000 }, []string{
			"a tombstone buries link 2000 (plain), which exists",
		}},
		"columns": {func(d *database) {
			d.links[0].Columns[0].Value = 5
			d.links[0].Tags = d.links[0].Tags[1:]
			d.links[2].Used = 3
		}, []string{
			`the row of link 7 (spring) has the tags ["ärger"], its options ["news" "ärger"]`,
			"open_until of link 7 (spring) is 1970-01-01T00:00:00.000005Z, its options say never",
			"link 2000 (plain) has used 3 clicks, and has no max_clicks",
		}},
		"damaged options keep what rows had": {func(d *database) {
			d.links[0].Options, d.links[1].Options = "no JSON", "null"
			d.links[0].HasTags, d.links[0].Tags = false, nil
			d.links[1].Until = 7
		}, nil},
		"also if only rows of sets have it": {func(d *database) {
			d.links[0].Options, d.links[0].HasTags, d.links[0].Tags = "no JSON", false, nil
			d.tags[1].Links = 2
		}, []string{"the tag ärger of authenticated-user counts 2 links, 1 have it"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := good()
			tc.edit(d)
			found, err := derive.Compare(d.rows(), derive.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, found.Lines()); diff != "" || found.Links != 3 {
				t.Errorf("%d links (-want +got):\n%s", found.Links, diff)
			}
		})
	}
}

// TestStatus: the status of a row is right if the link has it at some time, with the bounds of that
// time, and if the clock has not passed it.
func TestStatus(t *testing.T) {
	t.Parallel()
	at := func(micros int64) time.Time { return time.UnixMicro(micros).UTC() }
	window := terse.LinkOptions{StartsAt: at(100), ExpiresAt: at(200)}
	off := terse.LinkOptions{Disabled: true, ExpiresAt: at(5)}
	for _, tc := range []struct {
		options      terse.LinkOptions
		used         int64
		status       terse.Status
		since, until int64
		passed       int64
		right        bool
	}{
		{terse.LinkOptions{}, 0, "", least, most, 0, true},
		{terse.LinkOptions{}, 0, terse.Active, least, most, 0, false},
		{window, 0, terse.Scheduled, least, 100, 0, true},
		{window, 0, terse.Active, 100, 200, 0, true},
		{window, 0, terse.Expired, 200, most, 0, true},
		{window, 0, "", least, 100, 0, false},
		{window, 0, terse.Scheduled, least, 100, 99, true}, // the next pass moves it
		{window, 0, terse.Scheduled, least, 100, 100, false},
		{window, 0, terse.Active, 100, 200, 200, false}, // a status that the clock changed
		{window, 0, terse.Active, 100, most, 0, false},
		{window, 0, terse.Active, least, 200, 0, false},
		{window, 0, terse.Active, 200, 100, 0, false},
		{window, 0, terse.Expired, 100, 200, 0, false},
		{window, 0, terse.Expired, 200, most, 0, true},
		{off, 0, terse.Disabled, least, most, 0, true},
		{off, 0, terse.Disabled, 5, most, 0, false},
		{terse.LinkOptions{MaxClicks: 2}, 1, terse.Active, least, most, 0, true},
		{terse.LinkOptions{MaxClicks: 2}, 2, terse.Active, least, most, 0, false},
		{terse.LinkOptions{MaxClicks: 2}, 2, terse.UsedUp, least, most, 0, true},
		{terse.LinkOptions{StartsAt: at(7).Add(500)}, 0, terse.Active, 7, most, 0, true},
	} {
		text, err := tc.options.Encode()
		if err != nil {
			t.Fatal(err)
		}
		l := derive.Link{
			ID: 1, Code: "abc", Owner: terse.Identity, Options: text, Used: tc.used,
			Status: tc.status,
			Since:  tc.since, Until: tc.until,
		}
		d := database{
			links:  []derive.Link{l},
			ranges: []derive.Range{{Owner: terse.Identity, Links: 1}},
		}
		if tc.status != "" && tc.status != terse.Active {
			d.sets = []derive.Set{{
				Owner: terse.Identity, Name: string(tc.status), Links: linkset.Of([]int64{1}),
			}}
		}
		found, err := derive.Compare(d.rows(), derive.Options{Now: 300, Passed: tc.passed})
		if lines := found.Lines(); err != nil || (len(lines) == 0) != tc.right {
			t.Errorf("%s from %d until %d of %s, after %d: %q, %v", tc.status, tc.since, tc.until,
				text, tc.passed, lines, err)
		}
	}
}

// TestBounds: some differences of a kind are named and the others counted, tags are compared up to
// a number, and an error of a reader ends the comparison.
func TestBounds(t *testing.T) {
	t.Parallel()
	d := &database{}
	for i := range int64(50) {
		d.owned = append(d.owned, derive.Owned{What: "a share", Link: terse.LinkID(i)})
	}
	found, err := derive.Compare(d.rows(), derive.Options{Most: 3})
	if err != nil || len(found.Kinds) != 1 || len(found.Kinds[0].Lines) != 3 ||
		found.Kinds[0].More != 47 {
		t.Errorf("%+v, %v", found, err)
	}
	for i := range int64(5) {
		l := derive.Link{
			ID: terse.LinkID(i), Code: "abc", Owner: terse.Identity, Since: least, Until: most,
			Options: terse.EncodedOptions(fmt.Sprintf(`{"tags":["%d"]}`, i)),
		}
		d.links = append(d.links, l)
		d.sets = append(d.sets, derive.Set{
			Owner: terse.Identity, Name: fmt.Sprintf("#%d", i), Links: linkset.Of([]int64{i}),
		})
		d.tags = append(d.tags, derive.Tag{
			Owner: terse.Identity, Folded: fmt.Sprint(i), Name: fmt.Sprint(i), Links: 1,
		})
	}
	d.owned, d.ranges = nil, []derive.Range{{Owner: terse.Identity, Links: 5}}
	found, err = derive.Compare(d.rows(), derive.Options{MaxTags: 3})
	if want := []string{"there are more than 3 tags; not all were compared"}; err != nil ||
		!slices.Equal(found.Lines(), want) {
		t.Errorf("%q, %v", found.Lines(), err)
	}
	rows, broken := d.rows(), errors.New("broken")
	rows.Sets = func(yield func(derive.Set, error) bool) {
		for _, s := range d.sets[:2] {
			if !yield(s, nil) {
				return
			}
		}
		yield(derive.Set{}, broken)
	}
	if _, err := derive.Compare(rows, derive.Options{}); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// TestWithin: what is only in one of two comparisons is left out.
func TestWithin(t *testing.T) {
	t.Parallel()
	once := &derive.Found{Kinds: []derive.Kind{
		{Name: "tags", Lines: []string{"a", "b"}}, {Name: "sets", Lines: []string{"c"}},
	}}
	again := &derive.Found{Kinds: []derive.Kind{{Name: "tags", Lines: []string{"b", "d"}}}}
	if lines := once.Within(again).Lines(); !slices.Equal(lines, []string{"b"}) {
		t.Errorf("%q", lines)
	}
}

// TestTraces: a change leaves its former code and a tombstone.
func TestTraces(t *testing.T) {
	t.Parallel()
	link := func(code, owner string) *terse.Link {
		c, err := terse.ParseCode(code)
		if err != nil {
			t.Fatal(err)
		}
		return &terse.Link{ID: 7, Code: c, CreatedBy: owner}
	}
	for what, tc := range map[string]struct {
		before, after *terse.Link
		want          []string
	}{
		"made":    {nil, link("abc", "alice"), nil},
		"changed": {link("abc", "alice"), link("abc", "alice"), nil},
		"deleted": {link("abc", "alice"), nil, []string{"tombstone of link 7 (abc), deleted"}},
		"renamed": {link("abc", "alice"), link("def", "alice"), []string{
			"former code abc of link 7", "tombstone of link 7 (abc)",
		}},
		"given": {link("abc", "alice"), link("abc", "bob"), []string{"tombstone of link 7 (abc)"}},
	} {
		if got := derive.Traces(tc.before, tc.after); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", what, got, tc.want)
		}
	}
}
