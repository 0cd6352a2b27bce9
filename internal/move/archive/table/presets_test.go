package table

import (
	"strings"
	"testing"

	"terse/internal/move/archive/sources"
)

// A link of Bitly has a random half and any number of custom ones, in a cell or as JSON.
func TestBitly(t *testing.T) {
	t.Parallel()
	const to = `"original_url":"https://a.example/"`
	for cells, want := range map[string]string{
		`bit.ly/4kD,"[""go.example/spring"",""bit.ly/sale""]"`: `"aliases":["spring","sale"],` +
			`"short_code":"4kD"`,
		`https://bit.ly/4kD,"bit.ly/spring, https://bit.ly/sale"`: `"aliases":["spring","sale"],` +
			`"short_code":"4kD"`,
		`bit.ly/4kD,spring`:     `"aliases":["spring"],"short_code":"4kD"`,
		`bit.ly/4kD,`:           `"aliases":null,"short_code":"4kD"`,
		`,go.example/spring`:    `"aliases":null,"short_code":"spring"`,
		`bit.ly/4kD,bit.ly/4kD`: `"aliases":["4kD"],"short_code":"4kD"`,
	} {
		for _, name := range []string{"custom_bitlinks", "Custom Back-Half", "Custom links"} {
			expect(t, "id,"+name+",long_url\n"+cells+",https://a.example/", Options{Preset: Bitly},
				`{"type":"link","part":true,`+to+`,`+want+`}`)
		}
	}
	expect(t, "id,custom_bitlinks,long_url\n"+
		"bit.ly/4kD,\"bit.ly/a, go.example/b\",https://a.example/\n"+
		"bit.ly/5kD,bit.ly/c,https://a.example/\n", Options{
		Preset: Bitly, Links: sources.Options{OnlyHost: "go.example"},
	}, `{"type":"link","part":true,`+to+`,"aliases":null,"short_code":"b"}`)
}

// Dub and Shlink forward the visitor's query with each link.
func TestForwarding(t *testing.T) {
	t.Parallel()
	const line = `{"type":"link","part":true,"original_url":"https://a.example/",`
	for _, preset := range []*Preset{Dub, Shlink} {
		expect(t, "url,short code\nhttps://a.example/,a\n", Options{Preset: preset},
			line+`"forward_query":true,"short_code":"a"}`)
	}
	both := sources.Options{ForwardQuery: true, ForwardPath: true}
	for _, table := range []string{
		"url,short code\nhttps://a.example/,a\n",
		"url,forward_query,forward_path,short code\nhttps://a.example/,,false,a\n",
	} {
		expect(t, table, Options{Links: both},
			line+`"forward_query":true,"forward_path":true,"short_code":"a"}`)
	}
}

// Of one code at two hosts the first link is read, and of its addresses those that are free.
func TestHosts(t *testing.T) {
	t.Parallel()
	const table = "short url,short code,domain,url\n" +
		"https://one.example/a,,,https://1.example/\n" +
		"https://TWO.example/a,,,https://2.example/\n" +
		"https://two.example/b,,,https://3.example/\n" +
		",a,two.example,https://4.example/\n" +
		"https://two.example/c,a,,https://5.example/\n" +
		"https://one.example/a,,,https://6.example/\n"
	const is = ` is that of a link at one.example, too, which was read: ` +
		`--only-host two.example reads it`
	link := func(to, rest string) string {
		return `{"type":"link","part":true,"original_url":"https://` + to + `.example/",` +
			rest + `}`
	}
	expect(t, table, Options{},
		link("1", `"short_code":"a"`),
		"3 short_code: short_code"+is,
		link("3", `"short_code":"b"`),
		"5 short_code: short_code"+is,
		`6 was: aliases lacks "a", which`+is,
		link("5", `"short_code":"c"`),
		link("6", `"short_code":"a"`)) // the importer judges
	expect(t, table, Options{Links: sources.Options{OnlyHost: "two.example"}},
		link("2", `"short_code":"a"`),
		link("3", `"short_code":"b"`),
		link("4", `"short_code":"a"`),
		link("5", `"aliases":["c"],"short_code":"a"`))
	expect(t, "short code,url\na,https://1.example/", Options{
		Links: sources.Options{OnlyHost: "two.example"},
	}, "2 short_code: "+errNoHost.Error())
}

// Hosts may be those of the URLs where links lead, and then they are no domains.
func TestHostsOfTargets(t *testing.T) {
	t.Parallel()
	const table = "host,code,url\n" +
		"a.example,one,https://a.example/\nB.example,one,https://www.b.example/x\n"
	domains := &sources.Domains{Served: map[string]string{
		"s.example": "", "b.example": "b.example",
	}}
	o := Options{Links: sources.Options{Domains: domains}}
	link := func(to, rest string) string {
		return `{"type":"link","part":true,"original_url":"https://` + to + `","short_code":"one"` +
			rest + `}`
	}
	expect(t, table, o, link("a.example/", ""), link("www.b.example/x", ""))
	r, err := NewReader(strings.NewReader(table), o)
	if err != nil || r.Columns()[0].Why != `"a.example" is the host of url` {
		t.Errorf("%+v, %v", r, err)
	}
	o.Fields = []Field{{"host", "domain"}}
	expect(t, table, o,
		"2 was: domain a.example is none of this server: the link is on the default one",
		link("a.example/", ""), link("www.b.example/x", `,"domain":"b.example"`))
}
