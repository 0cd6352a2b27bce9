package sources

import (
	"fmt"
	"io"
	"iter"

	"github.com/go-json-experiment/json"

	"terse/internal/link/weburl"
	"terse/internal/move/archive"
)

// ReadExport returns the lines of an export of terse. Options may leave out links of other hosts
// than one, and have links on other domains than they were on.
func ReadExport(text io.Reader, o Options) archive.Source {
	lines := archive.NewReader(text)
	if o.OnlyHost == "" && (o.Domains == nil || len(o.Domains.Moved) == 0) {
		return lines
	}
	return &export{options: o, lines: lines}
}

// export is an export that is changed as it is read.
type export struct {
	options Options
	lines   *archive.Reader
	own     string // the host of links that name none; "": not known
	hosts   Hosts
	text    archive.Builder
	out     archive.Line
	omitted bool // the lines below the last link, which was left out, are too
}

// Lines implements archive.Source.
func (e *export) Lines() iter.Seq2[*archive.Line, error] {
	return archive.LinesOf(func() (*archive.Line, error) {
		for {
			line, err := e.lines.Next()
			if err != nil {
				return nil, err
			}
			if line, err = e.change(line); line != nil || err != nil {
				return line, err
			}
		}
	})
}

// change returns a line as it is to be, nil if it is left out.
func (e *export) change(line *archive.Line) (*archive.Line, error) {
	switch line.Type {
	case archive.TypeExport:
		e.own = hostOfURL(member(line, "base_url"))
	case archive.TypeLink:
		return e.link(line)
	case archive.TypeShare:
		return e.share(line), nil
	case archive.TypeEnd:
	default:
		if line.Err != nil { // it may have been a link line
			e.omitted = false
		}
		if e.omitted {
			return nil, nil //nolint:nilnil // there is no line, and no error
		}
		return line, nil
	}
	e.omitted = false
	return line, nil
}

// link changes a link line.
func (e *export) link(line *archive.Line) (*archive.Line, error) {
	host, on := e.domainOf(line)
	if e.omitted = !e.options.only(host); e.omitted {
		return nil, nil //nolint:nilnil // there is no line, and no error
	}
	if e.options.OnlyHost == "" {
		code := line.ShortCode()
		named := host
		if named == "" {
			named = NoHost
		}
		if other, err := e.hosts.Other(named, on, code); err != nil {
			return nil, err
		} else if other != "" && code != "" {
			e.omitted = true
			e.out = archive.Line{Number: line.Number, Err: &archive.LineError{
				Domain: on, Code: code, Field: "short_code",
				Err: fmt.Errorf("short_code %w", AtOther(other, named)),
			}}
			return &e.out, nil
		}
	}
	return e.at(on, line), nil
}

// share changes the line of a share. Those of tags and of the overview are of all hosts.
func (e *export) share(line *archive.Line) *archive.Line {
	if member(line, "short_code") == "" {
		if e.options.OnlyHost != "" {
			return nil
		}
		return line
	}
	host, on := e.domainOf(line)
	if !e.options.only(host) {
		return nil
	}
	return e.at(on, line)
}

// domainOf returns the host of a line, and the domain on which it is to be. The server judges a
// name that is none, or that of no domain of it.
func (e *export) domainOf(line *archive.Line) (host, on string) {
	named := member(line, "domain")
	hosts := []string{"", e.own} // by which the default domain may be meant
	if named != "" {
		name, ok := HostName(named)
		if !ok {
			return named, named
		}
		hosts = []string{name}
	}
	for _, host := range hosts {
		if on, moved := e.options.Domains.moved(host); moved {
			return hosts[len(hosts)-1], on
		}
	}
	return hosts[len(hosts)-1], named
}

// at returns a line with its link on a domain.
func (e *export) at(domain string, line *archive.Line) *archive.Line {
	if domain == member(line, "domain") {
		return line
	}
	b := &e.text
	b.Begin(line.Type)
	for _, f := range line.Fields {
		if f.Name != "domain" {
			b.Add(f.Name, f.Value)
		}
	}
	if domain != "" {
		b.AddString("domain", domain)
	}
	b.End()
	e.out = archive.Line{
		Number: line.Number, Notes: line.Notes, Fields: e.out.Fields[:0],
		IsMoved: true, Origin: member(line, "domain"),
	}
	b.Fill(&e.out)
	return &e.out
}

// member returns a text that a line has, "" for another value.
func member(line *archive.Line, name string) (text string) {
	for _, f := range line.Fields {
		if f.Name == name {
			_ = json.Unmarshal(f.Value, &text) // the server says what is wrong
		}
	}
	return text
}

// hostOfURL returns the host of a URL with its port, as HostName does.
func hostOfURL(text string) string {
	parts, ok := weburl.Split(text)
	if !ok {
		return ""
	}
	host := parts.Host
	if parts.Port != "" {
		host += ":" + parts.Port
	}
	name, _ := HostName(host)
	return name
}
