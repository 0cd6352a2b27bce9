package terse

import "context"

// VisitorKey is the key that the visitors of a UTC day are hashed with. Who has it can find out
// whether somebody with a known address and user agent clicked.
type VisitorKey [16]byte

// Visitors keeps what tells the visitors of a day from each other: its key, and the hashes of
// those who clicked. Both go when the day is over.
type Visitors interface {
	// VisitorKey returns the key of a day, the same to all who ask. The first gets a new random
	// one. ErrNotFound when the day was ended, or when one two days later has a key.
	VisitorKey(ctx context.Context, day Day) (VisitorKey, error)

	// EndDays says that it is a day by now. It forgets the keys of those before. With counted no
	// click from before waits in the journal any more. When that holds for all journals, the hashes
	// of those days are forgotten, too; those of a journal of which nothing was heard for two days
	// do not count. A click that comes later nonetheless is no first.
	EndDays(ctx context.Context, journal string, today Day, counted bool) error
}
