// Package postgres is the store in a PostgreSQL database, which several nodes share. It reads no
// environment and decides nothing about links: rules are the domain's.
//
// It does the same as package sqlite, under the same tests (storetest). The differences:
//
// # Packages below
//
// Package links changes links, and what lists combine and count, in transactions that the Store
// opens, retries and commits. Package rows runs the transactions that count, and keeps the rows of
// clickstore, which decides where clicks lie and what answers are. None knows this one. Lists are
// answered by package terse/internal/list, for which list.go here reads rows.
//
// The error of Query is not looked at where its rows are read: they report it themselves (see
// pgx.Rows.Err).
//
// # Keys
//
// A link and its history are keyed by its code, for engines that distribute tables by it, and by
// its ID, which comes from a sequence. Rows of clicks are keyed by ID alone, behind a part that
// follows from it: all rows of a link are in one part.
//
// Totals of lists, tags, and answers to requests with idempotency keys belong to no single link, so
// no column could place them beside their links. They are small and stay on the coordinator of
// Citus, which takes part in each write anyway. So do shares, which are looked up without codes.
//
// # Locks
//
// Transactions that count, clear or drop clicks, or begin or end a day, first take one lock that
// all nodes share; within a node they wait for it without a connection. So batches are counted one
// after another, and each sees what the one before has committed.
//
// Deletes do not take it. A delete leaves a tombstone in its transaction, and the next transaction
// that counts deletes the link's clicks. An ID that is neither a link nor named by a tombstone
// belongs to a link whose create is not committed yet: its batch fails with terse.ErrUnknownLink,
// and is counted later.
//
// Deletes and takes of several links first lock the rows of links in one order, so that nodes never
// deadlock. The number of an owner's links in a range of IDs is a sum of up to 64 rows, so that
// nodes do not queue for one.
//
// The tables of a day's visitors are emptied by TRUNCATE, so that nothing of them stays in files.
// TRUNCATE waits for readers for 100 ms at most, because no click is counted meanwhile: while a
// dump reads the tables, days neither begin nor end, and the caller tries again.
//
// # Batches
//
// A batch moves its journal's position in its transaction, if it begins there. Claim holds a
// session's advisory lock on the journal's ID besides, so that a copy of a data folder is refused.
//
// Creates, deletes and look-ups that wait share a query. A caller that leaves does not end it; the
// server cancels queries that one caller has to itself. After a conflicting transaction, a restart
// of the server or a lost connection, a query is tried again until the store's deadline. A create
// whose answer was lost is recognised by its ID: each try takes a new one, and a code that is taken
// by an ID of an earlier try is that try's link. A delete whose answer was lost is recognised at
// the next try, which does not find the link any more. A connection to a read-only server is given
// up with all others; the next one finds the primary among the hosts of the URL.
//
// Takes of MaxClicks that wait share a transaction, too, which locks the rows of their links. It is
// tried again only when it was surely rolled back. So no click is granted twice; one whose commit
// was not answered may be lost.
//
// # Transactions
//
// Transact runs its function again after conflicts, but not after a commit whose answer was lost,
// which may have taken effect. Links are locked in the order in which they are changed, so two
// transactions may wait for each other; the server ends one, which is tried again. Up to half of
// the connections are for Transact, so that look-ups and clicks do not wait for a long one.
//
// An idempotency key, and an owner with a URL, are locks of the transaction by their hashes. A
// collision makes one wait that need not.
//
// # Coherence
//
// A delete notifies the other nodes in its transaction. Watch listens on a connection of its own.
// After each reconnect it invalidates all cached links, because it may have missed some
// notifications. It trusts them only while its probes arrive: every 10 s it sends one to
// itself over another connection. When one is late by 5 s, all cached links are invalidated, and
// again every 10 s. New links need no notification: unknown codes are remembered for half a second.
//
// # Poolers
//
// Poolers in session mode change nothing. Transaction mode takes away what a session holds: the
// listener, the advisory lock, prepared statements. It is refused. Open marks each of four server
// sessions by a setting and reads the marks back in random order: a mark that is missing or
// another's proves that sessions are shared. Watch checks again with each try and when a probe is
// late; where sessions turn out to be shared, no clicks are counted and /ready says why.
package postgres
