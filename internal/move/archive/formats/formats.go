// Package formats is the table of the formats in which links come in, for the server and the
// command line alike. A format is added by its row here and a package with its archive.Source. A
// test says which documents have to name it, too.
package formats

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"

	"terse/internal/move/archive"
	"terse/internal/move/archive/sources"
	"terse/internal/move/archive/sources/database"
	"terse/internal/move/archive/sources/webapi"
	"terse/internal/move/archive/table"
)

// Options say how a source is read.
type Options struct {
	Table           table.Options // if it is a table
	sources.Options               // if it is of another product
}

// Format is what links come in: the texts of a product, and for the command line also its databases
// and its API.
type Format struct {
	// Name is what people give, as in format=csv and terse import csv.
	Name string
	// Help says what is read.
	Help string
	// Begins reports whether a text may be of the format that begins so, behind blanks and marks.
	// It is nil if no beginning tells.
	Begins func(start []byte) bool
	// Open returns the lines of a text as it was sent, which may begin with a mark of its encoding
	// or be in UTF-16. It is nil if the format has no texts.
	Open func(text io.Reader, o Options) (archive.Source, error)
	// Database, if set, reads an SQLite file or a PostgreSQL database of the product.
	Database func(ctx context.Context, from *database.Conn, to *sources.Out) error
	// API, if set, reads from a server of the product.
	API func(ctx context.Context, from *webapi.Client, to *sources.Out) error
	// HasHosts says that its links may be at several hosts, which may be domains of the server.
	HasHosts bool
	// HasZone says that its times may need a time zone, of which sources.Options have that.
	HasZone bool
	// Sorts says that Open reads all of a text before its first line. The command line does that
	// once.
	Sorts bool
	// Check, if set, reads a text through, and fails if it was cut off or can't be imported. The
	// command line does so before it sends anything; the server checks what it has received.
	Check func(text io.Reader) error
	// IsTable says that Open takes options and returns a *table.Reader. What the columns are is
	// answered, and asked where it is doubtful.
	IsTable bool
}

// All are all formats. The first one that a text may be of is that of a text whose format is not
// given.
var All = []*Format{
	{
		Name: "terse", Help: "an export of terse",
		Begins: func(start []byte) bool {
			return len(start) == 0 || start[0] == '{' && !firstIs("version")(start) &&
				!firstIs("Short")(start)
		},
		Open: func(text io.Reader, o Options) (archive.Source, error) {
			return sources.ReadExport(text, o.Options), nil
		},
		Check: archive.CheckExport,
	},
	{
		Name: "sink", Help: "a JSON export or backup of Sink", Begins: firstIs("version"),
		Open: textOf(sources.ReadSink), Check: checkOf(sources.ReadSink),
	},
	{
		Name: "golink", Help: "golink's /.export, as a file or from its address",
		Begins: firstIs("Short"), Open: textOf(sources.ReadGolink), API: sources.AskGolink,
	},
	tableOf("bitly", "a CSV file of Bitly's links", table.Bitly),
	tableOf("dub", "a CSV file of Dub's links", table.Dub),
	shlink(),
	{
		Name: "chhoto", Help: "the database of chhoto-url, or its server",
		Database: sources.ChhotoDatabase, API: sources.ChhotoAPI,
	},
	{
		Name: "mjrwtf", Help: "the database of mjr.wtf", Database: sources.MjrwtfDatabase,
	},
	{
		Name: "yourls", Help: "an SQL dump of YOURLS, or its address",
		Begins: func(start []byte) bool {
			start = bytes.ReplaceAll(start, []byte{0}, nil) // of UTF-16
			return bytes.HasPrefix(start, []byte("-- ")) || bytes.HasPrefix(start, []byte("/*"))
		},
		Open: func(text io.Reader, o Options) (archive.Source, error) {
			decoded, _, err := table.DecodeUTF8(text)
			return sources.Read(o.Options, func(to *sources.Out) error {
				return sources.YOURLSDump(decoded, to)
			}), err
		},
		API: sources.YOURLSAPI, HasZone: true, Sorts: true,
	},
	{
		Name: "kutt", Help: "the database of Kutt, or its server",
		Database: sources.KuttDatabase, API: sources.KuttAPI, HasHosts: true,
	},
	tableOf("csv", "a table of links of any other product", nil),
}

// firstIs returns whether a text begins with an object whose first member has a name.
func firstIs(name string) func(start []byte) bool {
	return regexp.MustCompile(`^\{\s*"` + name + `"`).Match
}

// textOf returns an Open of the reader of a product's texts.
func textOf(read func(io.Reader, *sources.Out) error) func(io.Reader, Options) (
	archive.Source, error,
) {
	return func(text io.Reader, o Options) (archive.Source, error) {
		return sources.Read(o.Options, func(to *sources.Out) error { return read(text, to) }), nil
	}
}

// checkOf returns a Check that reads a text through.
func checkOf(read func(io.Reader, *sources.Out) error) func(io.Reader) error {
	return func(text io.Reader) error {
		source := sources.Read(sources.Options{}, func(to *sources.Out) error {
			return read(text, to)
		})
		for _, err := range source.Lines() {
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// shlink returns a format that is a table, or read from a server.
func shlink() *Format {
	f := tableOf("shlink", "Shlink's API, or a CSV file of its links", table.Shlink)
	f.API = sources.ShlinkAPI
	return f
}

// tableOf returns the format of tables of a product, or of any.
func tableOf(name, help string, preset *table.Preset) *Format {
	f := &Format{
		Name: name, Help: help, IsTable: true, HasHosts: true,
		Open: func(text io.Reader, o Options) (archive.Source, error) {
			o.Table.Links, o.Table.Preset = o.Options, preset
			return table.NewReader(text, o.Table)
		},
	}
	if preset == nil {
		f.Begins = func([]byte) bool { return true }
	}
	return f
}

// Default is the name of the format of what the API takes if none is given.
const Default = "terse"

// Named returns the format of a name, nil for an unknown one.
func Named(name string) *Format {
	for _, f := range All {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Names returns the names of all formats.
func Names() (names []string) {
	for _, f := range All {
		names = append(names, f.Name)
	}
	return names
}

// TextNames returns the names of the formats that have texts, which the server takes.
func TextNames() (names []string) {
	for _, f := range All {
		if f.Open != nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// Help returns what each format is, in a sentence.
func Help() string {
	var texts []string
	for _, f := range All {
		texts = append(texts, f.Name+": "+f.Help)
	}
	return strings.Join(texts, "; ") + "."
}

// Peek is how many bytes of a text tell its format.
const Peek = 1 << 10

// Of returns the format of a text that begins with start, nil if it is none. A mark of the encoding
// may be in front, or zero bytes between, as in UTF-16.
func Of(start []byte) *Format {
	start = bytes.ReplaceAll(start, []byte{0}, nil)
	start = bytes.TrimLeft(start, "\xEF\xBB\xBF\xFE\xFF \t\r\n")
	for _, f := range All {
		if f.Begins != nil && f.Begins(start) {
			return f
		}
	}
	return nil
}
