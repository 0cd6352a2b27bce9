package clickstore

import (
	"errors"
	"fmt"

	"terse"
)

// ErrPosition means that a batch does not begin where its journal's last one ended: another process
// counts the same journal, or a database was restored.
var ErrPosition = errors.New("the batch does not begin at the journal's position in the database")

// CheckPosition returns an ErrPosition unless a batch begins at its journal's position.
func CheckPosition(batch *terse.ClickBatch, position int64) error {
	if batch.From == position {
		return nil
	}
	return fmt.Errorf("%w: it begins at %d, the position is %d", ErrPosition, batch.From, position)
}
