// Package ratelimit limits how many requests a client gets in any 60 seconds.
//
// A decision reads the process's memory and the monotonic clock, and never waits. Several nodes can
// share their clients' budgets through Redis, in the background. The package knows nothing of HTTP
// and starts no goroutine. It decides only when a client may go on: who the client is and what a
// refusal looks like is its caller's business.
//
// # A budget
//
// A client's budget is a sliding window: a list of marks, each a tick and how many requests were
// granted in it. A request is granted while the marks of the last 60 seconds add up to less than
// the limit. A tick is a 256th of a minute, so that a client never has more than 256 marks. Refused
// requests leave no mark: a client that keeps asking is granted its next request when its oldest
// mark expires.
//
// Clients lie in 64 shards, each with a lock and a share of 32 MiB. A shard is a hash table, where
// a client has one of eight places side by side. When all are taken, the client that was granted
// the longest ago has to go.
//
// # Budgets of several nodes
//
// Each node decides at once, by its own window and by what Redis said last. It counts what it
// granted in its shards and tells Redis in batches (Shared.Run, the one goroutine that does). There
// shared.lua, by Redis's clock, adds the grants to the client's marks and answers how long the
// client has to wait. Until then the node refuses it.
//
// So all nodes together grant a client no more than the limit in any 60 seconds, plus what each of
// them grants during one round trip to Redis. A script that each request waited for would be exact,
// and make every redirect as slow as Redis. While Redis does not answer within a second each node
// counts alone, forgets what Redis said, and looks for it every second.
//
// What is rare and has to be exact asks Redis each time (Shared.Hold): attempts at passwords. What
// is under way holds a place there, so that nodes at once take no more than there are.
package ratelimit
