package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"terse/internal/pgtest"
	"terse/internal/redistest"
)

const (
	clusterNodes = 3
	clusterConns = 8 // on each node
	clusterCodes = 256
	// clusterPause is between the requests of a connection, so that no link gets more referrers than are told apart.
	clusterPause = 2 * time.Millisecond
	// outage is how long the database is away.
	outage = 10 * time.Second
)

// cluster is nodes with one database and one Redis server, and what they acknowledged.
type cluster struct {
	witness
	env   []string
	nodes [clusterNodes]atomic.Pointer[instance]
	by    [clusterNodes]atomic.Int64 // redirects answered
}

// TestNodesLoseNothing has a load on three nodes, of which one is killed and started again, and the database and Redis stopped and started
// again. Every answered redirect is counted exactly once, every acknowledged create and delete stands, and a link that is deleted on one
// node is gone on all.
func TestNodesLoseNothing(t *testing.T) {
	t.Parallel()
	database, redis := pgtest.Start(t), redistest.Start(t)
	c := &cluster{
		witness: witness{created: map[string]bool{}, deleted: map[string]bool{}, unsure: map[string]bool{}},
		env: []string{
			"DATABASE_URL=" + database.URL("postgres"), "REDIS_URL=" + redis.URL(),
			"REDIRECT_RATE_LIMIT_PER_MINUTE=1000000000", "API_RATE_LIMIT_PER_MINUTE=1000000000",
		},
	}
	for i := range c.nodes {
		c.nodes[i].Store(startProcess(t, t.TempDir(), c.env...))
	}
	for range clusterCodes {
		c.codes = append(c.codes, c.node(0).shorten(t, "https://example.com/"))
		c.answered = append(c.answered, map[string]bool{})
	}
	stop := c.load(t)
	c.progress(t, 500)

	killed := c.node(1)
	killed.kill()
	c.progress(t, 500, 0, 2)
	c.nodes[1].Store(startProcess(t, killed.dir, c.env...))
	// One connection at least has then asked for all codes, twice: a look-up that a change overtakes is not kept. So they
	// are in the caches when the database goes.
	c.progress(t, 2*clusterCodes*clusterConns)
	c.deleteIsSeen(t)

	if err := database.Stop(); err != nil {
		t.Fatal(err)
	}
	back := time.After(outage)
	c.ready(t, http.StatusServiceUnavailable)
	c.progress(t, 500) // from the caches
	redis.Kill()
	c.progress(t, 500)
	redis.Start()
	<-back
	if err := database.Start(); err != nil {
		t.Fatal(err)
	}
	c.ready(t, http.StatusOK)
	c.progress(t, 500)
	c.deleteIsSeen(t)
	for i := range c.nodes {
		await(t, fmt.Sprintf("node %d to count with the others", i), func() bool {
			return strings.Contains(c.node(i).do(t, "GET /metrics", "").body, "terse_ratelimit_shared 1\n")
		})
	}
	stop()
	c.check(t, c.node(0), c.node(1), c.node(2))
	for i := range c.nodes {
		if code := c.node(i).stop(t); code != 0 {
			t.Errorf("node %d ended with %d:\n%s", i, code, c.node(i).log)
		}
	}
}

func (c *cluster) node(i int) *instance { return c.nodes[i].Load() }

// load has all nodes redirect, and links come and go, whatever fails meanwhile, until the returned function is called.
func (c *cluster) load(t *testing.T) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for node := range clusterNodes {
		client := plain(t, clusterConns)
		for conn := range clusterConns {
			running.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					referrer := fmt.Sprintf("https://r.example/%d/%d/%d", node, conn, n)
					if c.redirect(ctx, client, c.node(node).url, n%clusterCodes, referrer) {
						c.by[node].Add(1)
						c.total.Add(1)
					}
					time.Sleep(clusterPause)
				}
			})
		}
		running.Go(func() {
			for ctx.Err() == nil {
				c.createAndDelete(ctx, c.node(node).client()) // until something fails
			}
		})
	}
	return func() { cancel(); running.Wait() }
}

// progress waits until nodes, or all, have answered so many redirects more.
func (c *cluster) progress(t *testing.T, redirects int64, nodes ...int) {
	t.Helper()
	if len(nodes) == 0 {
		nodes = []int{0, 1, 2}
	}
	for _, i := range nodes {
		goal := c.by[i].Load() + redirects
		await(t, fmt.Sprintf("node %d to redirect", i), func() bool { return c.by[i].Load() >= goal })
	}
}

func (c *cluster) ready(t *testing.T, status int) {
	t.Helper()
	for i := range c.nodes {
		await(t, fmt.Sprintf("node %d to answer %d when it is asked whether it is ready", i, status), func() bool {
			return c.node(i).do(t, "GET /ready", "").StatusCode == status
		})
	}
}

// deleteIsSeen deletes a link that all nodes have in their caches.
func (c *cluster) deleteIsSeen(t *testing.T) {
	t.Helper()
	code := c.node(0).shorten(t, "https://example.com/")
	for i := range c.nodes {
		await(t, fmt.Sprintf("node %d to know a new link", i), func() bool { return c.node(i).do(t, "GET /"+code, "").StatusCode == http.StatusFound })
	}
	c.node(0).clicks(t, code, clusterNodes)
	if err := c.node(1).client().Delete(t.Context(), code); err != nil {
		t.Fatal(err)
	}
	deleted := time.Now()
	for i := range c.nodes {
		await(t, fmt.Sprintf("node %d to know that a link is gone", i), func() bool { return c.node(i).do(t, "GET /"+code, "").StatusCode == http.StatusNotFound })
	}
	// A second is promised; a busy machine gets more, but less than what it takes when nobody tells.
	if took := time.Since(deleted); took > 5*time.Second {
		t.Errorf("a deleted link went on for %v", took)
	} else {
		t.Logf("a deleted link was gone on all nodes after %v", took)
	}
}
