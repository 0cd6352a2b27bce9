// Package sqlite is the terse.Store in one SQLite file. It reads no environment and decides
// nothing about links: rules are the domain's.
//
// # Writes
//
// One connection writes. A goroutine takes all writes that wait, runs them in one transaction,
// syncs once and answers all, so that many callers share one sync. A write is acknowledged after
// the commit. Inserts use INSERT OR FAIL, so that SQLite need not copy the pages it changes, which
// would double their cost; in return an error in the middle of a statement rolls back the whole
// transaction.
//
// # Lists
//
// links has a covering index for the list's order, and the list's total is a stored counter. A
// page deep in the list at an offset is found by counters of the links in each range of 1,024 IDs,
// as long as the links it skips are in the order of their IDs; otherwise they are read. A cursor is
// the position of the last link, so that the index leads to the next page. There is no index by
// clicks, which every click would have to pay for.
//
// # Clicks
//
// 256 links whose IDs are neighbours share one row with the total of each and the newest clicks of
// all, packed into a block (package clickblock). So a batch that is spread over many links writes
// few rows. A full block becomes a row of older clicks. When one link has many of them, or the
// neighbours have 0.5 to 1 MiB together, they are rolled up link by link: the clicks of days with
// many of them move into blocks of that day, and are added to the day's counts, one row per link
// and day. The rest, if it is still much, becomes a block of quiet days.
//
// A click belongs to a link when both its ID and its code match. An ID alone proves nothing,
// because a backup that was restored gives IDs out again. The writer remembers the codes of links
// that had clicks. It forgets those of links that it creates or deletes, and all of them when
// another program has changed the database.
//
// All links together are counted as if they were one more link, with an ID that no link has. This
// is not taken back when a link is deleted.
//
// # Statistics
//
// A range is the counts of the whole days in it, and those single clicks of the days at its edges,
// of quiet days and of the newest clicks that fall into it. All time is the range without ends.
// Statistics over time take a UTC day from its counts when it lies as a whole in one interval, and
// read it click by click otherwise; so does everything that is filtered. One answer reads one
// snapshot.
//
// # Other programs
//
// They may write to the database, replace its file, or checkpoint it. Four times a second a watch
// looks for that; then the store forgets what it knows of codes and invalidates the link cache. No
// idle connection holds a snapshot, for which another program's checkpoint would wait.
//
// SQLite's own files are opened by SQLite only: to close one anywhere else in the process drops all
// locks that SQLite holds on it (POSIX).
package sqlite
