package terse

import "context"

// VisitorKey keys the hash of a UTC day's visitors. Anyone who has it can test whether a known
// address and user agent clicked.
type VisitorKey [16]byte

// Visitors keeps what identifies a day's visitors: the day's key and the hashes of those who
// clicked. Both are forgotten when the day is over.
type Visitors interface {
	// VisitorKey returns the key of a day, the same for every caller. The first call makes a new
	// random one. ErrNotFound if the day has ended, or if a later day of the same parity has a key.
	VisitorKey(ctx context.Context, day Day) (VisitorKey, error)

	// EndDays tells the store that the day is now today, and forgets the keys of earlier days.
	// counted means that no earlier click waits in the journal. Once that holds for all journals,
	// the hashes of those days are forgotten, too; a journal that has not reported for two days is
	// ignored. A click that arrives even later is not counted as a first.
	EndDays(ctx context.Context, journal string, today Day, counted bool) error
}
