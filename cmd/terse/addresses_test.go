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

	"terse/api"
	"terse/internal/tests/pgtest"
)

// codeChanges is how often TestCodeChangesOnNodes changes the code of its link.
const codeChanges = 12

// TestCodeChangesOnNodes changes the code of a link again and again while visitors ask three nodes
// for its first code, which stays an alias, and one node is killed. No visitor finds nothing there,
// every answered click is counted, and each code that was given up is followed by no node soon; how
// long it was followed is in the log.
func TestCodeChangesOnNodes(t *testing.T) {
	t.Parallel()
	env := "DATABASE_URL=" + pgtest.URL(t)
	var nodes [3]atomic.Pointer[instance]
	for i := range nodes {
		nodes[i].Store(startProcess(t, t.TempDir(), env))
	}
	first, referrer := "printed", "https://visitor.example/"
	link, err := nodes[0].Load().client().Create(t.Context(), api.CreateRequest{
		OriginalURL: "https://example.com/", ShortCode: &first,
	})
	if err != nil {
		t.Fatal(err)
	}
	var answered, unsure atomic.Int64
	restarted := make(chan struct{}) // the node that was killed
	ctx, cancel := context.WithCancel(t.Context())
	var visiting sync.WaitGroup
	for i := range nodes {
		client := plain(t, 4)
		for range 4 {
			visiting.Go(func() {
				for ctx.Err() == nil {
					status := visit(client, nodes[i].Load().url+"/"+first, referrer)
					switch status {
					case http.StatusFound:
						answered.Add(1)
					case 0:
						unsure.Add(1) // the node is being killed
						select {
						case <-restarted:
						case <-ctx.Done():
						}
					default:
						t.Errorf("node %d answers %d", i, status)
						return
					}
				}
			})
		}
	}
	more := func() {
		goal := answered.Load() + 200
		await(t, "more visits", func() bool { return answered.Load() >= goal || t.Failed() })
	}
	code, slowest := link.ShortCode, time.Duration(0)
	follows := func(i int, code string) bool {
		return visit(plain(t, 1), nodes[i].Load().url+"/"+code, "") != http.StatusNotFound
	}
	for n := range codeChanges {
		more()
		for i := range nodes { // so that all of them have it in memory
			await(t, "the code to be followed", func() bool { return follows(i, code) })
		}
		next := fmt.Sprint("code-", n)
		if _, err := nodes[n%2].Load().client().Update(t.Context(), code, "", api.Changes{
			"short_code": next, "aliases": []string{first},
		}); err != nil {
			t.Fatal(err)
		}
		changed := time.Now()
		if code != first {
			for i := range nodes {
				await(t, "the code to be given up", func() bool { return !follows(i, code) })
			}
			slowest = max(slowest, time.Since(changed))
		}
		code = next
		if n == codeChanges/2 {
			killed := nodes[2].Load()
			killed.kill()
			more()
			nodes[2].Store(startProcess(t, killed.dir, env))
			close(restarted)
		}
	}
	more()
	cancel()
	visiting.Wait()
	t.Logf("codes were followed for up to %v, by three nodes together", slowest)
	for i := range nodes {
		nodes[i].Load().drain(t)
	}
	stats := nodes[0].Load().clicks(t, code, answered.Load())
	if counted := stats.ByReferrer[referrer]; counted < answered.Load() ||
		counted > answered.Load()+unsure.Load() {
		t.Errorf("%d clicks, %d visits were answered, and perhaps %d more", counted,
			answered.Load(), unsure.Load())
	}
	if lost := nodes[0].Load().metric(t, "terse_clicks_lost_total"); lost > 0 {
		t.Errorf("%v clicks were lost", lost)
	}
}

// visit asks for a URL and returns the status, 0 without an answer.
func visit(client *http.Client, url, referrer string) int {
	req, err := http.NewRequest(http.MethodGet, url, http.NoBody)
	if err != nil {
		return 0
	}
	req.Header.Set("Referer", referrer)
	resp, err := client.Do(req)
	if err != nil {
		return 0
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// TestNodesIgnoreCaseAlike: a node with another IGNORE_CASE than one that runs does not start.
func TestNodesIgnoreCaseAlike(t *testing.T) {
	t.Parallel()
	env := []string{"DATABASE_URL=" + pgtest.URL(t), "IGNORE_CASE=true"}
	first := start(t, env...)
	second := start(t, env...)
	code := first.shorten(t, "https://example.com/")
	await(t, "the other node to follow any case", func() bool {
		return visit(plain(t, 1), second.url+"/"+strings.ToUpper(code), "") == http.StatusFound
	})
	told := &output{}
	ended := run(t.Context(), []string{"serve"},
		environFor(t.TempDir(), []string{env[0], "IGNORE_CASE=false"}), nil, told, told)
	if ended == 0 || !strings.Contains(told.String(),
		"IGNORE_CASE is false here, and true on 2 other node(s)") {
		t.Errorf("it ended with %d: %s", ended, told)
	}
}
