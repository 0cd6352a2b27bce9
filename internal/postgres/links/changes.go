package links

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/postgres/dialect"
	"terse/internal/postgres/ranges"
)

// Channel is where nodes tell each other which codes changed: codes, separated by spaces.
const Channel = "terse_changes"

// Changes are what a transaction changes of links.
type Changes struct {
	tx       pgx.Tx
	dialect  *dialect.Dialect
	slot     int32 // of the owners' totals
	ordered  bool  // the planner keeps the order in which rows are locked
	owners   ranges.Changes
	tags     map[ranges.Tag]*tagChange
	toggles  ranges.Toggles
	untagged bool     // links lost tags
	clicked  []int64  // links that had clicks and are deleted
	changed  []string // codes that other nodes are to hear of
}

// New returns the changes of a transaction that has none yet. Totals of owners are kept in rows,
// of which a node uses one.
func New(tx pgx.Tx, d *dialect.Dialect, slot int32) *Changes {
	return &Changes{
		tx: tx, dialect: d, slot: slot, owners: ranges.Changes{},
		tags: map[ranges.Tag]*tagChange{}, toggles: ranges.Toggles{},
	}
}

// Finish is what a transaction ends with, before it is committed. Its totals are rows that many
// transactions need.
func (c *Changes) Finish(ctx context.Context) error {
	if err := c.notify(ctx); err != nil {
		return err
	}
	if err := c.countTags(ctx); err != nil {
		return err
	}
	if err := c.countLinks(ctx); err != nil {
		return err
	}
	return ranges.ForgetClicks(ctx, c.tx, c.dialect, c.clicked)
}

// maxNotified is how many codes fit into one notification of 8,000 bytes.
const maxNotified = 64

func (c *Changes) notify(ctx context.Context) error {
	if len(c.changed) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	for codes := range slices.Chunk(c.changed, maxNotified) {
		batch.Queue("SELECT pg_notify($1, $2)", Channel, strings.Join(codes, " "))
	}
	return c.tx.SendBatch(ctx, batch).Close()
}

// countLinks adds to the totals of owners, in one order.
func (c *Changes) countLinks(ctx context.Context) error {
	if len(c.owners) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	c.owners.Queue(batch, c.slot)
	totals := c.owners.Totals()
	for _, owner := range slices.Sorted(maps.Keys(totals)) {
		batch.Queue(`INSERT INTO owners (owner, slot, links) VALUES ($1, $2, $3)
			ON CONFLICT (owner, slot) DO UPDATE SET links = owners.links + excluded.links`,
			owner, c.slot, totals[owner])
	}
	return c.tx.SendBatch(ctx, batch).Close()
}

// countTags writes the spellings of tags and how many links have them. A tag without links is
// forgotten.
func (c *Changes) countTags(ctx context.Context) error {
	keys := slices.SortedFunc(maps.Keys(c.tags), ranges.Tag.Compare)
	var owners, tags, names []string
	var links []int64
	less := false
	for _, key := range keys {
		t := c.tags[key]
		if t.respelled {
			if err := c.respell(ctx, key, t.name); err != nil {
				return err
			}
		}
		if t.links == 0 {
			continue
		}
		owners, tags = append(owners, key.Owner), append(tags, key.Name)
		names, links = append(names, t.name), append(links, t.links)
		less = less || t.links < 0
	}
	if len(owners) == 0 {
		return c.toggles.Write(ctx, c.tx, c.untagged)
	}
	if err := c.addToTags(ctx, owners, tags, names, links); err != nil {
		return err
	}
	if less {
		if _, err := c.tx.Exec(ctx, `DELETE FROM tags AS t
			USING unnest($1::text[], $2::text[]) AS n(owner, tag)
			WHERE t.owner = n.owner AND t.tag = n.tag AND t.links <= 0`, owners, tags); err != nil {
			return err
		}
	}
	return c.toggles.Write(ctx, c.tx, c.untagged)
}

// addToTags adds to the totals of tags, in their order. Names that turn out to be others' were
// given by another transaction meanwhile.
func (c *Changes) addToTags(
	ctx context.Context, owners, tags, names []string, links []int64,
) error {
	rows, _ := c.tx.Query(ctx, `INSERT INTO tags (owner, tag, name, links)
		SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
		ON CONFLICT (owner, tag) DO UPDATE SET links = tags.links + excluded.links
		RETURNING owner, tag, name`, owners, tags, names, links)
	var key ranges.Tag
	var name string
	_, err := pgx.ForEachRow(rows, []any{&key.Owner, &key.Name, &name}, func() error {
		if t := c.tags[key]; t.links > 0 && t.name != name {
			return ErrConflict
		}
		return nil
	})
	return err
}

func (c *Changes) respell(ctx context.Context, key ranges.Tag, name string) error {
	_, err := c.tx.Exec(ctx, "UPDATE tags SET name = $3 WHERE owner = $1 AND tag = $2",
		key.Owner, key.Name, name)
	return err
}

// keepOrder has the planner lock rows in the order in which they are given.
func (c *Changes) keepOrder(ctx context.Context) error {
	if c.ordered {
		return nil
	}
	c.ordered = true
	return c.dialect.KeepOrder(ctx, c.tx)
}

// Link returns the link of a code.
func (c *Changes) Link(ctx context.Context, code terse.Code) (terse.Link, error) {
	return one(ctx, c.tx, "SELECT "+Columns+" FROM links AS l WHERE l.code = $1", code.String())
}

// urlNumber is one number for an owner, $1, and a URL, $2: what the index links_to_url has.
const urlNumber = "hashtextextended($2, hashtextextended($1, 0))"

// SelectNewestTo finds an owner's newest link to a URL that has not ended at the time $3.
const SelectNewestTo = "SELECT " + Columns + ` FROM links AS l
	LEFT JOIN link_states AS s ON s.code = l.code AND s.link_id = l.id
	WHERE hashtextextended(l.url, hashtextextended(l.created_by, 0)) = ` + urlNumber + `
		AND l.open_until > $3 AND l.created_by = $1 AND l.url = $2
		AND (s.code IS NULL OR NOT (s.disabled OR s.used_up OR s.expires_at <= $3))
	ORDER BY l.created_at DESC, l.id DESC LIMIT 1`

// NewestTo returns an owner's newest link to a URL that has not ended. No other transaction gets
// past this until the one at hand ends.
func (c *Changes) NewestTo(ctx context.Context, owner string, url terse.URL, now time.Time) (
	terse.Link, error,
) {
	_, err := c.tx.Exec(ctx, "SELECT pg_advisory_xact_lock("+urlNumber+")", owner, string(url))
	if err == nil {
		err = c.keepOrder(ctx) // where one URL has many links, the planner would read the table
	}
	if err != nil {
		return terse.Link{}, err
	}
	return one(ctx, c.tx, SelectNewestTo, owner, string(url), now.UnixMicro())
}

// openUntil returns from when on a link has ended, whatever is used of it.
func (d *draft) openUntil() int64 {
	s := d.state()
	if s.disabled {
		return math.MinInt64
	}
	return s.expiresAt
}
