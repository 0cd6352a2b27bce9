// Package stats answers from the clicks that package counter has counted, in a transaction of its
// caller, which must see one state of the database: statistics, events, and how many clicks each
// link has in a range.
//
// It reads the tables that counter writes. To tell the links of clicks of all links, it looks into
// links, and package ranges. It opens no transaction, writes nothing and retries nothing.
package stats
