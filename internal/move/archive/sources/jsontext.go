package sources

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"terse/internal/move/archive/sources/webapi"
)

// maxJSON bounds a value of a text of JSON, in bytes, and so what is in memory of it. It is what
// the server takes as a line.
const maxJSON = 1 << 20

// jsonText reads values of a text of JSON of any length.
type jsonText struct {
	*jsontext.Decoder
	from *jsonBytes
}

func newJSONText(text io.Reader) jsonText {
	from := &jsonBytes{Reader: transform.NewReader(text, unicode.BOMOverride(transform.Nop))}
	d := jsontext.NewDecoder(from, jsontext.AllowInvalidUTF8(true),
		jsontext.AllowDuplicateNames(true))
	return jsonText{d, from}
}

// next bounds what is read until it is called again.
func (t jsonText) next() { t.from.left = maxJSON }

// jsonBytes fails after left bytes. Control characters become blanks.
type jsonBytes struct {
	io.Reader
	left int
}

var errLongJSON = fmt.Errorf("a value is longer than %d MiB", maxJSON>>20)

func (b *jsonBytes) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLongJSON
	}
	n, err := b.Reader.Read(p[:min(len(p), b.left)])
	b.left -= n
	webapi.Blank(p[:n])
	return n, err
}
