// Package stats answers from the clicks that package counter has counted, in one snapshot of an
// SQLite database, which its caller begins: statistics, events, and how many clicks each link has
// in a range.
//
// It reads the tables that counter writes. To tell the links of clicks of all links, it looks into
// links and the sets of their tags. It writes nothing.
package stats
