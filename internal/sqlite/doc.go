// Package sqlite is the store in one SQLite file. It reads no environment and decides
// nothing about links: rules are the domain's.
//
// It opens the database, notices what other programs do to it, and runs transactions. Within those
// package record keeps links and what belongs to them, and package rows the rows in which package
// terse/internal/clickstore counts clicks and from which it answers. Package query runs statements.
// Lists are answered by package terse/internal/list, for which list.go here reads rows.
//
// Its files stand on each other: conn.go opens a connection, files.go looks at the database's
// files, writer.go is the connection that writes, queue.go has writes wait for it, read.go has the
// connections that read, and sqlite.go opens and closes all. The rest is the store's methods.
//
// # Writes
//
// One connection writes. A goroutine takes all writes that wait, runs them in one transaction,
// syncs once and answers all, so that many callers share one sync. A write is acknowledged after
// the commit. Inserts use INSERT OR FAIL, so that SQLite need not copy the pages it changes, which
// would double their cost; in return an error in the middle of a statement rolls back the whole
// transaction. A batch of clicks has a transaction to itself.
//
// Counting hears of links that were deleted, or got another code or owner, by the table tombstones,
// which triggers write.
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
// They may write to the database, and checkpoint it. Four times a second, and at the start of each
// transaction, PRAGMA data_version shows whether they wrote. Then the store invalidates the link
// cache. So what they wrote is seen within a second. No idle connection holds a snapshot, for which
// another program's checkpoint would wait.
//
// A database whose file is removed, replaced, cut off or overwritten ends the store: Watch says so,
// and the process ends (files.go, writer.lose). The store looks for that as often as for writes,
// and once more after each commit, before it moves the write-ahead log into the database file. The
// log is emptied into the file that was open, or removed if that was overwritten: no database gets
// another's.
//
// To close one of SQLite's files anywhere in the process drops all locks that SQLite holds on it
// (POSIX). So they are opened by SQLite only, but for one descriptor that is closed last.
package sqlite
