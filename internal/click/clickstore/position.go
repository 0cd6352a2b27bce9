package clickstore

import (
	"errors"
	"fmt"

	"terse"
)

// ErrPosition means that a batch does not begin where its journal's last one ended: another process
// counts the same journal, or a database was restored.
var ErrPosition = errors.New("the batch does not begin at the journal's position in the database")

// movePosition moves a journal's position to the end of a batch.
func movePosition(tx Transaction, batch *terse.ClickBatch) error {
	position, err := tx.Position(batch.Journal)
	switch {
	case err != nil:
		return err
	case batch.From != position:
		return fmt.Errorf("%w: it begins at %d, the position is %d", ErrPosition, batch.From,
			position)
	case batch.To == position:
		return nil
	}
	return tx.SetPosition(batch.Journal, batch.To)
}
