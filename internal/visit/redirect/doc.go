// Package redirect is the data plane: it answers GET /{shortCode}, or any other address of a link,
// from a cache, after writing the click to the journal.
//
// A redirect from the cache does no I/O but the journal's memory copy, takes no lock that all
// requests share, and allocates nothing for features that a plain link does not use. The package
// knows nothing of SQL, templates, JSON encoders or log records: it returns errors to the server
// around it.
//
// # Options
//
// A link's options are compiled on first use and cached by their text (options.go), so a change
// makes none stale, and links that a program created share one. decide is a pure function, which
// checks in this order: state, password, rules, forwarding, max_clicks. For a plain link it is one
// test of a length. If it lacks a fact it returns LacksUsed, LacksAgent or AskPassword, and is
// called again with that fact (follow.go). A link whose options can't be decoded is closed, because
// nobody knows what they forbid.
//
// Where no link may lead (package blocked) is asked when a link enters the cache, so that a plain
// redirect needs no look-up for it. A change of that list makes all records stale, and one that is
// served all the same is asked about again. For a rule's URL, and for an expired_url, the list is
// asked at each visit.
//
// A loop never does what takes more than a look-up, see Answer.Apart: using up max_clicks, checking
// a password, recognizing an unusual user agent, showing a preview, drawing a picture. Passwords
// are checked one at a time, and for a tenth of the time (unlock.go).
//
// # Addresses
//
// A link's addresses are its code and its aliases. Nearly every path is a code, and is looked up as
// it is. Any other is read as the addresses that it begins with (path.go): all of it, and what is
// before each of its slashes, decoded once and in NFC. The longest of them decides that has a link,
// and is the whole path or forwards the rest (find.go). A miss asks the store for all of them at
// once. What is forwarded stays as it was sent. From there on the link's code is what counts,
// whatever the address was; only previews and pictures show the address that they were asked at.
//
// # Domains
//
// A visit is of a domain, which the server around finds by the request's host. From there on links
// are looked up by keys (terse.Domain.Key), so that the same address is another link on each. No
// path is read as a key: a "#" ends the reading of addresses. What visitors see has the address
// without its domain, behind the prefix of short URLs at that host. Where a domain leads visitors
// for whom it has no link is rendered once for each table of domains (domains.go).
//
// # The cache
//
// There are two ring caches, each with a bound in bytes: one of links and their aliases, and one of
// unknown addresses, so that a scanner does not evict links. A ring cache maps a key of 16 bytes to
// a few bytes, and is split into 64 shards by the key's hash, each with a lock of its own.
//
// A link is found by its packed code, which has its domain in seven bits (target.go encodes it).
// Any other address, such as a code in another case where case is ignored, is found by its hash,
// which has those bits all set, as no domain does. It leads to the link's ID and code. So an alias
// takes few bytes however long it is, and a link takes none for its aliases, which are left out of
// its cached options.
//
// Records (package ring) are adjacent in a ring of memory that the garbage collector does not
// manage; on its heap, a cache would need as much again in reserve. The oldest record makes room
// for a new one. A record is the key, the value's length, the epoch, and the value, rounded up to a
// word. Slots of 8 bytes refer to records: 32 bits of the hash, and the record's position. So a
// look-up touches two places in memory, a slot and its record.
//
// # Stale answers
//
// An answer of the store may be outdated when it arrives. Every change of a link drops all of its
// addresses, those before the change included, before the change is acknowledged. Each drop
// increments a counter of its shard. A look-up reads all counters before it asks the store, which
// says what the answer is about; a part of it is cached only if the counter of that part's shard
// has not changed.
//
// A cached alias has its link's ID as well as its code, because another link may have the code by
// now. If the IDs differ, or the code is not cached, the alias is looked up again.
//
// A visit may ask the store about a link that is cached, for max_clicks or a preview. If the link
// has just got another code, the visit finds it again by the address.
//
// InvalidateAll raises the epoch. A record of an earlier epoch is stale: it is looked up again
// before it is served. If that fails, it is served from memory, as are all stale records for a
// second; then one request tries the store again. So an outage costs a visitor at most a second,
// and the cache is never emptied. The same holds if the cache has a link that forwards a path, but
// does not know whether a longer address has another. Unknown addresses of an earlier epoch are
// forgotten.
//
// # Deadlines
//
// A look-up takes at most LinkTimeout, or a second if a stale record can be served instead. A loop
// that serves many connections can't wait that long. It sets Attempt.Wait; a look-up that takes
// longer returns no answer, and is retried in a goroutine without taking another request from the
// client's budget (Attempt.Admitted). With a negative Wait the store is not asked. An unknown
// address is cached for half a second, in case its creation is not announced.
package redirect
