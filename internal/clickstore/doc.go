// Package clickstore counts clicks, and answers from them, in rows of a database. It decides
// everything about clicks, once for all databases: where a click lies, when it moves, what a
// deletion, a clearing or the retention leaves, and how an answer is put together. A store gives it
// a transaction as Rows and decides nothing.
//
// # Words
//
// Each word has one meaning, here and in docs/format.
//
//   - bucket: 256 links whose IDs are neighbours. A region is 16 buckets.
//   - link of an owner: all links of an owner, counted together as if they were one more link. It
//     has an ID of its own (OwnerID.Link) and a region to itself. Its clicks say which link they
//     are of.
//   - block: up to 4,096 clicks in one row, sorted by time. Every click is in a block until it is
//     dropped.
//   - level 0: blocks of a region. They are called runs. New clicks go here: a batch that is spread
//     over many links writes few rows that way, and rewrites none.
//   - level 1: blocks of a bucket, also called runs.
//   - level 2: blocks of one link.
//   - compact: to move clicks one level down. Nothing else moves clicks.
//   - counts: how many clicks of a link on a day, or in a month, have each value of each dimension.
//   - counted day: a day of a link that has counts. They count the clicks in the day's blocks,
//     which are blocks of level 2 that have clicks of no other day.
//   - loose block: a block of level 2 with clicks of any days that are not counted.
//   - drop: what the retention does to clicks. They leave their blocks; totals and counts keep
//     them. An untracked click is dropped when it is counted.
//   - dropped day: a day of a link of which clicks were dropped. It has counts of these.
//   - totals: how many clicks each link of a bucket has, how many of them are of people, and when
//     the last one was. No compacting and no dropping changes them.
//   - first: a click that is the first of its visitor on its link and UTC day.
//   - era: how often a link was cleared. An owner's clicks carry the era that their link had, and
//     those of an earlier era count for the owner only.
//   - tombstone: a row that says that a link was deleted, or got another code or owner. The process
//     that changes a link writes it, and the one that counts clicks reads it.
//
// Other verbs: links and rows are deleted, caches forget, and clicks of no link are discarded.
//
// # The way of a click
//
// A redirect writes it into the journal. Package ingest reads batches of the journal and gives them
// to a store, which begins a transaction and calls Counter.Add. From there on a click only moves
// down, within a transaction that counts others. (position.go refuses a batch that was counted
// before.)
//
//  1. add.go looks up the link (linkcache.go, changes.go) and whether the visitor is new
//     (visitors.go), and adds the click to the totals and to level 0, and for the link of its owner
//     to level 1. It drops an untracked click at once.
//  2. levels.go: where a level is above its bound, compact.go moves a region's runs to level 1, and
//     the clicks of a bucket's busiest links to level 2. compactplan.go chooses these, and
//     consts.go has the bounds.
//  3. days.go: a day with many clicks gets counts and blocks of its own. Other clicks stay in loose
//     blocks. When a month is over, the counts of its days are added up once more, for answers over
//     years.
//  4. drop.go: the retention drops clicks from whatever level they are in. Any other rule about
//     which clicks go, or what stays of them, belongs there.
//  5. clear.go deletes all rows of a link that was cleared or deleted.
//
// Answers read all levels: series.go counts by time and value, seriesplan.go finds which counts can
// stand for their clicks, seriesother.go bounds the values of a day, bylink.go counts by link, and
// events.go lists single clicks.
//
// # Invariants
//
//   - A click is in one block, or in the counts of a dropped day. It is in its link's totals and in
//     those of its owner.
//   - A day's counts are those of the clicks in its blocks, values included: what does not fit the
//     bounds of a day is OtherValue in both.
//   - An answer about a link reads a bounded number of clicks one by one: the runs of its region
//     and bucket, its loose blocks, and the days at the edges of its range.
//   - Clicks of one instant are ordered by their content: link, hash of the values, values. So a
//     place among them stays where it is when clicks move.
//   - A link's clicks are those that have its ID and its code, or a code that it had.
//
// The package knows no SQL and no transactions, takes no locks, and starts no goroutines.
package clickstore
