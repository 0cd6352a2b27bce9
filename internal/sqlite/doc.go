// Package sqlite is the terse.Store in one SQLite file. It reads no environment and decides
// nothing about links: rules are the domain's.
//
// It opens the database, notices what other programs do to it, and runs transactions. Within these
// package record keeps links and what belongs to them, and package counter counts clicks and reads
// statistics. Package list answers lists and searches. Package codeindex remembers codes, and can
// be left out. Package query runs statements.
//
// # Writes
//
// One connection writes. A goroutine takes all writes that wait, runs them in one transaction,
// syncs once and answers all, so that many callers share one sync. A write is acknowledged after
// the commit. Inserts use INSERT OR FAIL, so that SQLite need not copy the pages it changes, which
// would double their cost; in return an error in the middle of a statement rolls back the whole
// transaction. A batch of clicks has a transaction to itself.
//
// Statements that change links run through record.Writer.Change. It tells the index and the
// counter, which remember codes.
//
// Transact has a transaction to itself, too, from the first thing that its caller does. The keys of
// requests that are under way are in memory, because no other process makes answers.
//
// # Lists
//
// links has a covering index for the list's order, and the list's total is a stored counter. A
// page deep in the list at an offset is found by counters of the links in each range of 1,024 IDs,
// as long as the links it skips are in the order of their IDs; otherwise they are read. A cursor is
// the position of the last link, so that the index leads to the next page. There is no index by
// clicks, which every click would have to pay for.
//
// Of options the store reads what lists and max_clicks need: tags, and what a status follows from.
// link_sets has the links with a tag or a status, 64 in a row, so that filters are combined and
// counted without looking at links. A status changes with time: link_states has until when the
// stored one holds. A list corrects those that are due; when they are many, settle moves them. The
// index for the newest link to a URL has only those whose stored status says that they have not
// ended.
//
// A search reads the links of each range of IDs once, and keeps their texts in memory, 32 MiB at
// most. A count of the range's changes, which triggers keep, shows whether a text is that of the
// snapshot. An insert is told by the number of the range's links, so that creates pay nothing.
// After the start, and after others wrote, the texts that a search looks through first are read
// before anybody searches.
//
// # Other programs
//
// They may write to the database, replace its file, or checkpoint it. Four times a second, and at
// the start of each transaction, PRAGMA data_version shows whether they wrote. Then the store
// forgets the codes and texts it knows and invalidates the link cache. So what they wrote is seen
// within a second. Absent may be as late for a link that they made. No idle connection holds a
// snapshot, for which another program's checkpoint would wait.
//
// SQLite's own files are opened by SQLite only: to close one anywhere else in the process drops all
// locks that SQLite holds on it (POSIX).
package sqlite
