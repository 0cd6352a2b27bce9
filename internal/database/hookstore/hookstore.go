// Package hookstore keeps webhooks and their deliveries in the tables of a database: the same
// statements on both. A store gives it transactions, and decides nothing.
//
// # The way of an event
//
// A change of a link appends its event to the outbox, in its own transaction (package follow).
// Report moves it into deliveries, one for each webhook that matches, with the payload: from then
// on the link may change or be deleted. Take hands due deliveries to a sender for a while, and
// Finish stores what came of it. A delivery of a link waits until those before it, of the same link
// and webhook, are finished.
//
// # The way of a click
//
// The transaction that counts a batch of clicks also stores them here, in blocks by owner, while
// any webhook reports clicks (clickstore.Told). A webhook has a place among these rows.
// ReportClicks makes a batch of what is behind it, and moves the place in the same transaction; it
// deletes what all places have passed. IDs of the rows grow in the order of commits, because one
// transaction counts at a time. A batch waits until the one before has been tried, so that a slow
// receiver gets few large ones.
//
// # Several nodes
//
// One transaction reports at a time, and one takes, because the store holds a lock for it. An event
// leaves the outbox in the transaction that makes its deliveries, so it does not matter that
// sequences are committed out of order. Rows of webhooks are locked before those of their
// deliveries, so that what is disabled gets nothing that waits.
//
// # Lost answers
//
// Each function may be called again if the answer to its COMMIT was lost: what has been done is
// recognised by its ID, version or time.
package hookstore

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"terse"
	"terse/internal/link/follow"
)

// Tx is a transaction, or a snapshot for what only reads. Statements have $1 and so on for their
// arguments, which are int64, string or []byte.
type Tx interface {
	// Run runs a statement, and returns how many rows it changed.
	Run(sql string, args ...any) (int64, error)
	// Each calls f for each row of a query. f must not use the Tx.
	Each(sql string, f func(Row) error, args ...any) error
	// Note notes something for the audit.
	Note(by terse.Caller, what terse.Noted) error
	// Heard tells that other events may be heard from now on, see the function.
	Heard()
	// Lost tells how many deliveries have failed because nothing is sent to their webhooks.
	Lost(deliveries int64)
	// Lock returns what locks the rows of a table in a query, "" where there is one writer.
	Lock(table string) string
}

// Row is a row of a query. Columns are numbered from 0 on.
type Row interface {
	Int(column int) int64
	Text(column int) string
	Bytes(column int) []byte // a copy
}

// number returns the first column of a query's row, 0 without one.
func number(tx Tx, sql string, args ...any) (n int64, err error) {
	err = tx.Each(sql, func(row Row) error {
		n = row.Int(0)
		return nil
	}, args...)
	return n, err
}

// activeHooks selects from webhooks that get events: neither they nor who made them are disabled.
const activeHooks = " FROM webhooks AS w JOIN users AS u ON u.identity = w.created_by " +
	"WHERE w.disabled = '' AND NOT u.disabled"

// goesOn is true of an active webhook, also of one that was waited for: then only its own row is as
// it is now, and that of who made it may be as it was.
const goesOn = "w.stopped_at <= w.since"

// Heard returns the kinds of events that active webhooks report.
func Heard(tx Tx) (heard follow.Events, err error) {
	err = tx.Each("SELECT DISTINCT w.events"+activeHooks, func(row Row) error {
		heard |= follow.EventsOf(decodeEvents(row.Text(0))...)
		return nil
	})
	return heard, err
}

// timeAt returns the time of a column, whose zero stands for none.
func timeAt(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

// microsAt returns a time as columns have it.
func microsAt(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func encodeEvents(events []terse.EventType) string {
	names := make([]string, len(events))
	for i, event := range events {
		names[i] = string(event)
	}
	return strings.Join(names, " ")
}

func decodeEvents(text string) (events []terse.EventType) {
	for name := range strings.FieldsSeq(text) {
		events = append(events, terse.EventType(name))
	}
	return events
}

// encodeTags returns tags as JSON, "" for none.
func encodeTags(tags []string) (string, error) {
	if len(tags) == 0 {
		return "", nil
	}
	text, err := json.Marshal(tags)
	return string(text), err
}

func decodeTags(text string) (tags []string, err error) {
	if text == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(text), &tags); err != nil {
		return nil, fmt.Errorf("tags of a webhook: %w", err)
	}
	return tags, nil
}
