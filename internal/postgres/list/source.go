package list

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/postgres/links"
	"terse/internal/postgres/stats"
)

// source is where a list comes from.
type source struct {
	from   string // tables: the first, l or d, has the order of time
	where  string
	id, at string // columns of the first
	args   []any
}

// arg adds a parameter and returns its name.
func (s *source) arg(value any) string {
	s.args = append(s.args, value)
	return fmt.Sprintf("$%d", len(s.args))
}

// notActive stands for all states but terse.Active.
const notActive terse.Status = "not active"

// choose finds out what a filter says of the owner's links, and where the list comes from.
func (l *listing) choose() (err error) {
	if l.Filter.IsZero() && !l.byClicks() {
		l.source = l.sourceOf(l.Filter, nil)
		return nil
	}
	if err := l.set(settings); err != nil {
		return err
	}
	if err := l.readTags(); err != nil {
		return err
	}
	l.source = l.sourceOf(l.Filter, l.tags)
	return nil
}

// readTags finds the tags of the filter, the rarest first.
func (l *listing) readTags() (err error) {
	if len(l.Filter.Tags) == 0 {
		return nil
	}
	var tags []string
	for _, tag := range l.Filter.Tags {
		tags = append(tags, terse.FoldTag(tag))
	}
	slices.Sort(tags)
	tags = slices.Compact(tags)
	rows, _ := l.tx.Query(l.ctx,
		"SELECT tag, links FROM tags WHERE owner = $1 AND tag = ANY($2)", l.Owner, tags)
	l.tags, err = pgx.CollectRows(rows, pgx.RowToStructByPos[terse.Tag])
	slices.SortFunc(l.tags, func(a, b terse.Tag) int { return cmp.Compare(a.Links, b.Links) })
	l.none = len(l.tags) < len(tags)
	return err
}

// sourceOf returns where the links with some tags come from that a filter lets through.
func (l *listing) sourceOf(f terse.LinkFilter, tags []terse.Tag) source {
	s := source{args: []any{l.Owner}}
	switch {
	case len(tags) > 0:
		s.from, s.id, s.at = "link_tags AS d", "d.link_id", "d.created_at"
		s.where = "d.owner = $1 AND d.tag = " + s.arg(tags[0].Name)
		for i, t := range tags[1:] {
			s.join("JOIN link_tags", fmt.Sprint("t", i))
			s.from += fmt.Sprintf(" AND t%d.owner = $1 AND t%[1]d.tag = %[2]s "+
				"AND t%[1]d.created_at = d.created_at", i, s.arg(t.Name))
		}
		s.addState(f, "d")
	case f.Status != "" && f.Status != terse.Active:
		s.from, s.id, s.at = "link_states AS d", "d.link_id", "d.created_at"
		s.where = "d.owner = $1"
		s.addState(f, "d")
	default:
		s.from, s.id, s.at = "links AS l", "l.id", "l.created_at"
		s.where = "l.created_by = $1"
		if f.Status != "" {
			s.join("LEFT JOIN link_states", "s")
			s.addState(f, "s")
		}
	}
	s.addRange(f)
	return s
}

// byID returns the source of links that are looked up: what a set of them does not tell is asked
// for. The index of their owner's links must never seem as good as that of their IDs.
func (l *listing) byID(ids []int64) source {
	f := terse.LinkFilter{Now: l.Filter.Now}
	if l.Filter.Status == terse.Active {
		f.Status = terse.Active
	}
	s := l.sourceOf(f, nil)
	s.where = strings.Replace(s.where, "l.created_by", "l.created_by || ''", 1) +
		" AND l.id = ANY(" + s.arg(ids) + ")"
	return s
}

// join adds a table whose rows belong to links.
func (s *source) join(table, as string) {
	s.from += fmt.Sprintf(" %s AS %s ON %[2]s.code = %[3]s.code AND %[2]s.link_id = %[4]s",
		table, as, s.at[:1], s.id)
}

// addState lets through what a table says of a link's state. It says nothing of plain links.
func (s *source) addState(f terse.LinkFilter, table string) {
	switch f.Status {
	case "":
	case terse.Active:
		s.where += fmt.Sprintf(" AND (%s.expires_at IS NULL OR %s)", table,
			s.is(f.Status, table, f.Now))
	default:
		s.where += fmt.Sprintf(" AND %s.expires_at IS NOT NULL AND %s", table,
			s.is(f.Status, table, f.Now))
	}
}

func (s *source) addRange(f terse.LinkFilter) {
	if !f.CreatedAfter.IsZero() {
		s.where += " AND " + s.at + " >= " + s.arg(f.CreatedAfter.UnixMicro())
	}
	if !f.CreatedBefore.IsZero() {
		s.where += " AND " + s.at + " <= " + s.arg(f.CreatedBefore.UnixMicro())
	}
}

