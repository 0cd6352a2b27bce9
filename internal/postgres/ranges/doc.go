// Package ranges keeps what lists combine and count, by ranges of 1,024 IDs, in a transaction of
// its caller: which links have a tag or a status, and when an owner's links were made.
//
// It knows the tables link_sets and link_ranges, and nothing of links beside their IDs. They belong
// to no shard.
//
// Each row says again what rows of links say, so it is written in the transaction that writes
// those, as the last thing that many transactions need, and in one order: sets by owner, name and
// range, then ranges by owner and range.
//
// A million links are a thousand ranges, so a set of them takes 130 KB in the table, and to read it
// takes some milliseconds. Package linkset combines what was read.
package ranges
