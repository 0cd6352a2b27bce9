package links

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/database/postgres/rows"
	"terse/internal/link/follow"
)

// Channel is the channel of notifications about changed links. A payload is a list of addresses,
// one a line.
const Channel = "terse_changes"

// Changes collects the changes of links in a transaction.
type Changes struct {
	tx      pgx.Tx
	naming  Naming
	slot    int32 // of the owners' ranges
	rule    follow.Rule
	changed []string // addresses for the notification of other nodes
	deleted []terse.LinkRef
	until   int64        // when the next of the links changes its status
	added   []follow.Row // to tables that only grow
	tags    map[ownedTag]*tagChange
	toggled map[setRange]*rangeBits
	left    bool // a link leaves a set
	ranges  map[ownedRange]*added
}

// Begin returns the empty Changes of a transaction. Each range of an owner has a row for each slot,
// and a node writes only those of its slot. rule says what follows from a change.
func Begin(tx pgx.Tx, naming Naming, slot int32, rule follow.Rule) *Changes {
	return &Changes{
		tx: tx, naming: naming, slot: slot, rule: rule, until: math.MaxInt64,
		tags:    map[ownedTag]*tagChange{},
		toggled: map[setRange]*rangeBits{}, ranges: map[ownedRange]*added{},
	}
}

// Tx returns the transaction, for changes of what is no link.
func (c *Changes) Tx() pgx.Tx { return c.tx }

// Until returns the least time at which one of the changed links gets another status, in
// microseconds since 1970.
func (c *Changes) Until() int64 { return c.until }

// Finish writes the rows that many transactions write. Call it just before the commit, so that the
// rows are locked only briefly.
func (c *Changes) Finish(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		c.notify, c.countTags, c.writeSets, c.writeRanges, c.append,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// collect takes what follows from a change of a link, whose row is locked or new: it queues the
// link's own rows, and keeps for Finish those that many transactions write.
func (c *Changes) collect(batch *pgx.Batch, change follow.Change, e follow.Effects) {
	before, after := change.Before, change.After
	if before != nil {
		for _, set := range e.Left {
			c.toggle(before.CreatedBy, set, before.ID, -1)
		}
	}
	if after != nil {
		for _, set := range e.Joined {
			c.toggle(after.CreatedBy, set, after.ID, 1)
		}
		for _, name := range after.Set.Tags {
			c.tag(after.CreatedBy, terse.FoldTag(name)).found = name
		}
		c.until = min(c.until, e.Until)
	}
	c.count(before, after)
	if e.Former {
		batch.Queue("INSERT INTO former_codes (link_id, code) VALUES ($1, $2) "+
			"ON CONFLICT DO NOTHING", int64(before.ID), before.Code.String())
	}
	switch e.Tombstone {
	case follow.Deleted:
		c.deleted = append(c.deleted, before.Ref())
	case follow.Moved:
		batch.Queue("INSERT INTO tombstones (link_id, code, deleted, applied) "+
			"VALUES ($1, $2, false, true)", int64(before.ID), before.Code.String())
	}
	if e.History != nil {
		putHistory(batch, after.Ref(), e.History)
		boundHistory(batch, after.Ref())
	}
	c.changed = append(c.changed, e.Forget...)
	c.added = append(c.added, e.Rows...)
}

// DomainsChanged tells other nodes that domains have changed.
func (c *Changes) DomainsChanged() { c.changed = append(c.changed, terse.DomainsKey) }

// Note takes what follows from what is no change of a link.
func (c *Changes) Note(by terse.Caller, what terse.Noted) error {
	e, err := c.rule(follow.Change{Noted: &what, By: by, At: time.Now()})
	c.added = append(c.added, e.Rows...)
	return err
}

// onceLock is the advisory lock of transactions that append a row unless there is an equal one.
// They take it last, so they hold it for their commit only.
const onceLock int64 = 0x7465727365_03

// append writes the tombstones of deleted links, and the rows that were collected.
func (c *Changes) append(ctx context.Context) error {
	batch := &pgx.Batch{}
	if len(c.deleted) > 0 {
		rows.Bury(batch, c.deleted)
	}
	if err := queueRows(batch, c.added); err != nil {
		return err
	}
	if batch.Len() == 0 {
		return nil
	}
	return c.tx.SendBatch(ctx, batch).Close()
}

// queueRows queues the inserts of rows: one statement for all plain rows of a table, because a
// request may delete a thousand links.
func queueRows(batch *pgx.Batch, all []follow.Row) error {
	plain := map[string][]follow.Row{} // by table
	var tables []string
	for _, row := range all {
		if row.Unless == "" {
			if len(plain[row.Into]) == 0 {
				tables = append(tables, row.Into)
			}
			plain[row.Into] = append(plain[row.Into], row)
			continue
		}
		places := make([]string, len(row.Values))
		for i := range places {
			places[i] = fmt.Sprintf("$%d", i+1)
		}
		// Until the commit, others that may append an equal row wait. What commits meanwhile is
		// seen, because each statement has a snapshot of its own.
		batch.Queue("SELECT pg_advisory_xact_lock($1)", onceLock)
		batch.Queue("INSERT INTO "+row.Into+" SELECT "+strings.Join(places, ", ")+
			" WHERE NOT EXISTS ("+row.Unless+")", row.Values...)
	}
	for _, table := range tables {
		places, columns, err := byColumn(plain[table])
		if err != nil {
			return fmt.Errorf("rows for %s: %w", table, err)
		}
		batch.Queue("INSERT INTO "+table+" SELECT * FROM unnest("+places+")", columns...)
	}
	return nil
}

// byColumn returns the values of rows as an array for each column.
func byColumn(rows []follow.Row) (places string, columns []any, err error) {
	for i, first := range rows[0].Values {
		switch first.(type) {
		case int64:
			places += fmt.Sprintf(", $%d::bigint[]", i+1)
			columns = append(columns, column[int64](rows, i))
		case string:
			places += fmt.Sprintf(", $%d::text[]", i+1)
			columns = append(columns, column[string](rows, i))
		default:
			return "", nil, fmt.Errorf("a value has the type %T", first)
		}
	}
	return strings.TrimPrefix(places, ", "), columns, nil
}

func column[T any](rows []follow.Row, i int) []T {
	values := make([]T, len(rows))
	for k, row := range rows {
		values[k], _ = row.Values[i].(T) // rows of a table are alike
	}
	return values
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

// SelectNewestTo finds an owner's newest link to a URL, with a key from $5 to before $6, that has
// not ended at the time $3, and is not archived unless $4 allows it.
const SelectNewestTo = "SELECT " + Columns + ` FROM links AS l
	WHERE hashtextextended(l.url, hashtextextended(l.created_by, 0)) = ` + urlNumber + `
		AND l.open_until > $3 AND l.archived <= $4 AND l.created_by = $1 AND l.url = $2
		AND l.code >= $5 AND l.code < $6
	ORDER BY l.created_at DESC, l.id DESC LIMIT 1`

// NewestTo is terse.Tx.NewestTo. Until its transaction ends, calls for the same owner and URL in
// other transactions wait.
func (c *Changes) NewestTo(
	ctx context.Context, owner string, on terse.Domain, url terse.URL, now time.Time,
) (terse.Link, error) {
	_, err := c.tx.Exec(ctx, "SELECT pg_advisory_xact_lock("+urlNumber+")", owner, string(url))
	if err != nil {
		return terse.Link{}, err
	}
	from, to := on.KeyRange()
	return one(ctx, c.tx, SelectNewestTo, owner, string(url), now.UnixMicro(), now.IsZero(), from,
		to)
}
