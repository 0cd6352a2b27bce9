package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"terse/api"
	"terse/internal/tests/pgtest"
)

const (
	limitVisitors = 64 // of each node
	limitClicks   = 100
	limitRounds   = 3
)

// takers are visitors of a link with max_clicks.
type takers struct {
	code string
	// redirects that were answered, and requests that may have taken a click without an answer
	answered, doubtful atomic.Int64
}

// visit asks a node for the link until it is used up. The node may be killed or replaced meanwhile.
// The pauses spread the clicks over some time.
func (v *takers) visit(ctx context.Context, client *http.Client, node func() *instance) {
	for ctx.Err() == nil {
		time.Sleep(rand.N(500 * time.Millisecond))
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, node().url+"/"+v.code,
			http.NoBody)
		if err != nil {
			return
		}
		status := 0
		resp, err := client.Do(req)
		if errors.Is(err, syscall.ECONNREFUSED) {
			continue // it was not sent
		}
		if err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			status = resp.StatusCode
		}
		switch status {
		case http.StatusFound:
			v.answered.Add(1)
		case http.StatusGone:
			return
		default:
			v.doubtful.Add(1)
		}
	}
}

// start has visitors ask a node, and returns a function that waits until all of them were told that
// the link is used up.
func (v *takers) start(t *testing.T, nodes ...func() *instance) (wait func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	var visiting sync.WaitGroup
	for _, node := range nodes {
		client := plain(t, limitVisitors)
		// On a kept connection the transport would send a request again that may have taken one.
		client.Transport = &http.Transport{DisableKeepAlives: true}
		for range limitVisitors {
			visiting.Go(func() { v.visit(ctx, client, node) })
		}
	}
	return func() {
		visiting.Wait()
		if ctx.Err() != nil {
			t.Error("the link was not used up within a minute")
		}
		cancel()
	}
}

// halfway waits until some clicks are taken, and some are left.
func (v *takers) halfway(t *testing.T) {
	t.Helper()
	await(t, "some clicks to be taken", func() bool {
		return v.answered.Load()+v.doubtful.Load() >= limitClicks/4
	})
}

// check holds the link to its limit: all of its clicks are answered or in doubt, and none more.
func (v *takers) check(t *testing.T, node *instance) {
	t.Helper()
	answered, doubtful := v.answered.Load(), v.doubtful.Load()
	if answered > limitClicks || answered+doubtful < limitClicks {
		t.Errorf("%d redirects answered and %d in doubt, of %d", answered, doubtful, limitClicks)
	}
	link, err := node.client().Link(t.Context(), v.code)
	if err != nil {
		t.Fatal(err)
	}
	if link.Status != "used_up" || link.ClicksLeft == nil || *link.ClicksLeft != 0 {
		t.Errorf("afterwards the link is %+v", link)
	}
	t.Logf("%d redirects answered, %d requests in doubt", answered, doubtful)
}

