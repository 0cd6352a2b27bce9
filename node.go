package terse

import "context"

// Node is the part of a store that one node of terse needs for itself, see Links.
type Node interface {
	// KeepUnknown keeps the codes without a link that a node counted on a day, in place of what it
	// kept of that day before. It forgets the days that are more than UnknownDays older.
	KeepUnknown(ctx context.Context, node string, day Day, codes UnknownCodes) error

	// Unknown returns what each node kept of a day.
	Unknown(ctx context.Context, day Day) (map[string]UnknownCodes, error)

	// Check reports whether the store can read and write now.
	Check(ctx context.Context) error

	// Watch calls changed for the code of each link that others than this Store changed, and all
	// when it does not know which links those are: within a second, while the database can be
	// reached. What the store answers after a call is as new as the change. It returns nil when ctx
	// ends.
	Watch(ctx context.Context, changed func(Code), all func()) error

	// Close waits for what is under way and releases the store.
	Close() error
}
