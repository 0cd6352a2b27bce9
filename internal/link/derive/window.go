package derive

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"terse"
	"terse/internal/link/linkset"
)

// comparison is what a Compare keeps from range to range.
type comparison struct {
	options Options
	found   *Found
	tags    map[ownedTag]int64 // how many links have each
	full    bool               // there are more tags than are compared
}

type ownedTag struct{ owner, folded string }

func (c *comparison) differ(kind, format string, args ...any) {
	c.found.add(c.options.Most, kind, format, args...)
}

// window is a range of IDs while it is compared.
type window struct {
	*comparison
	number, end int64
	links       map[terse.LinkID]known
	sets        map[ownedSet]linkset.Set // that follow from links
	said        map[ownedSet]linkset.Set // that rows have
	counted     map[string]*Range        // by owner, that follow from links
	rows        map[string]*Range        // by owner, that rows have
	aliases     map[Alias]bool           // that follow from links and are still to come
}

// known is a link of a window.
type known struct {
	code, owner string
	damaged     bool // its options are: any alias may be its
	anyTags     bool // and any tag, too
}

type ownedSet struct{ owner, name string }

// archived is the name of the set of archived links.
const archived = "archived"

// onDomain begins the names of the sets of domains.
const onDomain = "@"

// String says what a set has.
func (s ownedSet) String() string {
	if tag, isTag := strings.CutPrefix(s.name, "#"); isTag {
		return fmt.Sprintf("the tag %s of %s", tag, inWordsOf(s.owner))
	}
	if s.name == archived {
		return "the archive of " + inWordsOf(s.owner)
	}
	if domain, isDomain := strings.CutPrefix(s.name, onDomain); isDomain {
		return fmt.Sprintf("domain %s of %s", domain, inWordsOf(s.owner))
	}
	return fmt.Sprintf("the status %s of %s", s.name, inWordsOf(s.owner))
}

// inWordsOf names whose rows differ.
func inWordsOf(owner string) string {
	if owner == terse.AllOwners {
		return "everybody but " + terse.Identity
	}
	return owner
}

// keepers returns whose sets and ranges have the links of an owner.
func keepers(owner string) []string {
	if owner == terse.Identity {
		return []string{owner}
	}
	return []string{owner, terse.AllOwners}
}

func newWindow(c *comparison, number int64) *window {
	return &window{
		comparison: c, number: number, end: (number + 1) << linkset.RangeBits,
		links: map[terse.LinkID]known{}, sets: map[ownedSet]linkset.Set{},
		said: map[ownedSet]linkset.Set{}, counted: map[string]*Range{}, rows: map[string]*Range{},
		aliases: map[Alias]bool{},
	}
}

// name names a link for people.
func (w *window) name(id terse.LinkID) string {
	if l, exists := w.links[id]; exists {
		return fmt.Sprintf("link %d (%s)", id, l.code)
	}
	return fmt.Sprintf("link %d, which is gone", id)
}

// link derives what follows from a link, and compares its own columns.
func (w *window) link(l Link) {
	w.found.Links++
	set, err := l.Options.Decode()
	damaged := err != nil
	w.links[l.ID] = known{l.Code, l.Owner, damaged, damaged && !l.HasTags}
	for _, owner := range keepers(l.Owner) {
		r := w.counted[owner]
		if r == nil {
			r = &Range{First: math.MaxInt64, Last: math.MinInt64}
			w.counted[owner] = r
		}
		r.Links, r.First, r.Last = r.Links+1, min(r.First, l.CreatedAt), max(r.Last, l.CreatedAt)
	}
	if l.Status != "" && l.Status != terse.Active {
		w.in(l, string(l.Status))
	}
	if l.Archived {
		w.in(l, archived)
	}
	domain, _ := terse.SplitKey(l.Code)
	if domain != terse.DefaultDomain {
		w.in(l, onDomain+"0") // the set of all but the default
		w.in(l, onDomain+strconv.Itoa(int(domain)))
	}
	if damaged {
		for _, tag := range l.Tags {
			w.in(l, "#"+tag)
		}
		return
	}
	var folded []string
	for _, tag := range set.Tags {
		folded = append(folded, terse.FoldTag(tag))
		w.in(l, "#"+terse.FoldTag(tag))
	}
	if l.HasTags && !slices.Equal(folded, l.Tags) {
		w.differ(inStates, "the row of %s has the tags %q, its options %q", w.name(l.ID), l.Tags,
			folded)
	}
	for _, alias := range set.Aliases {
		alias = domain.Key(alias)
		w.aliases[Alias{alias, terse.FoldAddress(alias), l.ID}] = true
	}
	w.state(&l, &set)
}

