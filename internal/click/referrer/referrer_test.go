package referrer

import "testing"

func TestHost(t *testing.T) {
	t.Parallel()
	for referrer, want := range map[string]string{
		"https://news.example/a?b":               "news.example",
		"http://WWW.News.Example:8080":           "news.example",
		"https://www.example.?x":                 "example",
		"https://www./":                          "www",
		"https://b\u00fccher.example/":           "xn--bcher-kva.example",
		"https://WWW.B\u00dcCHER.example/":       "xn--bcher-kva.example",
		"https://[2001:db8::1]:80/":              "2001:db8::1",
		"https://[2001:DB8::1]/":                 "2001:db8::1",
		"https://192.0.2.1:81/x":                 "192.0.2.1",
		"https://a.example?x=https://b.example/": "a.example",
		"android-app://com.example.Reader/":      "com.example.Reader",
		"android-app://www.example/":             "www.example",
		"direct":                                 "direct",
		"other":                                  "other",
		"https://./":                             "https://./",
	} {
		if got := Host(referrer); got != want {
			t.Errorf("host of %q is %q, want %q", referrer, got, want)
		}
	}
}
