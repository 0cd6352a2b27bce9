// Package redirect is the data plane: it answers GET /{shortCode} from a cache, after it has put
// the click into the journal.
//
// A redirect of a cached link does no I/O but the journal's memory copy, takes no lock that all
// requests share, and does not allocate for what a plain link does not use. The package knows
// nothing of SQL, templates, JSON encoders or log records: it returns errors to the server around
// it.
//
// # Options
//
// A link's options are compiled when they are first met, and kept by their text (options.go): so a
// change makes none stale, and links that a program made share one. What becomes of a visit is
// decided by decide, which is pure: what it lacks it asks for (LacksUsed, LacksAgent, AskPassword),
// and is asked again (follow.go). A link whose options can't be read is closed: what they forbid is
// not known.
//
// What takes more than a look-up is never done by a loop, see Answer.Apart: to take one of
// max_clicks, to check a password, to recognize an odd user agent. Passwords are checked one at a
// time and a tenth of the time (unlock.go). Previews and pictures are not asked for by Answer at
// all (extra.go, Elsewhere).
//
// # The cache
//
// There are two ring caches, each with a bound in bytes: one of links, one of unknown codes, so
// that a scanner does not evict links. A ring cache maps a code to a few bytes (target.go encodes
// those of a link) and is split into 64 shards by the code's hash, each with a lock of its own.
//
// Records (package ring) lie one behind the other in a ring of memory that the garbage collector
// does not manage: on its heap, a cache needs as much again in reserve. The oldest record makes
// room for a new one. A record is the code in 16 bytes, the value's length, the epoch, the value,
// rounded up to a word. Slots of 8 bytes refer to the records: 32 bits of the hash, and where the
// record lies. So a look-up touches two places in memory, a slot and its record.
//
// # Stale answers
//
// The store may answer what a change has just overtaken. Each drop counts in its shard. A look-up
// takes the count before it asks the store, and its answer is kept only if the count is still the
// same.
//
// InvalidateAll raises the epoch. A record of an earlier epoch is stale: it is looked up again
// before it is served. If that fails, it is served from memory, as all stale records are for a
// second; then one request tries the store again. So an outage costs a visitor a second at most,
// and the cache is never emptied. Unknown codes of an earlier epoch are forgotten.
//
// # Deadlines
//
// A look-up takes at most LinkTimeout, or a second when a stale record can be served instead. A
// loop that serves many connections may not wait so long. It sets Attempt.Wait; a look-up that
// takes longer returns no answer, and is tried again in a goroutine, without taking another request
// off the client's budget (Attempt.Admitted). With a negative Wait the store is not asked. An
// unknown code is remembered for half a second, should its creation not be announced.
package redirect
