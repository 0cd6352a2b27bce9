// Package counter counts batches of clicks into the tables of a PostgreSQL database, in a
// transaction of its caller. Package stats answers from them.
//
// It knows the tables link_clicks, click_blocks, click_days, click_months, dropped_days and
// journals, and reads owners. Of links it reads only which of them have an owner. It opens no
// transaction, commits nothing and retries nothing.
//
// # Where a click is
//
// A link's newest clicks are packed in its row of link_clicks, as blocks that a batch appends
// without reading. They leave the row as a block of click_blocks when they take 1 KiB there. Until
// a link's clicks are rolled up into days they are pending. A link with more than 2,048 pending
// clicks, or with 256 in one batch, is rolled up: a row of click_days counts the clicks of a day,
// and blocks of that day keep them.
//
// The counts of a finished month (click_months) are the sum of those of its days. They are made
// when the first row of a later day is, and forgotten when a row of theirs changes, by whoever has
// locked the link's row. Nothing is in them alone.
//
// All clicks of a journal on links of one owner are counted once more as those of one link, so that
// all links of an owner together are a few rows. Each journal has its own, so that nodes do not
// wait for each other. They stay when a link is deleted or given away.
//
// # Invariants
//
//   - Every click of a link is in its row, in a pending block, or in a block of a day that has
//     counts. The row's number of pending clicks is that of the first two.
//   - Clicks of a link and one instant are in the order in which they were counted: those in blocks
//     of a day before pending blocks, both by their IDs, and what is in the row last. So a place
//     among events (terse.EventMark) stays where it is when clicks are rolled up.
//   - A month from 1970 to 2149 with a row of click_days has one of click_months.
//   - A missing row of link_clicks means that the link is gone: no batch looks into links.
//   - All nodes lock rows of link_clicks in the same order: by shard where there are shards, then
//     by code and ID as Counter.Sort has them, or as the index has them (package dialect).
//   - A journal's own row is written before any link's row is locked.
//   - Totals of links (package ranges) are added to after all rows of links: who holds some waits
//     for no link.
//   - Whether a click is the first of its visitor is decided under locks of the buckets of links,
//     which are taken in one order before any link's row is.
//   - What is kept of a batch for the next one is memory only. The visitors that are kept are those
//     of the database, or forgotten when a transaction is not committed.
package counter
