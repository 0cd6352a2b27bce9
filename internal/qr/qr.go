// Package qr draws QR codes (ISO/IEC 18004).
package qr

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/url"
	"strings"

	"github.com/boombuler/barcode/qr"
	"golang.org/x/net/idna"
)

// QuietZone is the margin that readers need (ISO/IEC 18004, 6.3.8), in modules.
const QuietZone = 4

// Levels are the levels of error correction, from the least to the most.
const Levels = "LMQH"

// Bitmap is a QR code with its margin; true is dark.
type Bitmap [][]bool

// New returns the code of a URL at a level of error correction, one of Levels, with a margin in
// modules.
func New(u string, level byte, margin int) (Bitmap, error) {
	code, err := qr.Encode(ascii(u), qr.ErrorCorrectionLevel(strings.IndexByte(Levels, level)),
		qr.Auto)
	if err != nil {
		return nil, fmt.Errorf("draw a QR code: %w", err)
	}
	size := code.Bounds().Dx()
	b := make(Bitmap, size+2*margin)
	for y := range b {
		b[y] = make([]bool, len(b))
	}
	for y := range size {
		for x := range size {
			b[y+margin][x+margin] = color.GrayModel.Convert(code.At(x, y)) == color.Gray{}
		}
	}
	return b, nil
}

// ascii returns a URL with its host in punycode: URLs are ASCII (RFC 3986, 2), and readers may take
// other bytes for Latin-1 (ISO/IEC 18004, 7.3.5).
func ascii(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return s
	}
	name, port := u.Hostname(), u.Port()
	host, err := idna.Lookup.ToASCII(name)
	if err != nil || host == name { // "_" and IP addresses are no names of IDNA
		return s
	}
	if u.Host = host; port != "" {
		u.Host += ":" + port
	}
	return u.String()
}

// Colors are those of dark modules and of the ground.
type Colors struct{ Dark, Light color.RGBA }

// BlackOnWhite is what readers like best.
var BlackOnWhite = Colors{Dark: color.RGBA{A: 0xFF}, Light: color.RGBA{0xFF, 0xFF, 0xFF, 0xFF}}

// PNG returns a picture with so many pixels to a side. A module takes a whole number of them; what
// is left over goes around the code. It is nil when there are fewer pixels than modules.
func (b Bitmap) PNG(size int, c Colors) ([]byte, error) {
	scale := size / len(b)
	if scale == 0 {
		return nil, nil
	}
	picture := image.NewPaletted(image.Rect(0, 0, size, size), color.Palette{c.Light, c.Dark})
	from := (size - scale*len(b)) / 2
	for y := range scale * len(b) {
		for x := range scale * len(b) {
			if b[y/scale][x/scale] {
				picture.Pix[(from+y)*picture.Stride+from+x] = 1
			}
		}
	}
	var out bytes.Buffer
	err := png.Encode(&out, picture)
	return out.Bytes(), err
}

// SVG returns a drawing in which a module is one unit.
func (b Bitmap) SVG(c Colors) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %[1]d" `+
		`shape-rendering="crispEdges"><path fill="%[2]s" d="M0 0h%[1]dv%[1]dH0z"/>`+
		`<path fill="%[3]s" d="`, len(b), hex(c.Light), hex(c.Dark))
	for y, row := range b {
		for x, dark := range row {
			if dark {
				fmt.Fprintf(&out, "M%d %dh1v1h-1z", x, y)
			}
		}
	}
	out.WriteString(`"/></svg>` + "\n")
	return out.Bytes()
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
