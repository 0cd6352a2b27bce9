// Package ratelimit limits how many requests a client gets in any 60 seconds.
//
// A decision reads the process's memory and the monotonic clock, and never waits. Several nodes can
// share their clients' budgets through Redis, in the background. The package knows nothing of HTTP
// and starts no goroutine. It decides only when a client may go on; who the client is and what a
// refusal looks like is up to its caller.
//
// # A budget
//
// A client's budget is a sliding window: a list of marks, each with a tick and the number of
// requests granted in it. A request is granted while the marks of the last 60 seconds add up to
// less than the limit. A tick is a 256th of a minute, so a client never has more than 256 marks.
// Refused requests leave no mark: a client that keeps asking is granted its next request when its
// oldest mark expires.
//
// There are 64 shards, each with a lock and a share of 32 MiB. A shard is a hash table in which a
// client has one of eight adjacent places. If all are taken, the client whose last grant is the
// oldest is evicted.
//
// # Budgets of several nodes
//
// Each node decides at once, by its own window and by the last answer from Redis. It collects its
// grants in its shards and sends them to Redis in batches (Shared.Run, the only goroutine that
// does). There shared.lua, by Redis's clock, adds the grants to the client's marks and answers how
// long the client has to wait. Until then the node refuses the client.
//
// So all nodes together grant a client no more than the limit in any 60 seconds, plus what each of
// them grants during one round trip to Redis. If each request waited for the script, the limit
// would be exact, but every redirect as slow as Redis. If Redis does not answer within a second,
// each node counts alone, forgets the answers from Redis, and tries to reach it every second.
// What Redis says is bounded: a wait by the window, a reply in bytes (package redis below). Whoever
// answers in its place can reset or use up budgets, and nothing else.
//
// Rare requests that need an exact limit, namely attempts at passwords, ask Redis each time
// (Shared.Hold). While one is in progress it holds a place there, so that concurrent attempts on
// several nodes stay within the limit.
package ratelimit