// state compares the columns that repeat a link's options.
func (w *window) state(l *Link, set *terse.LinkOptions) {
	if !w.options.status(l, set) {
		status := fmt.Sprintf("the status %q", l.Status)
		if l.Status == "" {
			status = "no status"
		}
		w.differ(inStates, "%s has %s%s, which its options don't say", w.name(l.ID), status,
			span(l.Since, l.Until))
	}
	for _, c := range l.Columns {
		if want := value(c.Name, l, set); c.Value != want {
			w.differ(inStates, "%s of %s is %s, its options say %s", c.Name, w.name(l.ID),
				inWords(c.Name, c.Value), inWords(c.Name, want))
		}
	}
	if l.Archived != set.Archived {
		w.differ(inStates, "archived of %s is %v, its options say %v", w.name(l.ID), l.Archived,
			set.Archived)
	}
	if set.MaxClicks == 0 && l.Used != 0 {
		w.differ(inStates, "%s has used %d clicks, and has no max_clicks", w.name(l.ID), l.Used)
	}
}

// span says when a status holds.
func span(since, until int64) (text string) {
	if since > math.MinInt64 {
		text = " from " + instant(since)
	}
	if until < math.MaxInt64 {
		text += " until " + instant(until)
	}
	return text
}

func instant(at int64) string { return time.UnixMicro(at).UTC().Format(time.RFC3339Nano) }

func inWords(column string, value int64) string {
	switch {
	case column != OpenUntil && column != StartsAt && column != ExpiresAt:
		return fmt.Sprint(value)
	case value == math.MinInt64:
		return "always"
	case value == math.MaxInt64:
		return "never"
	}
	return instant(value)
}

// in notes that a link belongs into a set of its owner.
func (w *window) in(l Link, name string) {
	for _, owner := range keepers(l.Owner) {
		key := ownedSet{owner, name}
		w.sets[key] = w.sets[key].With(int64(l.ID))
	}
}

// set notes a row of a set.
func (w *window) set(s Set) {
	if len(s.Links) == 0 {
		w.differ(inSets, "%s has an empty row", ownedSet{s.Owner, s.Name})
	}
	key := ownedSet{s.Owner, s.Name}
	w.said[key] = w.said[key].Or(s.Links)
}

// missing compares the sets, and counts the links of tags.
func (w *window) missing() {
	for key, said := range w.said { // what links with damaged options had stays
		for _, id := range said.IDs() {
			l := w.links[terse.LinkID(id)]
			if !l.anyTags || l.owner != key.owner || key.name[0] != '#' {
				continue
			}
			for _, owner := range keepers(l.owner) {
				key := ownedSet{owner, key.name}
				w.sets[key] = w.sets[key].Or(linkset.Of([]int64{id}))
			}
		}
	}
	keys := maps.Clone(w.sets)
	maps.Copy(keys, w.said)
	for _, key := range slices.SortedFunc(maps.Keys(keys), func(a, b ownedSet) int {
		return cmp.Or(cmp.Compare(a.owner, b.owner), cmp.Compare(a.name, b.name))
	}) {
		want, said := w.sets[key], w.said[key]
		for _, id := range want.Without(said).IDs() {
			w.differ(inSets, "%s has %s, whose set lacks it", w.name(terse.LinkID(id)), key)
		}
		for _, id := range said.Without(want).IDs() {
			w.differ(inSets, "the set for %s has %s, which does not have it", key,
				w.name(terse.LinkID(id)))
		}
		tag, isTag := strings.CutPrefix(key.name, "#")
		if isTag && len(want) > 0 && key.owner != terse.AllOwners {
			w.tagged(ownedTag{key.owner, tag}, want.Count())
		}
	}
}

// tagged adds links to those of a tag.
func (c *comparison) tagged(tag ownedTag, links int64) {
	if _, known := c.tags[tag]; !known && len(c.tags) == c.options.MaxTags {
		c.full = true
		return
	}
	c.tags[tag] += links
}

