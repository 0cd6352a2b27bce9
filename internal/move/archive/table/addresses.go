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

// setAddresses makes the first address of a link its code and the others its aliases, and sets its
// domain. The path of the short URL is an alias, if the code is another one: both may be printed
// somewhere. Left out are those at another host than the one that is wanted; if none is, those of
// other domains, and those that a row before has at another host.
func (r *Reader) setAddresses(l *line, hosts *sources.Hosts) (elsewhere bool, err error) {
	all := append([]place{l.code}, l.aliases...)
	if l.code.path == "" {
		all[0] = l.urlCode
	} else if l.urlCode.path != "" && l.urlCode.path != l.code.path {
		all = append(all, l.urlCode)
	}
	l.code = all[0] // of the report, if the row fails
	host := cmp.Or(all[0].host, l.host, l.urlCode.host)
	for i := range all {
		all[i].host = cmp.Or(all[i].host, host)
	}
	hasCode := all[0].path != "" || r.preset.AtHosts
	all = slices.DeleteFunc(all, func(p place) bool { return p.path == "" })
	if r.links.OnlyHost != "" {
		if host == "" && !slices.ContainsFunc(all, func(p place) bool { return p.host != "" }) {
			if r.hasHosts() { // of which this row's is another one
				return true, nil
			}
			return false, errNoHost
		}
		if len(all) == 0 && host != r.links.OnlyHost {
			return true, nil
		}
		hadAny := len(all) > 0
		all = slices.DeleteFunc(all, func(p place) bool { return p.host != r.links.OnlyHost })
		elsewhere = hadAny && len(all) == 0
	}
	all = r.setDomain(l, all, host)
	if r.links.OnlyHost == "" {
		if all, err = r.without(l, all, hosts); err != nil {
			return false, err
		}
	}
	l.code, l.aliases = place{}, all
	if hasCode && len(all) > 0 {
		l.code, l.aliases = all[0], all[1:]
	}
	return elsewhere, nil
}

// hasHosts reports whether a column names the host of links.
func (r *Reader) hasHosts() bool { return slices.Contains(r.columns, byName["domain"].field) }

// setDomain sets the domain of a row's link: that of the first address at a host that the server
// knows, else of the first one; without any that of the row's host. It returns the addresses
// without those at hosts of other domains, which can't be the link's. Those at unknown hosts can.
func (r *Reader) setDomain(l *line, all []place, host string) (left []place) {
	var hosts []string
	for _, p := range all {
		hosts = append(hosts, p.host)
	}
	if len(all) == 0 {
		hosts = []string{host}
	}
	known := false
	for i, host := range hosts {
		on, strange := r.links.Domains.Of(host)
		if i == 0 || !strange && !known {
			l.domain = on
		}
		known = known || !strange
	}
	noted := ""
	for i, host := range hosts {
		on, strange := r.links.Domains.Of(host)
		switch {
		case strange && host != noted:
			noted = host
			l.notes = append(l.notes, errors.New(sources.Strange(host, l.domain)))
		case !strange && on != l.domain:
			l.notes = append(l.notes, fmt.Errorf("aliases lacks %q, which is at %s: the link is "+
				"on %s", all[i].path, host, cmp.Or(l.domain, "the default domain")))
			continue
		}
		if i < len(all) {
			left = append(left, all[i])
		}
	}
	return left
}

// without returns the places without those that a row before has at another host. If none is left,
// the row can't be read.
func (r *Reader) without(l *line, all []place, hosts *sources.Hosts) (left []place, err error) {
	var why error // the first one is not there
	for _, p := range all {
		if p.host == "" && r.hasHosts() {
			p.host = sources.NoHost
		}
		other, err := hosts.Other(p.host, l.domain, p.path)
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
