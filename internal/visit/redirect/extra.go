package redirect

import (
	"encoding/hex"
	"errors"
	"fmt"
	"image/color"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"terse"
	"terse/internal/visit/qr"
)

// page answers a visit of a preview or a picture, which is not a click. It takes longer than a
// redirect may.
func (h *Handler) page(v *Visit, a Attempt, p *place) (Answer, error) {
	if v.Post {
		return Answer{Reply: notAllowed}, nil
	}
	if a.Wait != 0 {
		return Answer{Apart: true}, nil
	}
	link, err := h.link(&p.target)
	if err != nil {
		return Answer{}, err
	}
	c := &options{}
	if t := newTarget(&link); len(t.encoded) > 0 {
		c = h.compiled.of(t.encoded)
	}
	if c.damaged != nil {
		return h.closed(link.Code, c.damaged, v.Time), nil
	}
	at := addressOf(v.Path)
	switch status := c.Status(v.Time, link.Used); {
	case status == terse.Scheduled:
		return h.nowhere(v), nil
	case p.page != previewSuffix:
		return h.picture(h.domain(v.Domain).url+"/"+encoded(at), p.page, v.Query), nil
	case status.Ended(), h.mayLeadToBlocked(&link, c):
		return Answer{Reply: h.pages(v).over}, nil
	}
	return Answer{Reply: h.previewPage(v, &link, c, at, visitLink)}, nil
}

// encoded returns an address as it is in a URL (RFC 3986).
func encoded(address string) string { return (&url.URL{Path: "/" + address}).EscapedPath()[1:] }

// Bounds and defaults of pictures.
const (
	minPixels, defaultPixels, maxPixels = 64, 512, 2048
	maxMargin                           = 20 // modules
	maxMedium                           = 40 // characters
)

// pictureAge is how long a picture may be cached: it never changes, but the link may go.
var pictureAge = Field{"Cache-Control", "public, max-age=3600"}

// picture returns the QR code of a short URL.
func (h *Handler) picture(short, suffix string, query []byte) Answer {
	p, err := parsePicture(string(query))
	if err != nil {
		return badRequest(err)
	}
	if p.medium != "" {
		short += "?utm_medium=" + p.medium
	}
	bitmap, err := qr.New(short, p.level, p.margin)
	if err != nil {
		return Answer{Reply: Failed, Err: err}
	}
	if suffix == svgSuffix {
		return Answer{Reply: NewReply(http.StatusOK, string(bitmap.SVG(p.colors)), append([]Field{
			{"Content-Type", "image/svg+xml"},
			pictureAge,
			{"Content-Security-Policy", "default-src 'none'"},
			{"X-Content-Type-Options", "nosniff"},
		}, h.more...)...)}
	}
	file, err := bitmap.PNG(p.size, p.colors)
	if err != nil {
		return Answer{Reply: Failed, Err: err}
	}
	if file == nil {
		return badRequest(fmt.Errorf("size must be at least %d for this code", len(bitmap)))
	}
	return Answer{Reply: NewReply(http.StatusOK, string(file), append([]Field{
		{"Content-Type", "image/png"}, pictureAge, {"X-Content-Type-Options", "nosniff"},
	}, h.more...)...)}
}

// badRequest returns our own error message.
func badRequest(err error) Answer {
	return Answer{Reply: NewReply(http.StatusBadRequest, `{"error":"`+err.Error()+`"}`,
		isJSON, noStore)}
}

// pictureQuery is the appearance that a query asks for.
type pictureQuery struct {
	size, margin int
	level        byte
	medium       string
	colors       qr.Colors
}

func parsePicture(query string) (p pictureQuery, err error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return p, errors.New("malformed query")
	}
	number := func(name string, least, otherwise, most int) int {
		text := values.Get(name)
		if text == "" {
			return otherwise
		}
		n, parseErr := strconv.Atoi(text)
		if parseErr != nil || n < least || n > most {
			err = fmt.Errorf("%s must be %d to %d", name, least, most)
		}
		return n
	}
	hue := func(name string, otherwise color.RGBA) color.RGBA {
		text := values.Get(name)
		if text == "" {
			return otherwise
		}
		b, decodeErr := hex.DecodeString(text)
		if decodeErr != nil || len(b) != 3 {
			err = fmt.Errorf("%s must be six hexadecimal digits such as 1a2b3c", name)
			return otherwise
		}
		return color.RGBA{b[0], b[1], b[2], 0xFF}
	}
	p.size = number("size", minPixels, defaultPixels, maxPixels)
	p.margin = number("margin", 0, qr.QuietZone, maxMargin)
	p.colors.Dark = hue("color", qr.BlackOnWhite.Dark)
	p.colors.Light = hue("background", qr.BlackOnWhite.Light)
	p.level = 'M'
	if level := values.Get("level"); len(level) == 1 && strings.Contains(qr.Levels, level) {
		p.level = level[0]
	} else if level != "" {
		err = errors.New("level must be L, M, Q or H")
	}
	p.medium = values.Get("medium")
	if len(p.medium) > maxMedium || !isMedium(p.medium) {
		err = errors.New("medium must be 1 to 40 of A-Z, a-z, 0-9, _ and -")
	}
	return p, err
}

func isMedium(s string) bool {
	for _, c := range []byte(s) {
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}
