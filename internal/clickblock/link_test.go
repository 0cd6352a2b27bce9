package clickblock

import (
	"testing"

	"terse"
)

// Links that share an ID, of different eras or with different codes, are not taken for each other.
func TestLinksWithOneID(t *testing.T) {
	t.Parallel()
	links := []Link{{}, {LinkRef: terse.LinkRef{ID: 8}}}
	for era := range uint32(3) {
		for range 3 {
			of := terse.LinkRef{ID: 7, Code: terse.NewCode()}
			links = append(links, Link{LinkRef: of, Era: era})
		}
	}
	var table linkTable
	for range 2 {
		table.reset()
		for range 2 {
			for want, link := range links {
				if got := table.find(link); got != uint32(want) {
					t.Errorf("%+v has the number %d, want %d", link, got, want)
				}
			}
		}
	}
}
