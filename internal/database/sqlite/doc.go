// Package sqlite is the store in one SQLite file. It reads no environment and makes no decisions
// about links: their rules belong to the domain.
//
// It opens the database, notices what other programs do to it, and runs transactions. Within a
// transaction, package record stores links and what belongs to them, and users. Package rows stores
// the rows of package clickstore, which counts clicks and answers questions. Package query runs
// statements. Package list makes lists from the rows that list.go reads.
//
// # Writes
//
// One connection writes. A goroutine takes all waiting writes, runs them in one transaction, syncs
// once and answers all callers, so that many of them share one sync. A write is acknowledged after
// the commit. Inserts use INSERT OR FAIL, so that SQLite need not copy the pages it changes, which
// would double their cost. In return, an error in the middle of a statement rolls back the whole
// transaction. A batch of clicks has its own transaction.
//
// Triggers write the table tombstones, from which counting learns which links were deleted, or got
// another code or owner.
//
// Transact has its own transaction, too, which begins with its caller's first operation. The keys
// of requests under way are in memory, because no other process stores answers.
//
// Whether an address is free, the only writer checks when it writes the link. So it does with
// users, tokens and sessions, of which triggers leave none without their user.
//
// # Webhooks
//
// Package hookstore has their statements. The writer knows which events webhooks report until
// anybody changes webhooks or users, so that a create without one costs nothing more.
//
// # Lists
//
// links has an index in the list's order, and link_ranges holds numbers of links. There is no index
// by clicks, because every click would have to update it.
//
// Lists of all owners merge the rows of two: terse.Identity, which in nearly all installations has
// all links, and terse.AllOwners, under which those of all others are kept once more in link_ranges
// and link_sets. Another index has the links of these others in the list's order. So an
// installation with one owner writes no row more.
//
// The store reads only those options that lists and max_clicks need: tags, whether a link is
// archived, and options that determine a status. link_sets holds the links with a tag or a status
// and the archived ones, 64 in a row, so that filters are combined and counted without reading
// links. A status changes with time: link_states holds the time until which the stored status is
// valid, and list.Clock moves links that are due. The index for the newest link to a URL contains
// only links whose stored status is not an ended one, and says which are archived.
//
// # Other programs
//
// Other programs may write to the database, replace its file, or checkpoint it. Four times a
// second, and at the start of each transaction, PRAGMA data_version shows whether they wrote. If
// so, the store invalidates the link cache, so that their changes are seen within a second. No idle
// connection holds a snapshot, for which another program's checkpoint would wait.
//
// Only SQLite opens its files: closing one elsewhere in the process would drop all locks that
// SQLite holds on it (POSIX).
package sqlite
