package terse

import "unicode"

// MaxURLBytes bounds an original URL.
const MaxURLBytes = 8192

// URL is a valid original URL, byte for byte as it was submitted (contract: Validation
// rules, 2). It is made by weburl.Parse, which has the rules, or read from a store.
type URL string

func refusedInURL(r rune) bool { return r == ' ' || unicode.IsControl(r) }
