package terse

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// LinkOptions is what a link may have beyond code, URL, owner and times. The zero LinkOptions is a
// plain link's. To add an option, add a field: stores and caches carry all of them as one text.
type LinkOptions struct{}

// EncodedOptions are LinkOptions as stores and caches carry them: JSON, or "" for a plain link.
type EncodedOptions string

// Encode returns the options as they are stored.
func (o LinkOptions) Encode() (EncodedOptions, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return "", fmt.Errorf("encode options: %w", err)
	}
	if string(text) == "{}" {
		return "", nil
	}
	return EncodedOptions(text), nil
}

// Decode returns the options of a link. It fails for a text that Encode did not write, such as one
// that was edited by hand or written by a later version.
func (e EncodedOptions) Decode() (o LinkOptions, err error) {
	if e == "" {
		return o, nil
	}
	d := json.NewDecoder(bytes.NewReader([]byte(e)))
	d.DisallowUnknownFields()
	if err := d.Decode(&o); err != nil {
		return LinkOptions{}, fmt.Errorf("decode options: %w", err)
	}
	return o, nil
}
