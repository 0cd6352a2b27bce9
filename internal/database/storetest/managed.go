package storetest

import (
	"testing"

	"terse"
)

// managedTests test everything that people do to links after creating them.
var managedTests = storeTests{
	"clicks are taken until none is left":            takeAll,
	"of concurrent takes as many succeed as may":     takeRace,
	"takes, changes and a delete do not harm others": takeWhileChanging,
	"links without max_clicks lose none":             takeNothing,
	"a link has the history of its changes":          history,
	"the last changes are kept":                      historyIsBounded,
	"tags are spelled as they were first":            spelling,
	"what is refused introduces no spelling":         refusedSpelling,
	"a spelling stands until its transaction ends":   lastSpelling,
	"tags are counted":                               countTags,
	"tags of all owners are summed":                  allTags,
	"the spelling of a tag changes":                  spellTag,
	"options that can't be read are kept":            damagedOptions,
	"options of a later version are kept":            laterOptions,
	"what is cleared is gone from among neighbours":  clearNeighbours,
	"a transaction does all or nothing":              transact,
	"an error that callers see harms no transaction": transactErrors,
	"what is taken back was never there":             transactTakenBack,
	"of concurrent transactions one makes the link":  newestRace,
	"the newest link that has not ended is found":    newestTo,
	"an answer is kept":                              keepAnswer,
	"a request that is under way is not done again":  underWay,
	"of concurrent requests with a key one is done":  answerRace,
	"a thousand operations are one transaction":      transactMany,
	"a link has one share":                           share,
	"a share that is taken back leads nowhere":       unshare,
	"a share goes with its link":                     shareGone,
	"of concurrent shares one is kept":               shareRace,
	"tags and overviews are shared, too":             shareMany,
	"a share is changed":                             shareChanged,
	"a share follows its tag":                        shareMoved,
	"shares of an identity are bounded":              sharesBounded,
	"a share goes with its identity":                 shareOfUser,
	"a share is restored":                            shareRestored,
	"of concurrent shares of a tag one is kept":      shareTagRace,
}

// encoded returns options as they are stored.
func encoded(t *testing.T, o terse.LinkOptions) terse.EncodedOptions {
	t.Helper()
	text, err := o.Encode()
	must(t, err)
	return text
}

// createWith creates a link with options.
func createWith(t *testing.T, s Store, c string, o terse.LinkOptions) terse.Link {
	t.Helper()
	return createEncoded(t, s, c, encoded(t, o))
}

func createEncoded(t *testing.T, s Store, c string, o terse.EncodedOptions) terse.Link {
	t.Helper()
	l := newLink(t, c)
	l.Options = o
	return mustCreate(t, s, l)
}

func update(t *testing.T, s Store, link terse.Link) terse.Link {
	t.Helper()
	updated, err := s.Update(t.Context(), me, changeTo(link))
	must(t, err)
	return updated
}

// updateTo changes the options of a link.
func updateTo(t *testing.T, s Store, link terse.Link, o terse.LinkOptions) terse.Link {
	t.Helper()
	link.Options = encoded(t, o)
	return update(t, s, link)
}

// wantFound compares a link with the one found by its code, and in a list.
func wantFound(t *testing.T, s Store, want terse.Link) {
	t.Helper()
	wantEqual(t, "found", find(t, s, want.Code), want)
	page := pageOf(t, s, terse.LinkQuery{Owner: want.CreatedBy, Limit: 1000})
	for _, listed := range page.Links {
		if listed.ID == want.ID {
			listed.Clicks = want.Clicks
			wantEqual(t, "listed", listed, want)
			return
		}
	}
	t.Errorf("link %v is not listed", want.Code)
}
