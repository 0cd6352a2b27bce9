// Package links reads and changes links and what belongs to them, in its caller's transaction.
//
// It knows the tables of links, but not how clicks are counted. It opens no transaction, commits
// nothing and retries nothing.
//
// # Columns for lists
//
// A link's options are one text. For lists, its tags, and its status with the time for which it is
// valid, have their own columns. These, and the sets that lists combine, are derived from the text
// when it is written, as package follow says. Options that can't be read keep the tags and the
// status that their link had. When a status changes with time, lists correct it until Advance moves
// the link.
//
// # Tags
//
// An owner's first spelling of a tag applies to all links: options are respelled before they are
// written. Two transactions that introduce a tag at the same time notice it at their end, when they
// count the tag; one then gets ErrConflict and is tried again.
//
// # Sets and ranges
//
// Lists read tables by ranges of 1,024 IDs: which links of an owner have a tag or a status, how
// many links there are, and when they were created. These tables belong to no shard.
//
// Lists of all owners merge the rows of two: terse.Identity, which in nearly all installations has
// all links, and terse.AllOwners, under which those of all others are kept once more. Another index
// has the links of these others in the order of time. So an installation with one owner writes no
// row more.
//
// # Locks
//
// A transaction locks the rows of links that it changes before it reads them: several at once in
// the order of terse.LinkRef.Compare. At its end it writes tags, sets and ranges, which many
// transactions write, in this order and each sorted. Nothing here waits for a transaction that
// counts clicks: a delete writes a tombstone for it (see package rows).
package links
