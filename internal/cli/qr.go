package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"terse/internal/qr"
)

type qrCommand struct {
	clientFlags `embed:""`

	Code   string `arg:"" help:"The short code."`
	Output string `short:"o" help:"Write the picture to this file, a .png or .svg." placeholder:"FILE" variable:""`
}

// Run draws the code on the terminal or in a file.
func (c *qrCommand) Run(ctx context.Context, r *remote) error {
	draw := map[string]func(qr.Bitmap) ([]byte, error){
		".png": pngOf,
		".svg": svgOf,
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
	modules, err := qr.New(short, 'M', qr.QuietZone)
	if err != nil {
		return err
	}
	picture, err := draw(modules)
	if err != nil {
		return err
	}
	return os.WriteFile(c.Output, picture, 0o644) //nolint:gosec // a picture to be shown around
}

// printQR draws a QR code with half blocks: two modules in a character, which is twice as high as
// wide. On a terminal it says which colours to take, elsewhere light modules are drawn, for paper
// is white but most terminals are dark.
func (e Env) printQR(text string) error {
	modules, err := qr.New(text, 'M', qr.QuietZone)
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

const pixels = 8 // a module's side in a picture

func pngOf(b qr.Bitmap) ([]byte, error) { return b.PNG(pixels*len(b), qr.BlackOnWhite) }

func svgOf(b qr.Bitmap) ([]byte, error) { return b.SVG(qr.BlackOnWhite), nil }
