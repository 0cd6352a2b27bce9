package useragent

import (
	"os"
	"strings"
	"testing"
)

// agent is a line of testdata/agents.tsv.
type agent struct {
	section, line string
	want          Families
}

func readAgents(t *testing.T) (agents []agent) {
	t.Helper()
	file, err := os.ReadFile("testdata/agents.tsv")
	if err != nil {
		t.Fatal(err)
	}
	section := ""
	for line := range strings.Lines(string(file)) {
		line = strings.TrimSuffix(line, "\n")
		if comment, ok := strings.CutPrefix(line, "# "); ok {
			section = comment
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 5 || cells[4] != "yes" && cells[4] != "no" {
			t.Fatalf("%q is no line of five cells", line)
		}
		agents = append(agents, agent{
			section, cells[0],
			Families{
				Browser: cells[1], OS: cells[2], Device: cells[3], Bot: cells[4] == "yes",
			},
		})
	}
	return agents
}

// Of user agents that were really sent, 98 of 100 are what they are. The others are in the log.
func TestRealUserAgents(t *testing.T) {
	t.Parallel()
	agents, rules := readAgents(t), rules()
	sections, misses := map[string]int{}, 0
	for _, a := range agents {
		sections[a.section]++
		if got := recognize(rules, a.line); got != a.want {
			misses++
			t.Logf("%q is %+v, not %+v", a.line, a.want, got)
		}
	}
	t.Logf("%d of %d are wrong", misses, len(agents))
	if misses*100 > len(agents)*2 {
		t.Error("those are too many")
	}
	for section, least := range map[string]int{
		"Browsers, apps, tablets, televisions, consoles.": 200, "Browsers in use in 2026.": 100,
		"Crawlers, feed readers, scanners.": 100, "Link previews.": 20, "Monitors.": 20,
		"Libraries.": 20,
	} {
		if sections[section] < least {
			t.Errorf("%s are %d of at least %d", section, sections[section], least)
		}
	}
}

// Who is a person, and which bots show what is behind a link to those who were sent it.
func TestPeopleAndPrograms(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/people.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rules, kinds := rules(), map[string]int{}
	for line := range strings.Lines(string(file)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "# ") {
			continue
		}
		want, agent, _ := strings.Cut(line, "\t")
		kinds[want]++
		got := "person"
		if IsLinkPreview([]byte(agent)) {
			got = "preview"
		}
		if f := recognize(rules, agent); f.Bot && got == "person" {
			got = "bot"
		} else if !f.Bot && got == "preview" {
			t.Errorf("%q gets the preview and is counted as a person", agent)
		}
		if got != want {
			t.Errorf("%q is %s, not %s", agent, got, want)
		}
	}
	if kinds["person"] < 80 || kinds["bot"] < 30 || kinds["preview"] < 30 || len(kinds) != 3 {
		t.Errorf("%v", kinds)
	}
}

// All fetchers of links are known as that where a preview is answered to them, too.
func TestLinkPreviewsGetThePreview(t *testing.T) {
	t.Parallel()
	for _, a := range readAgents(t) {
		if preview := IsLinkPreview([]byte(a.line)); preview && !a.want.Bot ||
			!preview && a.section == "Link previews." {
			t.Errorf("%q, of %q, gets the preview: %v", a.line, a.section, preview)
		}
	}
}

func TestAgentsAreDifferent(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, a := range readAgents(t) {
		if seen[a.line] {
			t.Errorf("%q is there twice", a.line)
		}
		seen[a.line] = true
		if a.want.Bot && a.want != bot {
			t.Errorf("%q is a bot with %+v", a.line, a.want)
		}
	}
}

// Every desktop with the X Window System is one, whatever its system.
func TestDesktopsUnderX11(t *testing.T) {
	t.Parallel()
	p := New()
	for _, system := range []string{
		"FreeBSD amd64", "OpenBSD amd64", "NetBSD amd64", "DragonFly x86_64", "SunOS i86pc",
		"Haiku x86_64",
	} {
		agent := "Mozilla/5.0 (X11; " + system + "; rv:109.0) Gecko/20100101 Firefox/118.0"
		if f := p.Identify([]byte(agent)); f.Device != "desktop" || f.Bot {
			t.Errorf("%s: %+v", agent, f)
		}
	}
}