// conditions of rows of link_states for each state at a time, see terse.Status.
var conditions = map[terse.Status]string{
	terse.Active:    "(" + active + ")",
	notActive:       "NOT (" + active + ")",
	terse.Disabled:  "ROW.disabled",
	terse.Expired:   "(NOT ROW.disabled AND ROW.expires_at <= NOW)",
	terse.Scheduled: "(NOT ROW.disabled AND ROW.expires_at > NOW AND ROW.starts_at > NOW)",
	terse.UsedUp: `(NOT ROW.disabled AND ROW.expires_at > NOW AND ROW.starts_at <= NOW
		AND ROW.used_up)`,
}

const active = `NOT ROW.disabled AND ROW.expires_at > NOW AND ROW.starts_at <= NOW
	AND NOT ROW.used_up`

// is returns the condition that a row of link_states has a state at a time.
func (s *source) is(status terse.Status, row string, now time.Time) string {
	sql := conditions[status]
	if strings.Contains(sql, "NOW") {
		sql = strings.ReplaceAll(sql, "NOW", s.arg(now.UnixMicro())+"::bigint")
	}
	return cmp.Or(strings.ReplaceAll(sql, "ROW", row), "false")
}

// settings have statements read the first table by its index and look the others up, whatever the
// planner knows of them. Plans depend on the values, and are used once. inOrder has the first be
// read in the order of its index, and joined lets large tables be joined at once.
const (
	settings = `SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL jit = off;
		SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
		SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
		SET LOCAL join_collapse_limit = 1`
	inOrder = "SET LOCAL enable_sort = off"
	joined  = `SET LOCAL enable_seqscan TO DEFAULT; SET LOCAL enable_bitmapscan TO DEFAULT;
		SET LOCAL enable_hashjoin TO DEFAULT; SET LOCAL enable_mergejoin TO DEFAULT;
		SET LOCAL join_collapse_limit TO DEFAULT`
)

func (l *listing) set(settings string) error {
	_, err := l.tx.Exec(l.ctx, settings, pgx.QueryExecModeSimpleProtocol)
	return err
}

// byTime is the query for the links behind a mark.
func (s *source) byTime(order terse.LinkOrder, after terse.LinkMark, limit int, offset int64) (
	sql string, args []any,
) {
	q := *s
	q.args = slices.Clone(s.args)
	less, down := "<", " DESC"
	if order == terse.OldestFirst {
		less, down = ">", ""
	}
	rest := " FROM " + q.from + " WHERE " + q.where +
		fmt.Sprintf(" AND (%s, %s) %s (%s, %s)", q.at, q.id, less, q.arg(after.Key),
			q.arg(int64(after.ID))) +
		fmt.Sprintf(" ORDER BY %s%s, %s%s LIMIT %s OFFSET %s", q.at, down, q.id, down,
			q.arg(limit), q.arg(offset))
	if q.at == "l.created_at" {
		return "SELECT " + links.Columns + rest, q.args
	}
	return "SELECT " + links.Columns + " FROM (SELECT d.code, d.link_id, d.created_at" + rest +
		`) AS p JOIN links AS l ON l.code = p.code AND l.id = p.link_id
		ORDER BY p.created_at` + down + ", p.link_id" + down, q.args
}

// byClicksWithin is byClicks for clicks in a range. Links without any come last.
func (s *source) byClicksWithin(c *stats.Within, after terse.LinkMark, limit int) (
	sql string, args []any,
) {
	q := *s
	q.args = slices.Clone(s.args)
	q.join("JOIN link_clicks", "c")
	q.from += fmt.Sprintf(` LEFT JOIN unnest(%s::text[], %s::bigint[], %s::integer[], %s::bigint[])
			AS n(code, link_id, era, clicks)
			ON n.code = c.code AND n.link_id = c.link_id AND n.era = c.era`,
		q.arg(c.Codes), q.arg(c.IDs), q.arg(c.Eras), q.arg(c.Clicks))
	return fmt.Sprintf(`SELECT p.link_id, p.clicks, %s FROM (
			SELECT c.code, c.link_id, coalesce(n.clicks, 0) AS clicks FROM %s
			WHERE %s AND (coalesce(n.clicks, 0), c.link_id) < (%s, %s)
			ORDER BY coalesce(n.clicks, 0) DESC, c.link_id DESC LIMIT %s
		) AS p JOIN links AS l ON l.code = p.code AND l.id = p.link_id
		ORDER BY p.clicks DESC, p.link_id DESC`, links.Columns, q.from, q.where, q.arg(after.Key),
		q.arg(int64(after.ID)), q.arg(limit)), q.args
}
