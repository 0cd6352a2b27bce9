package terse_test

import (
	"regexp"
	"testing"

	"terse"
)

func TestDeliveryID(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^msg_[0-9A-Za-z]{27}$`)
	seen := map[string]bool{}
	for range 100 {
		id := terse.NewDeliveryID()
		if !form.MatchString(id) || seen[id] {
			t.Errorf("%q, seen before: %v", id, seen[id])
		}
		seen[id] = true
	}
}