// ranged notes a row with the number of an owner's links.
func (w *window) ranged(r Range) {
	sum := w.rows[r.Owner]
	if sum == nil {
		sum = &Range{First: math.MaxInt64, Last: math.MinInt64}
		w.rows[r.Owner] = sum
	}
	sum.Links += r.Links
	sum.First, sum.Last = min(sum.First, r.First), max(sum.Last, r.Last)
}

// alias compares an alias.
func (w *window) alias(a Alias) {
	if w.aliases[a] {
		delete(w.aliases, a)
		return
	}
	switch l, exists := w.links[a.Link]; {
	case exists && l.damaged && a.Folded == terse.FoldAddress(a.Address):
	case exists:
		w.differ(inAlias, "the alias %s, folded as %s, leads to %s, which does not have it",
			a.Address, a.Folded, w.name(a.Link))
	default:
		w.differ(inAlias, "the alias %s leads to %s", a.Address, w.name(a.Link))
	}
}

// owned compares a row that belongs to a link.
func (w *window) owned(r Owned) {
	l, exists := w.links[r.Link]
	switch {
	case r.Buries && exists:
		w.differ(leftOver, "%s buries %s, which exists", r.What, w.name(r.Link))
	case r.Buries:
	case !exists:
		w.differ(leftOver, "there is %s of %s", r.What, w.name(r.Link))
	case r.Code != "" && r.Code != l.code:
		w.differ(leftOver, "there is %s of %s with its former code %s", r.What, w.name(r.Link),
			r.Code)
	case r.Owner != "" && r.Owner != l.owner:
		w.differ(leftOver, "there is %s of %s with its former owner %s", r.What, w.name(r.Link),
			r.Owner)
	}
}

// rest compares the numbers of links, and names the aliases that did not come.
func (w *window) rest() {
	from, to := w.number<<linkset.RangeBits, w.end-1
	keys := maps.Clone(w.counted)
	maps.Copy(keys, w.rows)
	for _, owner := range slices.Sorted(maps.Keys(keys)) {
		want, said := w.counted[owner], w.rows[owner]
		owner := inWordsOf(owner)
		switch {
		case want == nil && said.Links != 0:
			w.differ(inRanges, "%s has no links with IDs from %d to %d, and %d are counted", owner,
				from, to, said.Links)
		case want == nil:
		case said == nil || said.Links != want.Links:
			counted := int64(0)
			if said != nil {
				counted = said.Links
			}
			w.differ(inRanges, "%s has %d links with IDs from %d to %d, and %d are counted",
				owner,
				want.Links, from, to, counted)
		case said.First > want.First || said.Last < want.Last:
			w.differ(inRanges, "%s has links with IDs from %d to %d made from %s to %s, and only "+
				"%s to %s is noted", owner, from, to, instant(want.First), instant(want.Last),
				instant(said.First), instant(said.Last))
		}
	}
	for _, a := range slices.SortedFunc(maps.Keys(w.aliases), func(a, b Alias) int {
		return cmp.Compare(a.Address, b.Address)
	}) {
		w.differ(inAlias, "%s is not found at its alias %s", w.name(a.Link), a.Address)
	}
}

// compareTags compares the numbers of links of tags.
func (c *comparison) compareTags(tags iter.Seq2[Tag, error]) error {
	for t, err := range tags {
		if err != nil {
			return err
		}
		key := ownedTag{t.Owner, t.Folded}
		have, known := c.tags[key]
		delete(c.tags, key)
		switch {
		case terse.FoldTag(t.Name) != t.Folded:
			c.differ(inTags, "the tag %s of %s is spelled %q", t.Folded, t.Owner, t.Name)
		case !known && c.full:
		case have != t.Links || have == 0:
			c.differ(inTags, "the tag %s of %s counts %d links, %d have it", t.Folded, t.Owner,
				t.Links, have)
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(c.tags), func(a, b ownedTag) int {
		return cmp.Or(cmp.Compare(a.owner, b.owner), cmp.Compare(a.folded, b.folded))
	}) {
		c.differ(inTags, "the tag %s of %s is not there, %d links have it", key.folded, key.owner,
			c.tags[key])
	}
	if c.full {
		c.differ(inTags, "there are more than %d tags; not all were compared", c.options.MaxTags)
	}
	return nil
}
