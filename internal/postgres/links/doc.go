// Package links reads and changes links and what belongs to them, in a transaction of its caller.
//
// It knows the tables of links but not how clicks are counted. It opens no transaction, commits
// nothing and retries nothing.
//
// # What is looked for
//
// A link's options are one text. What lists look for stands in columns beside it: tags, and its
// status with the time that it holds. Both are read from the text when it is written, together with
// the sets that lists combine. Options that can't be read have neither. A status that time has
// changed since is corrected by lists, until Advance moves the link.
//
// # Tags
//
// An owner's first spelling of a tag is the spelling of all: options get it before they are
// written. Two transactions that write a tag first at the same time notice at their end, when they
// count the tag; one is told ErrConflict then and begins anew.
//
// # Sets and ranges
//
// What lists combine and count is kept by ranges of 1,024 IDs: which links of an owner have a tag
// or a status, how many there are, and when they were made. These tables belong to no shard.
//
// # Locks
//
// A transaction locks the rows of links that it changes before it reads them: several at once in
// the order of terse.LinkRef.Compare. Totals of tags, sets and ranges, which many transactions
// need, come at the end of it, each sorted. Nothing here waits for a transaction that counts
// clicks: a delete leaves a tombstone, by which that learns of it (see package rows).
package links
