package postgres

// Waiting returns how many creates, deletes and look-ups are not begun.
func (s *Store) Waiting() int {
	return len(s.creates.calls) + len(s.deletes.calls) + len(s.lookUps.calls)
}
