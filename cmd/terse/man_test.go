package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"terse/internal/cli"
)

// wantProgram returns the path of a program that only some tests need. Where it is missing the test
// is skipped, or fails if CI is "true".
func wantProgram(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	switch {
	case err == nil:
	case os.Getenv("CI") == "true":
		t.Fatalf("%s is missing; scripts/needs.sh says how to install it", name)
	default:
		t.Skipf("NOT TESTED: %s is missing; scripts/needs.sh says how to install it", name)
	}
	return path
}

func TestManualPages(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "man1")
	var told output
	if code := run(t.Context(), []string{"man", dir}, []string{"SOURCE_DATE_EPOCH=1700000000"}, nil,
		&told, &told); code != cli.ExitOK {
		t.Fatalf("exit code %d: %s", code, &told)
	}
	for name, texts := range map[string][]string{
		"terse": {
			".TH TERSE 1 2023-11-14 ", `\fBterse\-overview\fR(1)`, "Exit codes: 0 done",
		},
		"terse-serve": {`\fB\-\-data\-dir\fR=\fI"./data"\fR`, "($DATA_DIR)"},
		"terse-tag": {
			`\fBterse tag ls\fR [\fIoptions\fR]`,
			`\fBterse tag add\fR [\fIoptions\fR] \fItag\fR \fIcode\fR ...`, ".SH RENAME",
		},
		"terse-overview": {`terse\-overview \- Show the clicks of all links`},
		"terse-list": {
			"\\fBterse list\\fR [\\fIoptions\\fR]\n.br\n\\fBterse ls\\fR [\\fIoptions\\fR]\n",
			`\fB\-L\fR, \fB\-\-limit\fR=\fIN\fR`,
		},
		"terse-qr": {`\fB\-o\fR, \fB\-\-output\fR=\fIFILE\fR`},
	} {
		page, err := os.ReadFile(filepath.Join(dir, name+".1"))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if !strings.Contains(string(page), text) {
				t.Errorf("%s lacks %q:\n%s", name, text, page)
			}
		}
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		if strings.Contains(page, "__complete") {
			t.Errorf("%s is for scripts only", page)
		}
	}
	lint := exec.Command(wantProgram(t, "mandoc"), append([]string{"-T", "lint"}, pages...)...)
	if out, err := lint.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("mandoc: %v\n%s", err, out)
	}
}

func TestManualPagesNeedADate(t *testing.T) {
	t.Parallel()
	var told output
	code := run(t.Context(), []string{"man", t.TempDir()}, []string{"SOURCE_DATE_EPOCH=today"}, nil,
		&told, &told)
	if code != cli.ExitUsage || !strings.Contains(told.String(), `SOURCE_DATE_EPOCH is "today"`) {
		t.Errorf("exit code %d: %s", code, &told)
	}
}
