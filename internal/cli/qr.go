package cli

import (
	"context"
	"encoding/hex"
	"image/color"
	"path/filepath"
	"regexp"
	"strings"

	"terse/internal/durable"
	"terse/internal/visit/qr"
)

type qrCommand struct {
	linkFlags `embed:""`

	Alias      *string `help:"Draw this alias instead of the short code." placeholder:"ADDRESS" variable:""`
	Output     string  `short:"o" help:"Write the picture to this file, a .png or .svg." complete:"files" placeholder:"FILE" variable:""`
	Level      string  `help:"How much of it may be damaged: L, M, Q or H (most)." default:"M" enum:"L,M,Q,H" variable:""`
	Margin     int     `help:"The margin in modules, 0 to 20." default:"4" variable:""`
	Color      string  `help:"The colour of the picture as rrggbb." default:"000000" variable:""`
	Background string  `help:"The colour behind it." default:"ffffff" variable:""`
	Size       int     `help:"The width of a .png in pixels, 64 to 2048; default 8 a module." placeholder:"N" variable:""`
	Medium     string  `help:"Append ?utm_medium=TEXT to the short URL, so that scans can be told from clicks." placeholder:"TEXT" variable:""`
}

var mediumPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// Run draws the code on the terminal or into a file.
func (c *qrCommand) Run(ctx context.Context, r *remote) error {
	colors, err := c.check()
	if err != nil {
		return err
	}
	link, err := c.link(ctx, r)
	if err != nil {
		return r.explain(err, c.Code)
	}
	short := r.shortURL(link.ShortURL)
	if c.Alias != nil {
		i, err := r.findAlias(link, link.Aliases, *c.Alias)
		if err != nil {
			return err
		}
		short = r.aliasURL(link, link.Aliases[i])
	}
	if c.Medium != "" {
		short += "?utm_medium=" + c.Medium
	}
	if c.JSON {
		if err := r.PrintJSON(link); err != nil {
			return err
		}
	}
	modules, err := qr.New(short, c.Level[0], c.Margin)
	if err != nil {
		return err
	}
	if c.Output == "" {
		return r.PrintModules(modules)
	}
	picture, err := c.draw(modules, colors)
	if err != nil {
		return err
	}
	return durable.WriteFile(c.Output, picture, 0o644)
}

// check validates the flags and returns the colours.
func (c *qrCommand) check() (colors qr.Colors, err error) {
	switch suffix := filepath.Ext(c.Output); {
	case c.Output != "" && suffix != ".png" && suffix != ".svg":
		return colors, misuse("--output must name a .png or .svg file")
	case c.Margin < 0 || c.Margin > 20:
		return colors, misuse("--margin must be 0 to 20")
	case c.Size != 0 && (c.Size < 64 || c.Size > 2048):
		return colors, misuse("--size must be 64 to 2048")
	case c.Medium != "" && !mediumPattern.MatchString(c.Medium):
		return colors, misuse("--medium must be 1 to 40 of a-z, A-Z, 0-9, _ and -")
	}
	if colors.Dark, err = parseColor("--color", c.Color); err == nil {
		colors.Light, err = parseColor("--background", c.Background)
	}
	if err == nil && c.Output == "" && (colors != qr.BlackOnWhite || c.Size != 0) {
		err = misuse("--color, --background and --size go with --output")
	}
	return colors, err
}

func parseColor(flag, text string) (color.RGBA, error) {
	b, err := hex.DecodeString(strings.TrimPrefix(text, "#"))
	if err != nil || len(b) != 3 {
		return color.RGBA{}, misuse("%s is %q; it must be a colour such as 1a5fb4", flag, text)
	}
	return color.RGBA{b[0], b[1], b[2], 0xFF}, nil
}

const pixels = 8 // a module's side in a picture

// draw returns the contents of the picture's file.
func (c *qrCommand) draw(modules qr.Bitmap, colors qr.Colors) ([]byte, error) {
	if filepath.Ext(c.Output) == ".svg" {
		return modules.SVG(colors), nil
	}
	size := c.Size
	if size == 0 {
		size = pixels * len(modules)
	}
	picture, err := modules.PNG(size, colors)
	if err == nil && picture == nil {
		err = misuse("--size must be at least %d for this picture", len(modules))
	}
	return picture, err
}
