package cli

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/boombuler/barcode/qr"
)

type qrCommand struct {
	clientFlags `embed:""`

	Code   string `arg:"" help:"The short code."`
	Output string `short:"o" help:"Write the picture to this file, a .png or .svg." placeholder:"FILE" variable:""`
}

// Run draws the code on the terminal or in a file.
func (c *qrCommand) Run(ctx context.Context, r *remote) error {
	draw := map[string]func(bitmap) ([]byte, error){
		".png": bitmap.png,
		".svg": bitmap.svg,
	}[filepath.Ext(c.Output)]
	if c.Output != "" && draw == nil {
		return misuse("--output must name a .png or .svg file")
	}
	link, err := r.Link(ctx, c.Code)
	if err != nil {
		return r.explain(err, c.Code)
	}
	short := r.shortURL(link.ShortURL)
	if c.JSON {
		if err := r.printJSON(link); err != nil {
			return err
		}
	}
	if c.Output == "" {
		return r.printQR(short)
	}
	modules, err := newBitmap(short)
	if err != nil {
		return err
	}
	picture, err := draw(modules)
	if err != nil {
		return err
	}
	return os.WriteFile(c.Output, picture, 0o644) //nolint:gosec // a picture to be shown around
}

// bitmap is a QR code with its quiet zone; true is dark.
type bitmap [][]bool

// quietZone is the margin that readers need (ISO/IEC 18004, 6.3.8), in modules.
const quietZone = 4

func newBitmap(text string) (bitmap, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return nil, fmt.Errorf("draw a QR code: %w", err)
	}
	size := code.Bounds().Dx()
	b := make(bitmap, size+2*quietZone)
	for y := range b {
		b[y] = make([]bool, len(b))
	}
	for y := range size {
		for x := range size {
			b[y+quietZone][x+quietZone] = color.GrayModel.Convert(code.At(x, y)) == color.Gray{}
		}
	}
	return b, nil
}

// printQR draws a QR code with half blocks: two modules in a character, which is twice as high as
// wide. On a terminal it says which colours to take, elsewhere light modules are drawn, for paper
// is white but most terminals are dark.
func (e Env) printQR(text string) error {
	modules, err := newBitmap(text)
	if err != nil {
		return err
	}
	before, after := "", "\n"
	if e.colors() {
		before, after = "\x1b[97;40m", "\x1b[m\n"
	}
	var b strings.Builder
	for y := 0; y < len(modules); y += 2 {
		b.WriteString(before)
		for x := range modules[y] {
			upper, lower := !modules[y][x], y+1 < len(modules) && !modules[y+1][x]
			switch {
			case upper && lower:
				b.WriteString("█")
			case upper:
				b.WriteString("▀")
			case lower:
				b.WriteString("▄")
			default:
				b.WriteString(" ")
			}
		}
		b.WriteString(after)
	}
	_, err = io.WriteString(e.Out, b.String())
	return err
}

func (b bitmap) png() ([]byte, error) {
	const scale = 8 // pixels a module
	size := len(b) * scale
	picture := image.NewPaletted(image.Rect(0, 0, size, size),
		color.Palette{color.White, color.Black})
	for y := range size {
		for x := range size {
			if b[y/scale][x/scale] {
				picture.SetColorIndex(x, y, 1)
			}
		}
	}
	var out bytes.Buffer
	err := png.Encode(&out, picture)
	return out.Bytes(), err
}

func (b bitmap) svg() ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %[1]d" `+
		`shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%[1]dv%[1]dH0z"/><path d="`, len(b))
	for y, row := range b {
		for x, dark := range row {
			if dark {
				fmt.Fprintf(&out, "M%d %dh1v1h-1z", x, y)
			}
		}
	}
	out.WriteString(`"/></svg>` + "\n")
	return out.Bytes(), nil
}
