// Package clickstore counts clicks, and answers from them, in rows of a database. Every decision
// about clicks is made here, once for all databases: where a click lies, when it moves, what a
// deletion, a clearing or the retention leaves, and how an answer is put together. A store gives it
// a transaction as Rows and decides nothing.
//
// # Where a click is
//
// A bucket is 256 links whose IDs are neighbours, a region 16 buckets. The links of an owner are
// counted together, too, as one more link with an ID of its own (OwnerID.Link), which has a region
// to itself; the clicks in its blocks say of which link they are.
//
//   - Level 0: runs of a region. A run is a block of new clicks, sorted by time. A batch that is
//     spread over many links writes few rows that way, and none of them again.
//   - Level 1: runs of a bucket.
//   - Level 2: blocks of a link. Those of a counted day have that day's clicks only, and the day
//     has counts: its clicks by each value of each dimension. Loose blocks span days without
//     counts.
//
// Beside these, a bucket's totals have for each link its clicks, those of people, and the time of
// the last one.
//
// # The way of a click
//
// A redirect writes it into the journal. Package ingest reads batches of the journal and gives them
// to a store, which begins a transaction and calls Counter.Add. From there on a click only moves
// down, within a transaction that counts others:
//
//  1. add.go looks up the link (links.go, changes.go) and whether the visitor is new (visitors.go),
//     and adds the click to the totals and to level 0, and for all links of the owner to level 1.
//     An untracked click goes to the dropped ones at once.
//  2. runs.go: where a level is above its bound, compact.go moves a region's runs to level 1, and
//     the clicks of a bucket's busiest links to level 2. plan.go says which, and consts.go has the
//     bounds. Nothing else moves clicks.
//  3. days.go: a day of many clicks gets counts and blocks of its own, others stay in loose blocks.
//     When a month is over, the counts of its days are added up once more, for answers over years.
//  4. drop.go: the retention takes clicks out of whatever level they are in. They stay in the
//     totals, and in the counts of dropped clicks by day. What else decides which clicks go, or
//     what stays of them, belongs there.
//  5. clear.go: a link that is cleared or deleted loses all of its rows.
//
// Answers read all levels: series.go counts by time and value, taken.go finds which counts answer
// for their clicks, top.go counts by link, and events.go lists single clicks.
//
// # Invariants
//
//   - A click is in one block, or in the counts of a dropped day. It is in its link's totals and in
//     those of its owner.
//   - A day's counts are those of the clicks in its blocks, values included: what does not fit the
//     bounds of a day is OtherValue in both.
//   - An answer about a link reads a bounded number of clicks one by one: the runs of its region
//     and bucket, its loose blocks, and the days at the edges of its range.
//   - Clicks of one instant have no order but their content's: link, hash of the values, values. So
//     a place among them stays where it is when clicks move.
//   - A link's clicks are those that have its ID and its code, or a code that it had.
//
// The package knows no SQL and no transactions, takes no locks, and starts no goroutines.
package clickstore
