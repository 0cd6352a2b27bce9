// Command site makes the documentation site: static pages of the project's Markdown files.
//
// The files stay plain Markdown that GitHub shows. docs/README.md says which are pages, in which
// order, and what the menu calls them. Links between them become links between pages, with the same
// anchors; links to other files of the repository lead to its source. Whatever leads nowhere stops
// the command.
//
// goldmark reads the Markdown, chroma colours code, and MiniSearch searches in the browser: three
// libraries in place of a generator with its theme and hundreds of packages.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	var s site
	to := flag.String("to", "../dist/site", "the folder to write, which is new or empty")
	flag.StringVar(&s.root, "root", "..", "the repository's folder")
	flag.StringVar(&s.repository, "repository", "https://github.com/terse/terse",
		"address of the source")
	flag.StringVar(&s.revision, "revision", "HEAD", "the commit to which links to the source lead")
	flag.StringVar(&s.version, "version", "unknown", "what the pages are about")
	flag.StringVar(&s.url, "url", "", "where the site will be; without it there is no sitemap, "+
		"and the page for an address that does not exist works only at the root of a host")
	flag.Parse()
	if err := s.make(*to); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
