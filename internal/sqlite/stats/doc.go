// Package stats answers from the clicks that package counter has counted, in one snapshot of an
// SQLite database, which its caller begins: statistics, events, and how many clicks each link has
// in a range.
//
// It reads the tables that counter writes. For the clicks of all links, it reads which links exist
// and which of them have some tags. It writes nothing.
package stats
