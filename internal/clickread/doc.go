// Package clickread answers what is asked of clicks, from the blocks and counts that stores keep: a
// Tally adds them up, for a statistic or for the counts of a Month; Events finds the latest.
//
// A store hands over what it has read, or implements Shelf. The package knows nothing of databases,
// nor of the bytes of blocks: those are clickblock's.
package clickread
