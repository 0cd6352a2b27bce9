package httpapi

import (
	"time"

	"github.com/go-json-experiment/json"

	"terse"
	"terse/api"
)

// details returns the options of a link as answers have them, and what follows from them. The
// fields have the names that they are stored by. Damaged ones are left out.
func (s *service) details(link terse.Link) (shown api.LinkDetails) {
	if link.Options == "" {
		return shown
	}
	options, err := link.Options.Decode()
	if err == nil {
		if options.HasStatus() {
			shown.Status = string(options.Status(time.Now(), link.Used))
		}
		if options.MaxClicks > 0 {
			left := max(0, options.MaxClicks-link.Used)
			shown.ClicksLeft = &left
		}
		shown.Password = options.Password != ""
	}
	if problem := json.Unmarshal([]byte(link.Options), &shown.LinkOptions); problem != nil {
		err = problem
	}
	if err != nil {
		s.Logger.Warn("link has damaged options", "short_code", link.Code.String(), "error", err)
	}
	return shown
}
