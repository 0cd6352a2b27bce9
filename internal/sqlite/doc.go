// Package sqlite is the store in one SQLite file. It reads no environment and decides
// nothing about links: rules are the domain's.
//
// It opens the database, notices what other programs do to it, and runs transactions. Within these
// package record keeps links and what belongs to them, and package rows the rows in which package
// terse/internal/clickstore counts clicks and from which it answers. Package query runs statements.
// Package terse/internal/list answers lists from the rows that list.go here reads.
//
// # Writes
//
// One connection writes. A goroutine takes all writes that wait, runs them in one transaction,
// syncs once and answers all, so that many callers share one sync. A write is acknowledged after
// the commit. Inserts use INSERT OR FAIL, so that SQLite need not copy the pages it changes, which
// would double their cost; in return an error in the middle of a statement rolls back the whole
// transaction. A batch of clicks has a transaction to itself.
//
// The table tombstones, which triggers write, tells counting which links were deleted, or got
// another code or owner.
//
// Transact has a transaction to itself, too, from the first thing that its caller does. The keys of
// requests that are under way are in memory, because no other process makes answers.
//
// # Lists
//
// links has an index for the list's order, and link_ranges say how many links there are. There is
// no index by clicks, which every click would have to pay for.
//
// Of options the store reads what lists and max_clicks need: tags, and what a status follows from.
// link_sets has the links with a tag or a status, 64 in a row, so that filters are combined and
// counted without looking at links. A status changes with time: link_states has until when the
// stored one holds, and list.FollowTime has those moved that are due. The index for the newest link
// to a URL has only those whose stored status says that they have not ended.
//
// # Other programs
//
// They may write to the database, replace its file, or checkpoint it. Four times a second, and at
// the start of each transaction, PRAGMA data_version shows whether they wrote. Then the store
// invalidates the link cache. So what they wrote is seen within a second. No idle connection holds
// a snapshot, for which another program's checkpoint would wait.
//
// SQLite's own files are opened by SQLite only: to close one anywhere else in the process drops all
// locks that SQLite holds on it (POSIX).
package sqlite
