package mcp

import (
	"net/http"

	"github.com/google/jsonschema-go/jsonschema"

	"terse/api"
)

// tools returns all tools. Clients get them in the order of their names.
func tools() []*tool {
	shortCode := text("The short code, the last part of the short URL: launch in " +
		"https://go.example/launch. For an alias or a short URL, search_links finds the code.")
	domain := text("The host of the short URL, such as go.example. Default: the server's own host.")
	return []*tool{
		{
			name: "search_links", title: "Search links", method: http.MethodGet, path: "/api/urls",
			about: "List short links, newest first, or find those with given words, a tag or a " +
				"state. Answers the links of one page, and with total how many there are. With " +
				"query or sort, next_cursor leads to the next page; otherwise offset does.",
			input: object(nil, fields{
				{"query", text("Words that must all be found in short code, alias, original URL, " +
					"title or tags, in any case. A whole short URL finds its link.")},
				{"tag", text("Only links with this tag.")},
				{"status", oneOf("Only links in this state: active ones redirect, scheduled ones "+
					"do not yet, and expired, used_up and disabled ones do not any more.",
					"active", "scheduled", "expired", "used_up", "disabled")},
				{"domain", text("Only links at this host, as in go.example. Default: all hosts.")},
				{"sort", oneOf("The order. Default: newest.", "newest", "oldest", "clicks")},
				{"limit", integer("How many links a page has.", 1, 100, 20)},
				{"offset", integer("How many links to skip; not with query, cursor or sort=clicks.",
					0, 1<<31-1, 0)},
				{"cursor", text("next_cursor of the page before, with the same other arguments.")},
			}),
			names: map[string]string{"query": "search"},
		},
		{
			name: "get_link", title: "Get a link", method: http.MethodGet, path: linkPath,
			about: "Get one short link: where it leads, its options, its state, its number of " +
				"clicks, and the etag that if_match of update_link takes.",
			input: object([]string{"short_code"}, fields{
				{"short_code", shortCode}, {"domain", domain},
			}),
		},
		{
			name: "get_link_statistics", title: "Get a link's statistics",
			method: http.MethodGet, path: linkPath + "/clicks",
			about: "Count the clicks of one link: in all, over time, and by country, referrer " +
				"and other properties. Clicks of bots count; the filter " +
				"{\"not_visitor\": [\"bot\"]} leaves them out.",
			input: object([]string{"short_code"}, append(fields{
				{"short_code", shortCode}, {"domain", domain},
			}, counted...)),
			limit: 20,
		},
		{
			name: "get_overview", title: "Get statistics of all links",
			method: http.MethodGet, path: "/api/overview",
			about: "Count the clicks of all links together, or of those with a tag: in all, over " +
				"time, and by country, referrer and other properties. top_links are the links " +
				"with the most. The filter {\"not_visitor\": [\"bot\"]} leaves out clicks of bots.",
			input: object(nil, append(fields{
				{"tag", text("Only links with this tag. Default: all links.")},
			}, counted...)),
			limit: 20,
		},
		{
			name: "list_tags", title: "List tags", method: http.MethodGet, path: "/api/tags",
			about: "List all tags, and how many links each has.",
			input: object(nil, nil),
		},
		{
			name: "create_link", title: "Create a link",
			method: http.MethodPost, path: "/api/urls",
			about: "Create a short link. short_url of the answer is what to give to people.",
			input: object([]string{"original_url"}, append(fields{
				{"original_url", originalURL},
				{"short_code", text("The short code: 3 to 20 letters, digits, _ and -. Default: " +
					"the server makes one.")},
				{"domain", domain},
			}, options...)),
		},
		{
			name: "update_link", title: "Change a link", method: http.MethodPatch, path: linkPath,
			about: "Change where a link leads, or its options. What changes does not name stays.",
			input: object([]string{"short_code", "changes"}, fields{
				{"short_code", shortCode},
				{"domain", domain},
				{"changes", withAbout(object(nil, append(fields{
					{"original_url", originalURL},
					{"short_code", text("Another short code. The old one becomes an alias, so " +
						"that it works on.")},
				}, nullable(options)...)), "The fields to change, each with its new value, or "+
					"with null to take it away.")},
				{"if_match", text("The etag that get_link answered, with its quotes: the change " +
					"fails if the link has changed since.")},
			}),
		},
		{
			name: "delete_link", title: "Delete a link", method: http.MethodDelete, path: linkPath,
			about: "Delete a link with its clicks, for good: its short URL leads nowhere from " +
				"then on. To switch a link off, set disabled with update_link instead.",
			input: object([]string{"short_code"}, fields{
				{"short_code", shortCode}, {"domain", domain},
			}),
		},
	}
}

