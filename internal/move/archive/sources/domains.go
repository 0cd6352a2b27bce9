package sources

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"terse/internal/link/weburl"
)

// Domains say at which domain of the server links are to be, by the host that a source has for
// them. Nil Domains know one domain. They are not for concurrent use.
type Domains struct {
	// Served are the hosts of the server, each with what a line says of it: "" for the default one.
	Served map[string]string
	// Moved are domains by the host of the source, "" for links of which it names none. They go
	// before Served.
	Moved map[string]string

	met   map[string]bool   // hosts of Moved that the source has
	known map[string]domain // by hosts that were asked for, maxHosts at most
}

// domain is where links of a host are to be.
type domain struct {
	host    string // "": the default one
	strange bool   // the server has several domains, and does not know the host
}

// HostName returns a host, which may have a port, in the form in which hosts are compared.
func HostName(text string) (name string, ok bool) {
	text, port := splitPort(text)
	name, ok = weburl.Host(text)
	name = strings.TrimSuffix(name, ".")
	return name + port, ok && name != ""
}

// splitPort returns a host without its port, and that with its colon.
func splitPort(host string) (name, port string) {
	name = strings.TrimRight(host, "0123456789")
	if bare, ok := strings.CutSuffix(name, ":"); ok && !strings.HasSuffix(bare, ":") {
		return bare, host[len(bare):]
	}
	return host, ""
}

// Of returns the domain of links at a host of the source, "" for the default one. It is strange if
// the server has several, and does not know the host.
func (d *Domains) Of(host string) (on string, strange bool) {
	if d == nil {
		return "", false
	}
	found, ok := d.known[host]
	if !ok {
		found = d.find(host)
		if len(d.known) < maxHosts {
			if d.known == nil {
				d.known = map[string]domain{}
			}
			d.known[host] = found
		}
	}
	return found.host, found.strange
}

func (d *Domains) find(host string) domain {
	if to, moved := d.moved(host); moved {
		return domain{host: to}
	}
	name, _ := HostName(host)
	bare, _ := splitPort(name) // all of Served have the same
	to, served := d.Served[bare]
	return domain{to, !served && host != "" && len(d.Served) > 1}
}

// moved returns where Moved has links at a host, with its port or without.
func (d *Domains) moved(host string) (to string, ok bool) {
	if d == nil {
		return "", false
	}
	name, known := HostName(host)
	if !known && host != "" {
		return "", false
	}
	bare, _ := splitPort(name)
	for _, name := range []string{name, bare} {
		if to, ok = d.Moved[name]; ok {
			if d.met == nil {
				d.met = map[string]bool{}
			}
			d.met[name] = true
			return to, true
		}
	}
	return "", false
}

// Unmet returns the hosts of Moved at which the source had no link.
func (d *Domains) Unmet() (hosts []string) {
	for _, host := range slices.Sorted(maps.Keys(d.Moved)) {
		if !d.met[host] {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// Strange says of a link that the server does not know its host, and on which domain it is instead.
func Strange(host, on string) string {
	if on == "" {
		on = "the default one"
	}
	return fmt.Sprintf("domain %s is none of this server: the link is on %s", host, on)
}
