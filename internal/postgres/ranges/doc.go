// Package ranges keeps what lists combine and count, by ranges of 1,024 IDs, in a transaction of
// its caller: which links have a tag or a status, when an owner's links were made, and how many
// clicks each link has.
//
// It knows the tables link_sets, link_ranges and click_totals, and nothing of links beside their
// IDs. They belong to no shard.
//
// Each row says again what rows of links say, so it is written in the transaction that writes
// those, as the last thing that many transactions need, and in one order: sets by owner, name and
// range, then ranges by owner and range, then totals by range. A batch of clicks adds to totals
// after it has locked all its links.
//
// A million links are a thousand ranges, so a set of them takes 130 KB in the table, all their
// totals 1 MB or two, and to read either takes some milliseconds. Package linkset combines what was
// read.
package ranges
