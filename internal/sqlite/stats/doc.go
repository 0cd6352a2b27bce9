// Package stats answers from the clicks that package counter has counted, in one snapshot of an
// SQLite database, which its caller begins: statistics, events, and how many clicks each link has
// in a range.
//
// It reads the tables that counter writes, and nothing of links: what links are asked for, its
// caller says. It writes nothing.
package stats
