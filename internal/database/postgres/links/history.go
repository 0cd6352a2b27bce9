package links

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/link/follow"
)

// History returns the changes of a link, the newest first.
func History(ctx context.Context, q Querier, link terse.LinkRef) ([]terse.HistoryEntry, error) {
	rows, _ := q.Query(ctx, `SELECT c.at, c.changed_by, c.request_id, c.fields
		FROM links AS l LEFT JOIN link_changes AS c ON c.code = l.code AND c.link_id = l.id
		WHERE l.code = $1 AND l.id = $2 ORDER BY c.at DESC`, link.Code.String(), int64(link.ID))
	found := false
	history := []terse.HistoryEntry{}
	var at *int64
	var by, request, fields *string
	_, err := pgx.ForEachRow(rows, []any{&at, &by, &request, &fields}, func() error {
		if found = true; at == nil {
			return nil
		}
		entry, err := historyEntry(*at, *by, *request, *fields)
		history = append(history, entry)
		return err
	})
	if err == nil && !found {
		return nil, terse.ErrNotFound
	}
	return history, err
}

// historyEntry returns the change in a row of link_changes.
func historyEntry(at int64, by, request, fields string) (terse.HistoryEntry, error) {
	entry := terse.HistoryEntry{Time: time.UnixMicro(at).UTC(), By: by, RequestID: request}
	if err := decodeFields(fields, &entry.Fields); err != nil {
		return entry, fmt.Errorf("decode a change: %w", err)
	}
	return entry, nil
}

// putHistory queues the insert of a change.
func putHistory(batch *pgx.Batch, link terse.LinkRef, entry *follow.History) {
	batch.Queue(`INSERT INTO link_changes (code, link_id, at, changed_by, request_id, fields)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (code, link_id, at) DO UPDATE SET
			changed_by = excluded.changed_by, request_id = excluded.request_id,
			fields = excluded.fields`,
		link.Code.String(), int64(link.ID), entry.Time.UnixMicro(), entry.By, entry.RequestID,
		string(entry.Text))
}

// boundHistory queues the delete of changes beyond terse.MaxHistory.
func boundHistory(batch *pgx.Batch, link terse.LinkRef) {
	batch.Queue(`DELETE FROM link_changes WHERE code = $1 AND link_id = $2 AND at <= (
			SELECT at FROM link_changes WHERE code = $1 AND link_id = $2
			ORDER BY at DESC LIMIT 1 OFFSET $3)`, link.Code.String(), int64(link.ID),
		terse.MaxHistory)
}

// decodeFields reads the fields of a change. A null stands for a value that is not set.
func decodeFields(text string, fields *terse.FieldChanges) error {
	if err := json.Unmarshal([]byte(text), fields); err != nil {
		return err
	}
	for name, f := range *fields {
		for _, value := range []*json.RawMessage{&f.Old, &f.New} {
			if string(*value) == "null" {
				*value = nil
			}
		}
		(*fields)[name] = f
	}
	return nil
}

// selectAllTags finds the tags of all owners, each in the spelling that most of its links have.
const selectAllTags = `SELECT name, links FROM (
		SELECT DISTINCT tag, first_value(name) OVER (PARTITION BY tag
			ORDER BY links DESC, name COLLATE "C") AS name,
			(sum(links) OVER (PARTITION BY tag))::bigint AS links
		FROM (SELECT tag, name, sum(links) AS links FROM tags GROUP BY tag, name) AS spelled
	) AS summed ORDER BY tag`

// Tags returns the tags of an owner, or of all, sorted by their folded code points.
func Tags(ctx context.Context, q Querier, owner string) ([]terse.Tag, error) {
	sql, args := "SELECT name, links FROM tags WHERE owner = $1 ORDER BY tag", []any{owner}
	if owner == terse.AllOwners {
		sql, args = selectAllTags, nil
	}
	rows, _ := q.Query(ctx, sql, args...)
	return pgx.CollectRows(rows, pgx.RowToStructByPos[terse.Tag])
}
