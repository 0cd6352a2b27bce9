// Package list finds the links of a page, in a transaction of its caller that sees one state of the
// database.
//
// It reads the tables of links and what package ranges keeps of them, and writes nothing.
//
// # In the order of time
//
// Indexes have an owner's links in that order: of all links, of those with a tag, and of those that
// can be anything but active, in all and with a tag. A page comes from the smallest one that has
// all of its links, by its rarest tag, and costs as much as the links that are passed over. Where
// few links have all of some tags, those are looked up instead.
//
// # By clicks
//
// An index of clicks would be written with each of them. A page comes from the totals of all links
// instead, a range of IDs in a row: the set of links that a filter lets through is made first, then
// the totals tell which of them come next, and those are looked up.
//
// # Totals
//
// All links, and those of one tag, have totals. States are counted by their index. What has several
// tags is the intersection of their sets, and of ranges of IDs it is known when their links were
// made, so that only those at both ends of a filter's range of time are counted one by one.
package list
