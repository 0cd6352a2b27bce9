// Package clickstore counts clicks, and answers from them, in rows of a database. It makes every
// decision about clicks, once for all databases: where a click lies, when it moves, what remains
// after a deletion, a clearing or the retention, and how an answer is put together. A Store is what
// the rest of the program sees of it: terse.Clicks, in a Database, which gives it transactions and
// snapshots with Rows, and decides nothing.
//
// # Words
//
// Each word has one meaning, here and in docs/format.
//
//   - bucket: 256 links whose IDs are neighbours. A region is 16 buckets.
//   - link of an owner: all links of an owner, counted together as if they were one more link. It
//     has an ID of its own (OwnerID.Link) and a region to itself. Each of its clicks names the link
//     that was clicked.
//   - others: one more owner, with the name terse.AllOwners. An owner with a higher number than the
//     others' is joined to them: its clicks count for the others, too. So all clicks of all owners
//     are those of the owners up to the others. These are terse.Identity and the others, and in a
//     database of an earlier version any owners that it has.
//   - block: up to 4,096 clicks in one row, sorted by time. A click stays in a block until it is
//     dropped. It may stand for a number of clicks that an import found equal in time, link and
//     values. Bounds of blocks, levels and transactions count clicks of blocks; sums, totals and
//     answers count the clicks for which they stand.
//   - level 0: blocks of a region, called runs. New clicks go here: even a batch spread over many
//     links then writes few rows, and rewrites none.
//   - level 1: blocks of a bucket, also called runs.
//   - level 2: blocks of one link.
//   - compact: to move clicks one level down. Nothing else moves clicks.
//   - counts: for a link and a day or month, the number of clicks with each value of each
//     dimension.
//   - counted day: a day of a link that has counts. They cover the clicks in the day's blocks,
//     which are blocks of level 2 that hold clicks of that day only.
//   - loose block: a block of level 2 with clicks of days that are not counted.
//   - drop: the retention removes a click from its block; totals and counts keep it. An untracked
//     click is dropped as soon as it is counted.
//   - dropped day: a day of a link some of whose clicks were dropped. It has counts of those. An
//     import can make one, also for nothing but visitors.
//   - totals: for each link of a bucket, its clicks, its clicks by people, and the time of its last
//     click. Compacting and dropping do not change them.
//   - first: a visitor's first click on a link and UTC day.
//   - past: the clicks of a link as an export has them, and an import brings them.
//   - era: how often a link was cleared. An owner's click carries the era of its link at that time.
//     A click of an earlier era counts for the owner only.
//   - tombstone: a row recording that a link was deleted, or got another code or owner. The process
//     that changes a link writes it; the one that counts clicks reads it.
//
// Other verbs: links and rows are deleted, caches forget, and clicks without a link are discarded.
//
// # The way of a click
//
// A redirect writes it to the journal. Package ingest reads the journal in batches and passes them
// to Store.AddClicks (store.go). In a transaction of the Database, position.go refuses a batch that
// was counted before, and Counter.Add counts it. From then on a click only moves down, in a
// transaction that counts other clicks.
//
//  1. add.go looks up the link (linkcache.go, changes.go) and whether the visitor is new
//     (visitors.go), and adds the click to the totals and to level 0, and for the link of its owner
//     to level 1, and likewise for the others if the owner is joined. It drops an untracked click
//     at once.
//  2. levels.go: where a level is above its bound, compact.go moves a region's runs to level 1, and
//     the clicks of a bucket's busiest links to level 2. compactplan.go chooses the links;
//     consts.go has the bounds.
//  3. days.go: a day with many clicks gets counts and blocks of its own. Other clicks stay in loose
//     blocks. When a month is over, the counts of its days are summed, for answers that span years.
//  4. drop.go: the retention drops clicks from whatever level they are in. Any other rule for
//     dropping clicks, or for what remains of them, belongs there.
//  5. clear.go deletes all rows of a link that was cleared or deleted.
//
// Imported clicks go the same way (addpast.go), but firsts come with them. What a link has already
// is not added again (comparepast.go), and counts go to its dropped days (droppast.go). Equal
// clicks become one click of a block. Those of other imports are others, so answers add them up.
//
// Answers read all levels, in one snapshot: series.go counts by time and value, seriesplan.go
// decides which counts can be read instead of clicks, seriesother.go bounds the values of a day,
// bylink.go counts by link, events.go lists single clicks, and past.go reads all that a link has.
//
// An answer adds the counts of whole months and days, the single clicks of the days at the edges,
// and the clicks that are in no counts yet, all from one snapshot: so totals and maps always add
// up. Filtered and hourly statistics read single clicks. A range that cuts a day with dropped
// clicks is widened to the whole day, and the answer says so.
//
// An answer about all owners adds up several links of owners. What is planned by days and months is
// planned for each of them, but the range and the sums are those of all.
//
// A pass of the retention drops clicks first for links, later for their owners, in many
// transactions. A statistic by tag needs both. So until the pass is done with a day, it takes the
// day's sums from the owner, and the values only of links that have dropped the same clicks.
//
// # Links that change
//
// A delete waits for no batch. It writes a tombstone, and the next transaction that counts deletes
// the link's clicks. A click whose link is neither in the database nor named by a tombstone waits,
// because another node may just have created that link. After two minutes (package ingest) it is
// counted as lost.
//
// # Exports and imports
//
// An export reads what a link has page by page: its dropped days, then its single clicks in order
// (past.go). For a database on another machine, the blocks of many links are read ahead together,
// up to 3 MiB (fetchpast.go).
//
// An import brings the same. Under the lock of all that counts it is compared with what the link
// has, and only what is missing is added: it may be sent again, and two nodes may get it at once. A
// transaction ends after 65,536 clicks of blocks or 200 ms, and the next one goes on where it
// ended, so that others have their turn.
//
// # Invariants
//
//   - A click is in one block, or in the counts of a dropped day, of its link, of its owner, and of
//     the others if the owner is joined. It is in the totals of each of them.
//   - A link that changes hands keeps its clicks. Each has been counted for the owner that the link
//     had, and for the others if that one was joined.
//   - A day's counts match the clicks in its blocks. A value of a link that exceeds the bounds of a
//     day, which counted and dropped clicks share, is OtherValue in both. The counts of an owner
//     have bounds of their own, which no answer about some of its links may depend on. So the
//     owner's clicks keep their values: each counts as its value, or, if the day's counts lack
//     that, as OtherValue. Only their links' bounds apply to them (ownerblocks.go).
//   - An answer about a link reads a bounded number of clicks one by one: the runs of its region
//     and bucket, its loose blocks, and the days at the edges of its range.
//   - Clicks of one instant are ordered by their content: link, hash of the values, values. So a
//     cursor stays valid when clicks move.
//   - A link's clicks have its ID, and its code or one of its former codes.
//
// The package knows no SQL, takes no locks, and starts no goroutines.
package clickstore
