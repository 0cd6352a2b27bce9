package manage

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"terse"
)

// maxSearch bounds a search in characters.
const maxSearch = 200

var errSearch = terse.Invalidf("search", "search must be 1-%d characters", maxSearch)

// parseSearch splits a search into words at blanks. A short URL of this service, as people copy it,
// is not a word: the key of its address is returned separately, and finds only its link. It may
// begin with the host of the request.
func (m *Manager) parseSearch(text, host string) (
	search terse.Search, addresses []string, err error,
) {
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxSearch {
		return nil, nil, errSearch
	}
	for word := range strings.FieldsSeq(text) {
		pasted, ok := m.pastedAddress(word, host)
		if ok && !strings.HasPrefix(word, "/") {
			addresses = append(addresses, pasted)
			continue
		}
		if ok {
			word = pasted
		}
		search = append(search, spellings(norm.NFC.String(strings.ToLower(word))))
	}
	if len(search)+len(addresses) == 0 {
		return nil, nil, errSearch
	}
	return search, addresses, nil
}

// spellings returns a word and, if its host has another form, in Unicode or punycode, the word with
// that form.
func spellings(word string) terse.Word {
	scheme, rest, found := strings.Cut(word, "://")
	if found {
		scheme += "://"
	} else {
		scheme, rest = "", word
	}
	end := strings.IndexAny(rest, "/?#:")
	if end < 0 {
		end = len(rest)
	}
	host, rest := rest[:end], rest[end:]
	other, err := idna.ToUnicode(host)
	if err == nil && other == host {
		other, err = idna.ToASCII(host)
	}
	if err != nil || other == host {
		return terse.Word{word}
	}
	return terse.Word{word, scheme + other + rest}
}
