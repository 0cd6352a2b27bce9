package qr

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strconv"
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

// Each pixel belongs to a module or to the margin, also where modules and bytes don't coincide.
func TestEveryPixel(t *testing.T) {
	t.Parallel()
	b, err := New("https://s.example/launch", 'M', QuietZone)
	if err != nil {
		t.Fatal(err)
	}
	colors := Colors{Dark: color.RGBA{1, 2, 3, 0xFF}, Light: color.RGBA{4, 5, 6, 0xFF}}
	for _, size := range []int{len(b), len(b) + 1, 64, 100, 511, 512, 2047, 2048} {
		file, err := b.PNG(size, colors)
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if palette := picture.(*image.Paletted).Palette; len(palette) != 2 ||
			picture.Bounds() != image.Rect(0, 0, size, size) {
			t.Errorf("%d: %v, %v", size, picture.Bounds(), palette)
		}
		scale := size / len(b)
		around := (size - scale*len(b)) / 2
		for y := range size {
			for x := range size {
				want := colors.Light
				i, j := (y-around)/scale, (x-around)/scale
				if y >= around && x >= around && i < len(b) && j < len(b) && b[i][j] {
					want = colors.Dark
				}
				if got := picture.At(x, y); got != color.Color(want) {
					t.Fatalf("%d: %d, %d is %v, want %v", size, x, y, got, want)
				}
			}
		}
	}
}

func BenchmarkPNG(b *testing.B) {
	for _, size := range []int{512, 2048} {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bitmap, err := New("https://s.example/launch", 'M', QuietZone)
				if err != nil {
					b.Fatal(err)
				}
				file, err := bitmap.PNG(size, BlackOnWhite)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(file)), "B")
			}
		})
	}
}
