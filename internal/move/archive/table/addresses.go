package table

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"terse/internal/move/archive/sources"
)

// hostsError says that there are too many hosts or links to know which host each code is at.
// Nothing more is read.
type hostsError struct{ error }

// errNoHost says that --only-host can't tell whether a row is meant.
var errNoHost = errors.New("short_code is at no host that is known, so --only-host can't tell " +
	"whether it is meant")

// setAddresses makes the first address of a link its code and the others its aliases. The path of
// the short URL is an alias, if the code is another one: both may be printed somewhere. Left out
// are those at another host than the one that is wanted; if none is, those that a row before has at
// another host.
func (r *Reader) setAddresses(l *line, hosts *sources.Hosts) (elsewhere bool, err error) {
	all := append([]place{l.code}, l.aliases...)
	if l.code.path == "" {
		all[0] = l.urlCode
	} else if l.urlCode.path != "" && l.urlCode.path != l.code.path {
		all = append(all, l.urlCode)
	}
	l.code = all[0] // of the report, if the row fails
	host := cmp.Or(all[0].host, l.domain, l.urlCode.host)
	for i := range all {
		all[i].host = cmp.Or(all[i].host, host)
	}
	hasCode := all[0].path != "" || r.preset.AtHosts
	all = slices.DeleteFunc(all, func(p place) bool { return p.path == "" })
	if r.links.OnlyHost != "" {
		if !slices.ContainsFunc(all, func(p place) bool { return p.host != "" }) {
			return false, errNoHost
		}
		all = slices.DeleteFunc(all, func(p place) bool { return p.host != r.links.OnlyHost })
		elsewhere = len(all) == 0
	} else if all, err = l.without(all, hosts); err != nil {
		return false, err
	}
	l.code, l.aliases = place{}, all
	if hasCode && len(all) > 0 {
		l.code, l.aliases = all[0], all[1:]
	}
	return elsewhere, nil
}

// without returns the places without those that a row before has at another host. If none is left,
// the row can't be read.
func (l *line) without(all []place, hosts *sources.Hosts) (left []place, err error) {
	var why error // the first one is not there
	for _, p := range all {
		other, err := hosts.Other(p.host, p.path)
		switch {
		case err != nil:
			return nil, hostsError{err}
		case other == "":
			left = append(left, p)
			continue
		case why == nil:
			why = fmt.Errorf("short_code %w", sources.AtOther(other, p.host))
		}
		l.notes = append(l.notes, fmt.Errorf("aliases lacks %q, which %w", p.path,
			sources.AtOther(other, p.host)))
	}
	if len(left) == 0 {
		return nil, why
	}
	return left, nil
}
