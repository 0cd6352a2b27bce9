package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"terse/internal/tests/pgtest"
	"terse/internal/tests/redistest"
)

const (
	clusterNodes = 3
	clusterConns = 8 // on each node
	clusterLinks = 100

	// clusterPause is between the requests of a connection. It keeps each link for minutes within
	// the number of referrers that are told apart, and leaves the processor to the servers.
	clusterPause = 10 * time.Millisecond
)

// cluster is nodes with one database, and what they acknowledged.
type cluster struct {
	*witness
	env   []string
	nodes [clusterNodes]atomic.Pointer[instance]
	by    [clusterNodes]atomic.Int64 // redirects answered
	asked atomic.Int64               // by askForAll
}

// newCluster starts nodes, and makes links.
func newCluster(t *testing.T, env ...string) *cluster {
	t.Helper()
	c := &cluster{
		witness: newWitness(), env: env,
	}
	for i := range c.nodes {
		c.nodes[i].Store(startProcess(t, t.TempDir(), c.env...))
	}
	for range clusterLinks {
		c.codes = append(c.codes, c.node(0).shorten(t, "https://example.com/"))
		c.answered = append(c.answered, map[string]bool{})
	}
	return c
}

// stopsVariable says how often TestDatabaseStops stops the database; the default is defaultStops.
const (
	stopsVariable = "TERSE_TEST_STOPS"
	defaultStops  = 3
)

// TestDatabaseStops has a load on three nodes while the database is stopped and started again and
// again. The load is on some of the links only; the others are asked for while the database is
// away. Each is in every node's memory from the beginning, and no node answers anything but a
// redirect. Every answered redirect is counted exactly once.
func TestDatabaseStops(t *testing.T) {
	t.Parallel()
	stops := defaultStops
	if text := os.Getenv(stopsVariable); text != "" {
		var err error
		if stops, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s: %v", stopsVariable, err)
		}
	}
	database := pgtest.Start(t)
	c := newCluster(t, "DATABASE_URL="+database.URL("postgres"))
	c.askForAll(t)
	stop := c.load(t, clusterLinks/2)
	for n := range stops {
		c.progress(t, 200)
		end := database.Stop
		if n%2 > 0 {
			end = database.Shutdown
		}
		if err := end(); err != nil {
			t.Fatal(err)
		}
		c.ready(t, http.StatusServiceUnavailable)
		c.askForAll(t)
		c.progress(t, 200)
		if err := database.Start(); err != nil {
			t.Fatal(err)
		}
		c.ready(t, http.StatusOK)
	}
	stop()
	if len(c.others) > 0 {
		t.Errorf("answers that are no redirects, by status, 0 without one: %v", c.others)
	}
	c.check(t, c.node(0), c.node(1), c.node(2))
	t.Logf("the database was stopped %d times", stops)
}

// askForAll asks each node for each link.
func (c *cluster) askForAll(t *testing.T) {
	t.Helper()
	var asking sync.WaitGroup
	for i := range c.nodes {
		client := plain(t, 1)
		asking.Go(func() {
			failed := 0
			for code := range clusterLinks {
				referrer := fmt.Sprintf("https://r.example/all/%d", c.asked.Add(1))
				if !c.redirect(t.Context(), client, c.node(i).url, code, referrer) {
					failed++
					continue
				}
				c.total.Add(1)
			}
			if failed > 0 {
				t.Errorf("node %d did not redirect %d of %d links", i, failed, clusterLinks)
			}
		})
	}
	asking.Wait()
}

