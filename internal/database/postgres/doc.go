// Package postgres is the store in a PostgreSQL database, which several nodes may share. It reads
// no environment and makes no decisions about links: their rules belong to the domain.
//
// It does the same as package sqlite, and passes the same tests (storetest). The differences:
//
// # Packages below
//
// Package links changes links, and the sets and totals for lists, in transactions that the Store
// opens, retries and commits. Package rows runs the transactions that count, and stores the rows of
// clickstore, which decides where clicks lie and how questions are answered. Neither knows this
// package. Package terse/internal/link/list makes lists, for which list.go reads rows.
//
// The error of Query is ignored where its rows are read: the rows report it (see pgx.Rows.Err).
//
// # Keys
//
// A link and its history are keyed by the link's code, by which engines can distribute tables, and
// by its ID, which comes from a sequence. Rows of clicks are keyed by a part and the ID. The part
// follows from the ID, so that all rows of a link are in one part.
//
// Totals of lists, tags, and answers to requests with idempotency keys belong to no single link, so
// no column could place them beside their links. They are small, and stay on the coordinator of
// Citus, which takes part in each write anyway. So do shares, which are looked up without codes.
//
// # Locks
//
// Transactions that count, clear or drop clicks, or begin or end a day, first take one lock that
// all nodes share; within a node they wait for it without a connection. So batches are counted one
// after another, and each sees what the one before has committed.
//
// Deletes do not take it. A delete writes a tombstone in its transaction, and the next transaction
// that counts deletes the link's clicks. An ID that belongs to no link and no tombstone is of a
// link whose create is not committed yet: its batch fails with terse.ErrUnknownLink, and is counted
// later.
//
// Deletes and takes of several links first lock the rows of links in one order, so that nodes never
// deadlock. The number of an owner's links in a range of IDs is a sum of up to 64 rows, so that
// nodes do not queue for one row.
//
// Addresses are codes and aliases, in two tables. A transaction that claims an alias, or changes a
// code, holds an advisory lock alone; those that create links with codes only share it.
//
// What changes tokens and sessions of a user locks the user's row first, so that they are bounded,
// and none is left when the user is deleted. Those that create users take an advisory lock, so that
// there is one user for each person, and not too many. The caller makes the IDs and hashes of
// tokens and sessions, by which a try recognises what an earlier one has made whose answer was
// lost.
//
// TRUNCATE empties the tables of a day's visitors, so that nothing of them remains in files. It
// waits for readers for 100 ms at most, because no click is counted meanwhile. While a dump reads
// the tables, days neither begin nor end, and the caller tries again.
//
// # Batches
//
// A batch that begins at its journal's position moves that position in its transaction. Claim also
// holds an advisory lock of its session on the journal's ID, so that a copy of a data folder is
// refused.
//
// Waiting creates, deletes and look-ups share a query. A caller that leaves does not end it; the
// server cancels a query that serves a single caller. After a conflicting transaction, a restart of
// the server or a lost connection, a query is tried again until the store's deadline. A create
// whose answer was lost is recognised by its ID: each try takes a new one, so a code taken by an ID
// of an earlier try is that try's link. A delete whose answer was lost is recognised by the next
// try, which no longer finds the link. If the server turns out to be read-only, all connections to
// it are given up; the next one finds the primary among the hosts of the URL.
//
// Waiting takes of MaxClicks share a transaction, too, which locks the rows of their links. It is
// tried again only if it was certainly rolled back. So no click is granted twice; a click may be
// lost if its commit was not answered.
//
// # Transactions
//
// Transact runs its function again after conflicts, but not after a commit whose answer was lost,
// which may have taken effect. Links are locked in the order in which they are changed, so two
// transactions may wait for each other; the server ends one, which is tried again. Transact uses at
// most half of the connections, so that look-ups and clicks do not wait for long transactions.
//
// An idempotency key, and a pair of owner and URL, are locked by their hashes until the transaction
// ends. If hashes collide, a transaction waits without need.
//
// # Coherence
//
// A change notifies the other nodes in its transaction. Watch listens on its own connection. After
// each reconnect it invalidates all cached links, because it may have missed notifications. It
// trusts notifications only while its probes arrive: every 10 s it sends one to itself over another
// connection. If a probe is 5 s late, Watch invalidates all cached links, and again every 10 s. New
// links need no notification: unknown codes are remembered for half a second only.
//
// # Webhooks
//
// Package hookstore has their statements. One node at a time makes deliveries, and one at a time
// takes some, under advisory locks that end with the transaction. A node knows which events
// webhooks report, and asks again whenever it is to make deliveries: once a second. Until then
// others' new webhooks miss what it does.
//
// # Poolers
//
// Poolers in session mode make no difference. Transaction mode is refused, because it loses the
// state of a session: the listener, the advisory lock, prepared statements. Open marks each of four
// server sessions with a setting and reads the marks back in random order: a missing or wrong mark
// proves that sessions are shared. Watch checks again with each try and when a probe is late; if
// sessions turn out to be shared, no clicks are counted and /ready says why.
package postgres