func limitedLink(t *testing.T, node *instance) *takers {
	t.Helper()
	created, err := node.client().Create(t.Context(), api.CreateRequest{
		OriginalURL: "https://example.com/",
		LinkOptions: api.LinkOptions{MaxClicks: limitClicks},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &takers{code: created.ShortCode}
}

// TestMaxClicksOfNodes has visitors of three nodes take the clicks of a link, while one node is
// killed and the database is started again.
func TestMaxClicksOfNodes(t *testing.T) {
	t.Parallel()
	database := pgtest.Start(t)
	c := &cluster{witness: newWitness(), env: []string{"DATABASE_URL=" + database.URL("postgres")}}
	for i := range c.nodes {
		c.nodes[i].Store(startProcess(t, t.TempDir(), c.env...))
	}
	var nodes []func() *instance
	for i := range c.nodes {
		nodes = append(nodes, func() *instance { return c.node(i) })
	}
	for round := range limitRounds {
		v := limitedLink(t, c.node(0))
		wait := v.start(t, nodes...)
		v.halfway(t)
		killed := c.node(1)
		killed.kill()
		end := database.Stop
		if round%2 > 0 {
			end = database.Shutdown
		}
		if err := end(); err != nil {
			t.Fatal(err)
		}
		if err := database.Start(); err != nil {
			t.Fatal(err)
		}
		c.nodes[1].Store(startProcess(t, killed.dir, c.env...))
		wait()
		c.ready(t, http.StatusOK)
		v.check(t, c.node(0))
	}
}

// TestMaxClicksOfKilled is the same with a server on SQLite that is killed.
func TestMaxClicksOfKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var node atomic.Pointer[instance]
	node.Store(startProcess(t, dir))
	for range limitRounds {
		v := limitedLink(t, node.Load())
		wait := v.start(t, node.Load)
		v.halfway(t)
		node.Load().kill()
		node.Store(startProcess(t, dir))
		wait()
		v.check(t, node.Load())
	}
}

const (
	editedLinks = 50
	editRounds  = 5 // edits of each link
)

// TestEditsReachRedirects edits links while two nodes redirect to them. No answer of the node that
// is asked for the edits is older than the last one that it acknowledged. The other node follows;
// how old its answers were is in the log.
func TestEditsReachRedirects(t *testing.T) {
	t.Parallel()
	database := pgtest.URL(t)
	here, there := start(t, "DATABASE_URL="+database), start(t, "DATABASE_URL="+database)
	target := func(version int64) string { return fmt.Sprintf("https://example.com/%d", version) }
	var codes [editedLinks]string
	var acknowledged [editedLinks]atomic.Int64 // version of each link
	// when each version was acknowledged, in nanoseconds since began
	var when [editedLinks][editRounds + 1]atomic.Int64
	var oldest atomic.Int64 // how long after that the other node still answered with the one before
	began := time.Now()
	for i := range codes {
		codes[i] = here.shorten(t, target(0))
	}
	ctx, cancel := context.WithCancel(t.Context())
	var visiting sync.WaitGroup
	for _, node := range []*instance{here, there} {
		client := plain(t, 8)
		for range 8 {
			visiting.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					i, asked := rand.IntN(editedLinks), int64(time.Since(began))
					least := acknowledged[i].Load()
					at, err := versionOf(ctx, client, node.url+"/"+codes[i])
					if ctx.Err() != nil {
						return
					}
					if err != nil || node == here && at < least {
						t.Errorf("version %d, %v; %d was acknowledged before", at, err, least)
						return
					}
					if at < least {
						late := asked - when[i][at+1].Load()
						for old := oldest.Load(); late > old; old = oldest.Load() {
							oldest.CompareAndSwap(old, late)
						}
					}
				}
			})
		}
	}
	client := here.client()
	for version := int64(1); version <= editRounds; version++ {
		for i, code := range codes {
			if _, err := client.Update(ctx, code, "",
				api.Changes{"original_url": target(version)}); err != nil {
				t.Fatal(err)
			}
			when[i][version].Store(int64(time.Since(began)))
			acknowledged[i].Store(version)
		}
	}
	cancel()
	visiting.Wait()
	t.Logf("the other node's answers were up to %v old; %.0f edits a second",
		time.Duration(oldest.Load()), editedLinks*editRounds/time.Since(began).Seconds())
	for _, code := range codes {
		await(t, "the other node to follow", func() bool {
			at, err := versionOf(t.Context(), plain(t, 1), there.url+"/"+code)
			return err == nil && at == editRounds
		})
	}
}

// versionOf returns the version of the target that a link leads to.
func versionOf(ctx context.Context, client *http.Client, url string) (version int64, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return 0, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	_ = resp.Body.Close()
	_, err = fmt.Sscanf(resp.Header.Get("Location"), "https://example.com/%d", &version)
	return version, err
}
