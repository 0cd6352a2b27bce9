package table

// Preset is what is known of the tables of a product, beside what is known of any table.
type Preset struct {
	// Fields are those of columns, by their folded names, that are unknown in other tables, or
	// another field there.
	Fields map[string]string
	// AtHosts says that aliases may begin with a host, as in go.example/spring, and that any of a
	// link's addresses may be its code.
	AtHosts bool
	// ForwardQuery says that each link appends the visitor's query.
	ForwardQuery bool
}

// Presets. The titles of Bitly's columns were never documented, and have changed: so all names that
// were seen are known.
var (
	// Bitly knows a link with a random half and any number of custom ones, all of which redirect.
	Bitly = &Preset{AtHosts: true, Fields: map[string]string{
		"id":             "short_url",
		"custombitlinks": "aliases", "custombitlink": "aliases", "customlinks": "aliases",
		"customlink": "aliases", "custombackhalves": "aliases", "custombackhalf": "aliases",
		"backhalves": "aliases", "backhalf": "aliases", "customslug": "aliases",
	}}
	Dub = &Preset{ForwardQuery: true}
	// Shlink forwards the query unless a link says otherwise, which no table of it does.
	Shlink = &Preset{ForwardQuery: true}
)

// known returns the field that a column is by its name.
func (r *Reader) known(name string) ranked {
	if f := r.preset.Fields[fold(name)]; f != "" {
		return ranked{byName[fold(f)].field, lastRank}
	}
	return byName[fold(name)]
}

// lastRank is behind the ranks of all other names of a field.
const lastRank = 1000
