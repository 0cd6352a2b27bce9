// Package redirect is the data plane: it answers GET /{shortCode} from a cache, after writing the
// click to the journal.
//
// A redirect from the cache does no I/O but the journal's memory copy, takes no lock that all
// requests share, and allocates nothing for features that a plain link does not use. The package
// knows nothing of SQL, templates, JSON encoders or log records: it returns errors to the server
// around it.
//
// # Options
//
// A link's options are compiled on first use and cached by their text (options.go), so a change
// makes none stale, and links that a program created share one. decide is a pure function: if it
// lacks a fact it returns LacksUsed, LacksAgent or AskPassword, and is called again with that fact
// (follow.go). A link whose options can't be decoded is closed, because nobody knows what they
// forbid.
//
// A loop never does what takes more than a look-up, see Answer.Apart: using up max_clicks, checking
// a password, recognizing an unusual user agent. Passwords are checked one at a time, and for a
// tenth of the time (unlock.go). Previews and pictures do not go through Answer at all (extra.go,
// Elsewhere).
//
// # The cache
//
// There are two ring caches, each with a bound in bytes: one of links, and one of unknown codes, so
// that a scanner does not evict links. A ring cache maps a code to a few bytes (target.go encodes
// those of a link) and is split into 64 shards by the code's hash, each with a lock of its own.
//
// Records (package ring) are adjacent in a ring of memory that the garbage collector does not
// manage; on its heap, a cache would need as much again in reserve. The oldest record makes room
// for a new one. A record is the code in 16 bytes, the value's length, the epoch, and the value,
// rounded up to a word. Slots of 8 bytes refer to records: 32 bits of the hash, and the record's
// position. So a look-up touches two places in memory, a slot and its record.
//
// # Stale answers
//
// An answer of the store may be outdated when it arrives. Each drop increments a counter in its
// shard. A look-up reads the counter before it asks the store, and its answer is cached only if the
// counter has not changed.
//
// InvalidateAll raises the epoch. A record of an earlier epoch is stale: it is looked up again
// before it is served. If that fails, it is served from memory, as are all stale records for a
// second; then one request tries the store again. So an outage costs a visitor at most a second,
// and the cache is never emptied. Unknown codes of an earlier epoch are forgotten.
//
// # Deadlines
//
// A look-up takes at most LinkTimeout, or a second if a stale record can be served instead. A loop
// that serves many connections can't wait that long. It sets Attempt.Wait; a look-up that takes
// longer returns no answer, and is retried in a goroutine without taking another request from the
// client's budget (Attempt.Admitted). With a negative Wait the store is not asked. An unknown code
// is cached for half a second, in case its creation is not announced.
package redirect
