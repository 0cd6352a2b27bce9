package qr

import (
	"bytes"
	"image/color"
	"image/png"
	"strings"
	"testing"
)

func TestPictures(t *testing.T) {
	t.Parallel()
	colors := Colors{Dark: color.RGBA{0x12, 0x34, 0x56, 0xFF}, Light: color.RGBA{A: 0xFF}}
	for _, level := range []byte(Levels) {
		for _, margin := range []int{0, 4, 20} {
			b, err := New("https://s.example/launch", level, margin)
			if err != nil {
				t.Fatal(err)
			}
			modules := len(b) - 2*margin
			if modules < 21 || !b[margin][margin] || margin > 0 && b[margin-1][margin] {
				t.Fatalf("level %c: %d modules", level, modules)
			}
			size := 3*len(b) + 1
			file, err := b.PNG(size, colors)
			if err != nil {
				t.Fatal(err)
			}
			picture, err := png.Decode(bytes.NewReader(file))
			if err != nil || picture.Bounds().Dx() != size {
				t.Fatalf("%v %v", picture.Bounds(), err)
			}
			for y, row := range b {
				for x, dark := range row {
					want := colors.Light
					if dark {
						want = colors.Dark
					}
					if got := picture.At(3*x+1, 3*y+1); got != color.Color(want) {
						t.Fatalf("%d, %d is %v, want %v", x, y, got, want)
					}
				}
			}
			if file, err := b.PNG(len(b)-1, colors); file != nil || err != nil {
				t.Error("drawn with fewer pixels than modules")
			}
			svg := string(b.SVG(colors))
			if !strings.Contains(svg, `fill="#123456"`) || !strings.Contains(svg, "#000000") ||
				!strings.HasSuffix(svg, "</svg>\n") {
				t.Errorf("%.200s", svg)
			}
		}
	}
	if _, err := New(strings.Repeat("x", 10_000), 'L', 0); err == nil {
		t.Error("a text that is too long was drawn")
	}
}
