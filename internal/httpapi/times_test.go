package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"

	"terse/api"
)

// Times are shown in UTC, where their years must have four digits.
func TestTimesOfLinks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"timed"}`))
	const rule = `"rules":[{"name":"a","url":"https://a.example",`
	const years = "must be in the years 1 to 9999, in UTC"
	for at, text := range map[string]string{
		"9999-12-31T23:59:59.999999Z": "", "9999-12-31T23:59:59.9999999Z": "",
		"0001-01-01T00:00:00.000001Z": "", "9999-12-31T23:59:59+05:00": "",
		"9999-12-31T23:59:59-00:01": years, "9999-12-31T23:59:59-23:59": years,
		"0001-01-01T00:00:00+00:01": years, "0000-01-01T00:00:00+05:00": years,
		"0000-06-01T00:00:00Z":         years,
		"0001-01-01T00:00:00Z":         "must be later than 0001-01-01T00:00:00Z",
		"0001-01-01T00:00:00.0000009Z": "must be later than 0001-01-01T00:00:00Z",
	} {
		for name, option := range map[string]string{
			"starts_at":            `"starts_at":%q`,
			"expires_at":           `"expires_at":%q`,
			"rules[0].when.after":  rule + `"when":{"after":%q}}]`,
			"rules[0].when.before": rule + `"when":{"before":%q}}]`,
		} {
			option = fmt.Sprintf(option, at)
			link := `{"original_url":"https://example.com/",` + option + `}`
			create := f.do(t, badPost(link))
			update := f.do(t, patchRequest("timed", `{`+option+`}`))
			f.do(t, patchRequest("timed", `{"starts_at":null,"expires_at":null}`))
			inBulk := f.bulk(t, `{"operations":[`+
				`{"op":"create","link":{"original_url":"https://example.com/good"}},`+
				`{"op":"create","link":`+link+`}]}`)
			if text == "" {
				if create.status != http.StatusCreated || update.status != http.StatusOK {
					t.Errorf("%s %s: %v, %v", name, at, create, update)
				}
				wantStatuses(t, inBulk, "201", "201")
				continue
			}
			wantError(t, create, http.StatusBadRequest, name+" "+text)
			wantError(t, update, http.StatusBadRequest, name+" "+text)
			wantStatuses(t, inBulk, "201", "400 "+name+" "+text)
		}
	}
}

// Whatever is taken of a link can be stored and told again.
func TestTextsOfLinks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, s := range []string{
		`\u0000`, `\uFFFF`, `\uFEFF`, `\u2028`, `\u0085`, `\uFFFD`, `\u007f`, `\ud83d\ude00`,
		`\ud83d`, `\u0000a`, `\u200b`, `'\"\\`, `%00`,
	} {
		for _, option := range []string{
			`"title":"%s"`, `"note":"%s"`, `"tags":["%s"]`, `"password":"%s"`,
			`"rules":[{"name":"%s","url":"https://a.example"}]`,
			`"rules":[{"name":"a","url":"https://a.example","when":{"query":{"%s":null}}}]`,
			`"rules":[{"name":"a","url":"https://a.example","when":{"query":{"a":"%s"}}}]`,
			`"rules":[{"name":"a","url":"https://a.example/%s"}]`,
			`"expired_url":"https://a.example/%s"`, `"find_existing":true,"note":"%s"`,
		} {
			body := `{"original_url":"https://example.com/",` + fmt.Sprintf(option, s) + `}`
			got := f.do(t, badPost(body))
			if got.status != http.StatusCreated && got.status != http.StatusBadRequest &&
				got.status != http.StatusOK {
				t.Errorf("%s: %d %s", body, got.status, got.body)
			}
			if got.status != http.StatusCreated {
				continue
			}
			code := decodeAs[api.Created](t, got, http.StatusCreated).ShortCode
			patched := f.do(t, patchRequest(code, `{"forward_query":true}`))
			if patched.status != http.StatusOK {
				t.Errorf("%s: PATCH: %d %s", body, patched.status, patched.body)
			}
		}
	}
}
