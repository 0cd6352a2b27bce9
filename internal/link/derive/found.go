package derive

import (
	"fmt"
	"slices"
)

// Found is what Compare has found.
type Found struct {
	Links int64 // that were compared
	Kinds []Kind
}

// Kind is differences of a kind, in words.
type Kind struct {
	Name  string // of what differs, such as "tags"
	Lines []string
	More  int64 // so many further ones
}

// Lines returns all differences that are named.
func (f *Found) Lines() (lines []string) {
	for _, k := range f.Kinds {
		lines = append(lines, k.Lines...)
	}
	return lines
}

// Within returns the differences that are also in another comparison of the same database.
func (f *Found) Within(other *Found) *Found {
	again, both := other.Lines(), &Found{Links: f.Links}
	for _, k := range f.Kinds {
		k.Lines = slices.DeleteFunc(slices.Clone(k.Lines), func(line string) bool {
			return !slices.Contains(again, line)
		})
		if len(k.Lines) > 0 {
			both.Kinds = append(both.Kinds, k)
		}
	}
	return both
}

// The kinds of differences.
const (
	inSets   = "sets"
	inTags   = "tags"
	inRanges = "numbers of links"
	inStates = "states"
	inAlias  = "aliases"
	leftOver = "rows of links that are gone"
)

// add adds a difference of a kind.
func (f *Found) add(most int, kind, format string, args ...any) {
	i := slices.IndexFunc(f.Kinds, func(k Kind) bool { return k.Name == kind })
	if i < 0 {
		i = len(f.Kinds)
		f.Kinds = append(f.Kinds, Kind{Name: kind})
	}
	k := &f.Kinds[i]
	if len(k.Lines) == most {
		k.More++
		return
	}
	k.Lines = append(k.Lines, fmt.Sprintf(format, args...))
}
