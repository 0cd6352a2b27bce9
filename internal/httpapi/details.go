package httpapi

import (
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse"
	"terse/api"
)

// details returns a link's options as answers have them, and values derived from them. Fields have
// the names they are stored by. Options that can't be decoded are left out.
func (s *service) details(link terse.Link) (shown api.LinkDetails) {
	if link.Options == "" {
		shown.Blocked = s.manager.Blocked(link.URL)
		return shown
	}
	options, err := link.Options.Decode()
	if err == nil {
		err = json.Unmarshal([]byte(link.Options), &shown.LinkOptions,
			jsontext.AllowDuplicateNames(true))
	}
	if err != nil {
		s.Logger.Warn("link has damaged options", "short_code", link.Code.Text(), "error", err)
		return api.LinkDetails{}
	}
	if options.HasStatus() {
		shown.Status = string(options.Status(time.Now(), link.Used))
	}
	if options.MaxClicks > 0 {
		left := max(0, options.MaxClicks-link.Used)
		shown.ClicksLeft = &left
	}
	shown.Password = options.Password != ""
	shown.Blocked = s.manager.MayLeadToBlocked(link, &options)
	return shown
}
