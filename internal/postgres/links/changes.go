package links

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
)

// Channel is the channel of notifications about changed links. A payload is a list of addresses,
// one a line.
const Channel = "terse_changes"

// Changes collects the changes of links in a transaction.
type Changes struct {
	tx      pgx.Tx
	naming  Naming
	slot    int32    // of the owners' ranges
	changed []string // addresses for the notification of other nodes
	tags    map[ownedTag]*tagChange
	toggled map[setRange]*rangeBits
	left    bool // a link leaves a set
	ranges  map[ownedRange]*added
}

// New returns the empty Changes of a transaction. Each range of an owner has a row for each slot,
// and a node writes only those of its slot.
func New(tx pgx.Tx, naming Naming, slot int32) *Changes {
	return &Changes{
		tx: tx, naming: naming, slot: slot, tags: map[ownedTag]*tagChange{},
		toggled: map[setRange]*rangeBits{}, ranges: map[ownedRange]*added{},
	}
}

// Finish writes the rows that many transactions write. Call it just before the commit, so that the
// rows are locked only briefly.
func (c *Changes) Finish(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		c.notify, c.countTags, c.writeSets, c.writeRanges,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// maxNotified is how many addresses fit into one notification, which has less than 8,000 bytes.
const maxNotified = 7900 / (terse.MaxAlias + 1)

func (c *Changes) notify(ctx context.Context) error {
	if len(c.changed) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	for addresses := range slices.Chunk(c.changed, maxNotified) {
		batch.Queue("SELECT pg_notify($1, $2)", Channel, strings.Join(addresses, "\n"))
	}
	return c.tx.SendBatch(ctx, batch).Close()
}

// Link returns the link of a code.
func (c *Changes) Link(ctx context.Context, code terse.Code) (terse.Link, error) {
	key, _ := c.naming.keys()
	return one(ctx, c.tx, "SELECT "+Columns+" FROM links AS l WHERE "+key+" = $1",
		c.naming.Key(code.String()))
}

// LinkAll returns the links of codes. For each code without one, refused holds terse.ErrNotFound.
func (c *Changes) LinkAll(ctx context.Context, codes []terse.Code) (
	found []terse.Link, refused []error, err error,
) {
	keys := make([]string, len(codes))
	for i, code := range codes {
		keys[i] = c.naming.Key(code.String())
	}
	key, _ := c.naming.keys()
	all, err := Read(ctx, c.tx, "SELECT "+Columns+" FROM links AS l WHERE "+key+" = ANY($1)", keys)
	byKey := make(map[string]terse.Link, len(all))
	for _, link := range all {
		byKey[c.naming.Key(link.Code.String())] = link
	}
	found, refused = make([]terse.Link, len(codes)), make([]error, len(codes))
	for i := range codes {
		if found[i] = byKey[keys[i]]; found[i].ID == 0 {
			refused[i] = terse.ErrNotFound
		}
	}
	return found, refused, err
}

// urlNumber is the hash of an owner, $1, and a URL, $2, in the index links_to_url.
const urlNumber = "hashtextextended($2, hashtextextended($1, 0))"

// SelectNewestTo finds an owner's newest link to a URL that has not ended at the time $3.
const SelectNewestTo = "SELECT " + Columns + ` FROM links AS l
	WHERE hashtextextended(l.url, hashtextextended(l.created_by, 0)) = ` + urlNumber + `
		AND l.open_until > $3 AND l.created_by = $1 AND l.url = $2
	ORDER BY l.created_at DESC, l.id DESC LIMIT 1`

// NewestTo returns an owner's newest link to a URL that has not ended. Until its transaction ends,
// calls for the same owner and URL in other transactions wait.
func (c *Changes) NewestTo(ctx context.Context, owner string, url terse.URL, now time.Time) (
	terse.Link, error,
) {
	_, err := c.tx.Exec(ctx, "SELECT pg_advisory_xact_lock("+urlNumber+")", owner, string(url))
	if err != nil {
		return terse.Link{}, err
	}
	return one(ctx, c.tx, SelectNewestTo, owner, string(url), now.UnixMicro())
}