var originalURL = web("Where the link leads: an http or https URL.")

// counted are the arguments that say which clicks to count, and by what.
var counted = fields{
	{"start_time", moment("Only clicks from this time on. Default: all.")},
	{"end_time", moment("Only clicks until this time; needs start_time. Default: now.")},
	{"interval", oneOf("The length of the steps of series. Default: day.",
		"hour", "day", "week", "month")},
	{"time_zone", text("The zone of days and other steps, such as Europe/Berlin. Default: UTC.")},
	{"by", list(
		oneOf("", api.Dimensions()...), "What to count clicks by. Default: country and referrer.")},
	{"filters", filters()},
	{"limit", integer("How many values each map of counts has, those with the most clicks; all "+
		"others are counted under other.", 1, 1000, 20)},
}

// filters are the values of clicks that count, and of those that do not.
func filters() *jsonschema.Schema {
	names := api.Dimensions()
	for _, name := range api.Dimensions() {
		names = append(names, notPrefix+name)
	}
	return &jsonschema.Schema{
		Type: "object", PropertyNames: oneOf("", names...),
		AdditionalProperties: list(text(""), ""),
		Description: "Only clicks with one of these values of each property that is named, as in " +
			"{\"country\": [\"DE\", \"AT\"]}; not_ before a name excludes values, as in " +
			"{\"not_visitor\": [\"bot\"]}. Values are as in the counts: browser Firefox, device " +
			"mobile, visitor person, bot or prefetch.",
	}
}

// notPrefix before the name of a dimension excludes its values.
const notPrefix = "not_"

// options are what a link may have beyond its URL.
var options = fields{
	{"title", text("Names the link for people: 1 to 200 characters.")},
	{"note", text("For the owner only: 1 to 2000 characters.")},
	{"tags", list(text(""), "Up to 20 tags, each of 1 to 40 characters and without commas.")},
	{"aliases", list(text(""), "Up to 20 further addresses of the link, such as docs/install.")},
	{"starts_at", moment("Until then the link answers as if it did not exist.")},
	{"expires_at", moment("From then on the link is over.")},
	{"max_clicks", &jsonschema.Schema{
		Type: "integer", Minimum: number(1), Maximum: number(1_000_000_000),
		Description: "How many visits the link answers before it is over.",
	}},
	{"disabled", flag("The link answers as if it were over, and keeps its statistics.")},
	{"expired_url", web("Where the link leads when it is over.")},
	{"password", text("What visitors have to enter: 1 to 128 bytes. No answer shows it.")},
	{"redirect_status", &jsonschema.Schema{
		Type: "integer", Enum: []any{301, 302, 307, 308},
		Description: "The HTTP status of redirects. Default: 302.",
	}},
	{"forward_query", flag("Add the visitor's query parameters to those of the URL.")},
	{"forward_path", flag("Add the path that follows the short code to that of the URL.")},
	{"rules", list(rule(), "Up to 20 rules. The first whose conditions all hold decides where a "+
		"visitor goes; otherwise it is original_url.")},
	{"archived", flag("Keep the link out of the dashboard's lists. It works on.")},
}

func rule() *jsonschema.Schema {
	texts := func(about string) *jsonschema.Schema { return list(text(""), about) }
	return object([]string{"name", "url"}, fields{
		{"name", text("1 to 40 characters, not default. Clicks are counted by it.")},
		{"when", withAbout(object(nil, fields{
			{"device", texts("Such as ios, android, mobile, tablet or desktop.")},
			{"browser", texts("Such as chrome, safari, firefox or edge.")},
			{"language", texts("Such as de or pt-BR.")},
			{"country", texts("ISO 3166-1 codes, such as DE.")},
			{"query", &jsonschema.Schema{
				Type: "object", AdditionalProperties: &jsonschema.Schema{
					Types: []string{"string", "null"},
				},
				Description: "Parameters of the short URL and their values; null is any value.",
			}},
			{"after", moment("From this time on.")},
			{"before", moment("Before this time.")},
			{"address", texts("IP addresses and CIDR blocks of visitors.")},
		}), "The conditions; without any it holds for all. Of a list, one value has to match.")},
		{"share", &jsonschema.Schema{
			Type: "integer", Minimum: number(1), Maximum: number(99),
			Description: "The percentage of those visitors. Default: all.",
		}},
		{"url", web("Where they go.")},
	})
}
