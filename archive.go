package terse

import (
	"context"
	"time"
)

// Archive moves links with their clicks out of a store and into it. It is a part of a store, see
// Links.
type Archive interface {
	// Export calls begin with how many links there are, and how many clicks these have together,
	// and then each with every link, ordered by domain and then by the bytes of their codes. All is
	// one snapshot; on Citus each link's part is. Then it calls share, unless that is nil, with
	// each share that is not plain, and the URL of the link that it shows, in a certain order. It
	// ends with the first error of a function.
	Export(ctx context.Context, q ExportQuery, begin func(links, clicks int64) error,
		each func(Exported) error, share func(Shared, URL) error) error

	// AddPast tops up clicks of the past, all in one transaction: of n clicks of a link at one
	// instant, of which the store has e, it adds n-e. So what was added before is not added again.
	// It returns what became of each Past. Links must not be in it twice. The clicks of a link that
	// does not exist are skipped. A transaction that is too long ends early: see PastAdded.Rest.
	// However often it does, what is added is the same.
	AddPast(ctx context.Context, past []Past) ([]PastAdded, error)

	// TryPast returns what AddPast would, and changes nothing. It may end elsewhere. A link with
	// the ID 0 is one that would be created first.
	TryPast(ctx context.Context, past []Past) ([]PastAdded, error)
}

// MaxOwnerClicks bounds the clicks that all links of an owner can have together by imports, and
// those that all links of all owners but Identity can have. So sums do not overflow, those of
// AllOwners included, and are exact as numbers of JSON.
const MaxOwnerClicks = 1_000_000_000_000_000

// ExportQuery says which links to export.
type ExportQuery struct {
	Owner string // may be AllOwners
	// Domain of the links; nil: any. If it is set, shares of tags and of all links are left out.
	Domain *Domain
}

// Has reports whether a share is one of what the query asks for, if it is of the owner.
func (q ExportQuery) Has(s Shared) bool {
	return q.Domain == nil || s.Target.IsLink() && s.Target.Link.Code.Domain() == *q.Domain
}

// Exported is a link with all that belongs to it. It is valid until each returns.
type Exported struct {
	Link    Link           // with Clicks and LastClick
	Share   Share          // if it is plain
	History []HistoryEntry // newest first
	// Past calls day with each day that has more than single clicks, in order, and then click with
	// the single clicks, in order of time, then of values. It keeps a bounded part in memory.
	Past func(day func(PastDay) error, click func(PastClick) error) error
}

// PastClick is clicks of one instant with the same values.
type PastClick struct {
	Time   int64 // microseconds since 1970
	Values Values
	Count  int64
	Firsts int64 // how many of them are their visitor's first of the day; at most Count
}

// PastDay is what a link has of a UTC day beyond its single clicks.
type PastDay struct {
	Day      Day
	Clicks   int64 // that were dropped
	Visitors int64 // beyond those whose first click is a single click
	// Counts are of the dropped clicks, in the order of dimensions, ByReferrerHost too. What they
	// give to no value counts as Unknown.
	Counts []PastCounts
}

// PastCounts counts dropped clicks by the values of a dimension, which are sorted by their bytes.
type PastCounts struct {
	Dimension Dimension
	Values    []PastValue
}

// PastValue is how many dropped clicks have a value, how many of these are people's, and how many
// are firsts.
type PastValue struct {
	Value                  string
	Clicks, People, Firsts int64
}

// Past is clicks of a link's past, to be added: whole days, or the next part of a day.
type Past struct {
	Link LinkRef
	// Days are in order. There is one for each day of Clicks.
	Days []PastDayAdded
	// Clicks are in order of time, with all clicks of each of their instants. No two of them have
	// the same time and values.
	Clicks []PastClick
	// Tried is what a run would have added before. Only TryPast looks at it.
	Tried Tried
	// Reported is how many clicks of the first instant an earlier call has reported. It is of a
	// PastAdded.Rest, otherwise 0.
	Reported int64
	// LastClick is when the link was last clicked, as far as it is known; zero: not known. It
	// counts on days with dropped clicks.
	LastClick time.Time
}

// Tried is clicks of a link that a TryPast did not add: the single ones of an instant, and of a day
// the single and the dropped ones.
type Tried struct {
	Instants      map[int64]int64 // by time
	Days, Dropped map[Day]int64
}

// Add adds what another call would have added, as far as there is room for so many more numbers. It
// returns what is left of the room.
func (t *Tried) Add(other Tried, room int) int {
	room = addTried(&t.Instants, other.Instants, room)
	room = addTried(&t.Days, other.Days, room)
	return addTried(&t.Dropped, other.Dropped, room)
}

func addTried[K comparable](to *map[K]int64, more map[K]int64, room int) int {
	if *to == nil {
		*to = map[K]int64{}
	}
	for key, n := range more {
		if _, known := (*to)[key]; !known {
			if room == 0 {
				continue
			}
			room--
		}
		(*to)[key] += n
	}
	return room
}

// PastDayAdded is a day to be added.
type PastDayAdded struct {
	PastDay
	// ClickFirsts are the firsts of all clicks of the day, those in other parts of it included.
	ClickFirsts int64
	// Continued means that the Past has a later part of a day whose first part had its Clicks and
	// Counts. Continues means that another part follows; the last one settles the visitors.
	Continued, Continues bool
}

// PastAdded is what became of the clicks of a Past, dropped ones included.
type PastAdded struct {
	Added, Known, Skipped int64
	// SkippedDays are the days with dropped clicks that were skipped. A later part of such a day
	// must have no Visitors.
	SkippedDays []Day
	// Refused are the times of clicks that would have brought those of an owner above
	// MaxOwnerClicks, and RefusedDays are days with such dropped clicks. These clicks are neither
	// Added, Known nor Skipped. Later parts of the days must have no Visitors.
	Refused     []int64
	RefusedDays []Day
	// Tried is what TryPast would have added.
	Tried Tried
	// Rest is the part that was not done, for the next call; nil: none.
	Rest *Past
}

// Restored is what only an import sets of a link. Zero fields stay as they are.
type Restored struct {
	CreatedAt, UpdatedAt time.Time
	Used                 *int64 // of its MaxClicks
	Share                Share
	History              []HistoryEntry // newest first, at most MaxHistory
}

// RestoredLink is a link to create with what an import brings of it.
type RestoredLink struct {
	Link     NewLink
	Restored Restored // but for CreatedAt and Share
}