// TestNodesLoseNothing has a load on three nodes, of which one is killed and started again, and the
// database and Redis stopped and started again. Every answered redirect is counted exactly once,
// every acknowledged create and delete stands, and a link that is deleted on one node is gone on
// all.
func TestNodesLoseNothing(t *testing.T) {
	t.Parallel()
	database, redis := pgtest.Start(t), redistest.Start(t)
	c := newCluster(t, "DATABASE_URL="+database.URL("postgres"), "REDIS_URL="+redis.URL(),
		"REDIRECT_RATE_LIMIT_PER_MINUTE=1000000000", "API_RATE_LIMIT_PER_MINUTE=1000000000")
	stop := c.load(t, clusterLinks)
	c.progress(t, 200)

	killed := c.node(1)
	killed.kill()
	c.progress(t, 200, 0, 2)
	c.nodes[1].Store(startProcess(t, killed.dir, c.env...))
	// One connection at least has then asked for all codes, twice: a look-up that a change
	// overtakes is not kept. So they are in the caches when the database goes.
	c.progress(t, 2*clusterLinks*clusterConns)
	c.deleteIsSeen(t)

	if err := database.Stop(); err != nil {
		t.Fatal(err)
	}
	c.ready(t, http.StatusServiceUnavailable)
	c.progress(t, 200) // from the caches
	redis.Kill()
	c.progress(t, 200)
	redis.Start()
	if err := database.Start(); err != nil {
		t.Fatal(err)
	}
	c.ready(t, http.StatusOK)
	c.progress(t, 200)
	c.deleteIsSeen(t)
	for i := range c.nodes {
		await(t, fmt.Sprintf("node %d to count with the others", i), func() bool {
			return strings.Contains(c.node(i).do(t, "GET /metrics", "").body,
				"terse_ratelimit_shared 1\n")
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

// TestCitusWorkerAway has a load on three nodes while a worker of their database is away. Every
// answered redirect is counted exactly once, and every acknowledged create and delete stands.
func TestCitusWorkerAway(t *testing.T) {
	t.Parallel()
	url, workers := pgtest.Citus(t, 8)
	c := newCluster(t, "DATABASE_URL="+url, "API_RATE_LIMIT_PER_MINUTE=1000000000")
	stop := c.load(t, clusterLinks)
	c.progress(t, 2*clusterLinks*clusterConns) // all links are in memory
	back := pgtest.SendAway(t, workers[0])
	c.ready(t, http.StatusServiceUnavailable)
	c.progress(t, 200)
	back()
	c.ready(t, http.StatusOK)
	c.progress(t, 200)
	stop()
	c.check(t, c.node(0), c.node(1), c.node(2))
}

func (c *cluster) node(i int) *instance { return c.nodes[i].Load() }

// load has all nodes redirect to the first links, and links come and go, whatever fails meanwhile,
// until the returned function is called.
func (c *cluster) load(t *testing.T, links int) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for node := range clusterNodes {
		client := plain(t, clusterConns)
		for conn := range clusterConns {
			running.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					referrer := fmt.Sprintf("https://r.example/%d/%d/%d", node, conn, n)
					if c.redirect(ctx, client, c.node(node).url, n%links, referrer) {
						c.by[node].Add(1)
						c.total.Add(1)
					}
					time.Sleep(clusterPause)
				}
			})
		}
		running.Go(func() {
			for ctx.Err() == nil {
				// until something fails
				c.createAndDelete(ctx, c.node(node).client(), clusterPause)
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
		await(t, fmt.Sprintf("node %d to redirect", i),
			func() bool { return c.by[i].Load() >= goal })
	}
}

func (c *cluster) ready(t *testing.T, status int) {
	t.Helper()
	for i := range c.nodes {
		await(t, fmt.Sprintf("node %d to answer %d when it is asked whether it is ready", i,
			status), func() bool {
			return c.node(i).do(t, "GET /ready", "").StatusCode == status
		})
		isReady := 0.0
		if status == http.StatusOK {
			isReady = 1
		}
		await(t, fmt.Sprintf("the metric of node %d to be %v", i, isReady),
			func() bool { return c.node(i).metric(t, "terse_ready") == isReady })
	}
}

// deleteIsSeen deletes a link that all nodes have in their caches.
func (c *cluster) deleteIsSeen(t *testing.T) {
	t.Helper()
	code := c.node(0).shorten(t, "https://example.com/")
	for i := range c.nodes {
		await(t, fmt.Sprintf("node %d to know a new link", i),
			func() bool { return c.node(i).do(t, "GET /"+code, "").StatusCode == http.StatusFound })
	}
	c.node(0).clicks(t, code, clusterNodes)
	if err := c.node(1).client().Delete(t.Context(), code); err != nil {
		t.Fatal(err)
	}
	deleted := time.Now()
	for i := range c.nodes {
		await(t, fmt.Sprintf("node %d to know that a link is gone", i),
			func() bool {
				return c.node(i).do(t, "GET /"+code, "").StatusCode == http.StatusNotFound
			})
	}
	t.Logf("a deleted link was gone on all nodes after %v", time.Since(deleted))
}
