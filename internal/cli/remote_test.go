package cli

import "testing"

// A server that has no BASE_URL names itself localhost, which is wrong on any other machine.
func TestShortURLsLeadToTheServer(t *testing.T) {
	t.Parallel()
	for _, tt := range [][3]string{
		{"http://vps.example:8080", "http://localhost:8080/abc", "http://vps.example:8080/abc"},
		{"https://vps.example", "http://127.0.0.1:8080/abc", "https://vps.example/abc"},
		{"https://vps.example", "https://sho.rt/abc", "https://sho.rt/abc"},
		{"https://vps.example/go", "http://localhost:8080/abc", "https://vps.example/go/abc"},
		{"https://vps.example/go", "http://localhost/go/abc", "https://vps.example/go/abc"},
		{"https://vps.example/go", "http://localhost/gopher", "https://vps.example/go/gopher"},
		{"http://127.0.0.1:8080", "http://localhost:8080/abc", "http://localhost:8080/abc"},
	} {
		if got := (&remote{url: tt[0]}).shortURL(tt[1]); got != tt[2] {
			t.Errorf("%s at %s: %s, want %s", tt[1], tt[0], got, tt[2])
		}
	}
}
