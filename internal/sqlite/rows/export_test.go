package rows

import "terse/internal/clickstore"

// WithoutValues are statements that read none.
func WithoutValues() []string {
	t := tables[clickstore.Level2]
	return []string{t.sizes, t.old}
}
