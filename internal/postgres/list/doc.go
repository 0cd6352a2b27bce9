// Package list finds the links of a page, in a transaction of its caller that sees one state of the
// database.
//
// It reads the tables of links, and writes nothing.
//
// # Where a list comes from
//
// Indexes have an owner's links in the order of time: of all links, of those with a tag, and of
// those that can be anything but active, in all and with a tag. A list comes from the smallest one
// that has all of its links, by its rarest tag. So a page costs as much as the links that are
// passed over, and a total as much as the index. What needs no counting is not counted: all links
// and those of one tag have totals.
package list
