// Package links reads and changes links and what belongs to them, in a transaction of its caller.
//
// It knows the tables of links but not how clicks are counted. It opens no transaction, commits
// nothing and retries nothing.
//
// # Columns for lists
//
// A link's options are one text. Its tags, and its status with the time for which it holds, stand
// in columns beside it, for lists. They and the sets that lists combine are derived from the text
// when it is written. Options that can't be read have neither tags nor status. When time changes a
// status, lists correct it until Advance moves the link.
//
// # Tags
//
// An owner's first spelling of a tag is the spelling of all: options get it before they are
// written. Two transactions that introduce a tag at the same time notice at their end, when they
// count it; then one gets ErrConflict and is tried again.
//
// # Sets and ranges
//
// What lists combine and count is kept by ranges of 1,024 IDs: which links of an owner have a tag
// or a status, how many there are, and when they were made. These tables belong to no shard.
//
// # Locks
//
// A transaction locks the rows of links that it changes before it reads them: several at once in
// the order of terse.LinkRef.Compare. At its end it writes totals of tags, sets and ranges, which
// many transactions write, in this order and each sorted. Nothing here waits for a transaction that
// counts clicks: a delete leaves a tombstone for it (see package rows).
package links
