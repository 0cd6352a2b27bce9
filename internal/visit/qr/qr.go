// Package qr draws QR codes (ISO/IEC 18004).
package qr

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image/color"
	"strings"

	"github.com/boombuler/barcode/qr"

	"terse/internal/link/weburl"
)

// QuietZone is the margin that readers need (ISO/IEC 18004, 6.3.8), in modules.
const QuietZone = 4

// Levels are the levels of error correction, lowest first.
const Levels = "LMQH"

// Bitmap is a QR code with its margin; true is dark.
type Bitmap [][]bool

// New returns the QR code of a URL at one of Levels, with a margin in modules.
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
	u, ok := weburl.Split(s)
	host, valid := weburl.Host(u.Host)
	if !ok || !valid || host == u.Host {
		return s
	}
	if u.Port != "" {
		host += ":" + u.Port
	}
	return u.Scheme + "://" + u.User + host + u.Rest
}

// Colors are the colours of dark and light modules.
type Colors struct{ Dark, Light color.RGBA }

// BlackOnWhite is easiest to read.
var BlackOnWhite = Colors{Dark: color.RGBA{A: 0xFF}, Light: color.RGBA{0xFF, 0xFF, 0xFF, 0xFF}}

// PNG returns a picture of size by size pixels. A module takes a whole number of pixels; the rest
// goes around the code. It returns nil if there are fewer pixels than modules.
func (b Bitmap) PNG(size int, c Colors) ([]byte, error) {
	scale := size / len(b)
	if scale == 0 {
		return nil, nil
	}
	var out bytes.Buffer
	out.WriteString("\x89PNG\r\n\x1a\n")
	header := binary.BigEndian.AppendUint32(nil, uint32(size))
	header = binary.BigEndian.AppendUint32(header, uint32(size))
	const bitDepth, indexed = 1, 3
	writeChunk(&out, "IHDR", append(header, bitDepth, indexed, 0, 0, 0))
	writeChunk(&out, "PLTE", []byte{c.Light.R, c.Light.G, c.Light.B, c.Dark.R, c.Dark.G, c.Dark.B})
	rows, err := b.rows(size, scale)
	writeChunk(&out, "IDAT", rows)
	writeChunk(&out, "IEND", nil)
	return out.Bytes(), err
}

// rows returns the pixels as in PNG (W3C PNG, 7 and 9): a bit per pixel, each row behind the number
// of its filter. With the filter Up, a row like the one above is all zeros. That takes a tenth of
// the time of image/png, which examines each pixel.
func (b Bitmap) rows(size, scale int) ([]byte, error) {
	const filterNone, filterUp = 0, 2
	around := (size - scale*len(b)) / 2
	row := make([]byte, 1+(size+7)/8)
	light, repeated := make([]byte, len(row)), make([]byte, len(row))
	repeated[0] = filterUp
	var packed bytes.Buffer
	z, _ := zlib.NewWriterLevel(&packed, zlib.BestSpeed) // neither can fail
	for range around {
		_, _ = z.Write(light)
	}
	for _, modules := range b {
		clear(row)
		row[0] = filterNone
		for x := range scale * len(b) {
			if modules[x/scale] {
				row[1+(around+x)/8] |= 0x80 >> ((around + x) % 8)
			}
		}
		_, _ = z.Write(row)
		for range scale - 1 {
			_, _ = z.Write(repeated)
		}
	}
	for range size - around - scale*len(b) {
		_, _ = z.Write(light)
	}
	err := z.Close()
	return packed.Bytes(), err
}

// writeChunk writes a chunk of a PNG file.
func writeChunk(out *bytes.Buffer, kind string, data []byte) {
	chunk := append([]byte(kind), data...)
	out.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	out.Write(chunk)
	out.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(chunk)))
}

// SVG returns a drawing with one unit per module.
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
