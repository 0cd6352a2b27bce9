package pgtest

import (
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// CitusVariable names the variable with the URL of a database on the coordinator of a Citus
// cluster. The database has the extension and knows the workers, which accept its user.
const CitusVariable = "TERSE_TEST_CITUS"

var adding sync.Mutex

// Citus returns the URLs of a new, empty database on the cluster in TERSE_TEST_CITUS, and of its
// parts on the workers. They are dropped with the test. Tables get so many shards. Without a
// cluster, the test is skipped with a message, because Debian has no Citus package.
func Citus(t testing.TB, shards int) (coordinator string, workers []string) {
	t.Helper()
	admin := os.Getenv(CitusVariable)
	if admin == "" {
		t.Skip("CITUS IS NOT TESTED HERE: set " + CitusVariable + " to the address of a database " +
			"on a coordinator, such as postgres://postgres@127.0.0.1:5432/postgres")
	}
	name := fmt.Sprintf("terse_%d_%d", os.Getpid(), databases.Add(1))
	// Adding a node changes data shared by all databases of a server.
	adding.Lock()
	defer adding.Unlock()
	coordinator = newPart(t, admin, name)
	for _, node := range activeWorkers(t, admin) {
		u := mustParse(t, admin)
		u.Host = fmt.Sprintf("%s:%d", node.Name, node.Port)
		workers = append(workers, newPart(t, u.String(), name))
	}
	Exec(t, coordinator, fmt.Sprintf("ALTER DATABASE %s SET citus.shard_count = %d", name, shards))
	Join(t, coordinator, workers)
	return coordinator, workers
}

// Join turns databases into a cluster: it installs the extension, and adds the workers to the
// coordinator.
func Join(t testing.TB, coordinator string, workers []string) {
	t.Helper()
	for _, part := range append([]string{coordinator}, workers...) {
		Exec(t, part, "CREATE EXTENSION IF NOT EXISTS citus")
	}
	u := mustParse(t, coordinator)
	Exec(t, coordinator, "SELECT citus_set_coordinator_host($1, $2::integer)", u.Hostname(),
		u.Port())
	for _, worker := range workers {
		w := mustParse(t, worker)
		Exec(t, coordinator, "SELECT citus_add_node($1, $2::integer)", w.Hostname(), w.Port())
	}
}

// newPart creates a database on one node. admin is the URL of another database there.
func newPart(t testing.TB, admin, name string) string {
	t.Helper()
	Exec(t, admin, "CREATE DATABASE "+name)
	t.Cleanup(func() { Exec(t, admin, "DROP DATABASE "+name+" WITH (FORCE)") })
	part := mustParse(t, admin)
	part.Path = "/" + name
	return part.String()
}

type node struct {
	Name string
	Port int64
}

func activeWorkers(t testing.TB, admin string) []node {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), admin)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), "SELECT * FROM citus_get_active_worker_nodes()")
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := pgx.CollectRows(rows, pgx.RowToStructByPos[node])
	if err != nil || len(nodes) == 0 {
		t.Fatalf("%s has the workers %v: %v", CitusVariable, nodes, err)
	}
	return nodes
}

// SendAway makes a worker's database end its connections and refuse new ones. back makes it accept
// them again.
func SendAway(t testing.TB, worker string) (back func()) {
	t.Helper()
	u := mustParse(t, worker)
	name := strings.TrimPrefix(u.Path, "/")
	u.Path = "/postgres"
	allow := func(yes bool) {
		Exec(t, u.String(), fmt.Sprintf("ALTER DATABASE %s ALLOW_CONNECTIONS %t", name, yes))
	}
	allow(false)
	Exec(t, u.String(),
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)
	return func() { allow(true) }
}

func mustParse(t testing.TB, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
