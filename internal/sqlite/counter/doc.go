// Package counter counts clicks in the tables of an SQLite database. Package stats answers from
// them.
//
// It provides a Counter for the connection that writes, and what others need to read: Totals, Loose
// blocks, and the keys of tables. It knows nothing of the store above it: no transactions, no
// locks, no files, no journals. Of links it reads only whether one has an ID and a code, and whose
// it is. The caller begins a transaction before it counts, and a snapshot before it reads.
//
// # Where a click is
//
// A bucket is 256 links whose IDs are neighbours. A row of click_totals has the total of each link,
// at the offset that the last 8 bits of its ID are, and a row of click_buckets what is pending. A
// region is 16 buckets.
//
//   - A new click is in a block of its region (new_clicks), among those of the region's other
//     links. So a batch that is spread over many links writes few rows, and writes none of them
//     again.
//   - A pending click is in a block of its bucket: first in the row of click_buckets, and in a row
//     of bucket_blocks when that is full.
//   - An aggregated click is in the counts of its link and day (click_days), and in a block of that
//     link and day (click_blocks).
//   - The counts of a finished month (click_months) are the sum of those of its days. They are made
//     when the first row of a later day is, and forgotten when a row of theirs changes. Nothing is
//     in them alone.
//   - A mixed click is in a block of its link whose clicks are of several days, and in no counts.
//
// To divide a region is to make its new clicks pending, when they are many. The clicks of all links
// of an owner are pending at once.
//
// To roll up a bucket is to make pending clicks aggregated, link by link: for days with many of
// them. What remains of a link becomes mixed. Too many mixed blocks of a link become aggregated.
//
// # Visitors
//
// The hashes of those who clicked on a bucket's links on a day are a log of chunks (package
// visitors), which is read once and then appended to. Even and odd days have tables of their own:
// SQLite overwrites what is left in a page only when all of it goes.
//
// # Invariants
//
//   - A click is in one block, and in the totals of its link. It is in day counts when its block is
//     of a day.
//   - An answer reads a bounded number of clicks one by one: the new ones of a region, the pending
//     ones of a bucket, the mixed blocks, and the days at the edges of its range.
//   - A click counts when its link has its ID and its code. An ID alone proves nothing there,
//     because a backup that was restored gives IDs out again. What is counted names its link by the
//     ID: one database gives none out twice.
//   - Clicks of one instant are in the order in which they were counted: those in blocks of a day
//     before mixed ones, these before pending ones, the new ones last, and each kind by the numbers
//     of its blocks. So a place among events (terse.EventMark) stays where it is when clicks are
//     divided or rolled up.
//   - All links of an owner together are counted as if they were one more link, with an ID that
//     click_owners has and no link. That is not taken back when a link is deleted or given away.
package counter
