package terse

import "unicode"

// MaxURLBytes bounds an original URL.
const MaxURLBytes = 8192

// URL is a valid original URL, byte for byte as submitted (contract: Validation rules, 2). It comes
// from weburl.Parse, which has the rules, or from a store.
type URL string

func refusedInURL(r rune) bool { return r == ' ' || unicode.IsControl(r) }
