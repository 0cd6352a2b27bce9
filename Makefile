# The project's tasks. scripts/needs.sh says what they need besides Go.
.DEFAULT_GOAL := help
.PHONY: help run build test test-long check-release lint fmt check bench bench-compare fuzz
.PHONY: bundle screenshots vendor-web release site clean

# What `terse version` prints. A release built outside git passes it: make build VERSION=v1.2.3
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
FUZZTIME ?= 10s
BENCH ?= .
COUNT ?= 1

# Releases, tests and linters share what is compiled if none of them uses C.
export CGO_ENABLED := 0

# The linters are pinned in a module file of their own, so that they never affect the versions of
# the server's dependencies.
TOOL := go tool -modfile=tools.mod

# For JavaScript, style sheets and JSON.
PRETTIER := internal/web/node_modules/.bin/prettier

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

run: build ## Build, and serve on port 8080 with ./data
	bin/terse serve

# Without symbols and DWARF the binary is 36 MiB instead of 49; stack traces keep functions and
# lines.
build: ## Build bin/terse
	go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' \
		-o bin/terse ./cmd/terse

# SQLite is C translated to Go, with its own mutexes: the race detector would find nothing there,
# and take most of the tests' time. The same goes for packing and reading clicks, the sets of
# visitors and the naive model of the stores' tests, which have no goroutines. None of them may use
# sync.Map: the linker might use its code from such a package, where the detector sees no
# synchronization, for all packages, and false races would be reported.
RACE := -race -gcflags=modernc.org/...=-race=false \
	-gcflags=terse/internal/click/clickblock=-race=false \
	-gcflags=terse/internal/click/clickstore=-race=false \
	-gcflags=terse/internal/click/visitors=-race=false \
	-gcflags=terse/internal/database/storetest=-race=false

# The core, whose coverage has a lower bound. The slowest packages come first, to run in parallel.
# Other packages' coverage is not measured: with the race detector, it makes their tests up to 26
# times as slow.
CORE := terse/internal/database/postgres terse/internal/database/sqlite terse/internal/httpapi \
	terse terse/internal/visit/redirect terse/internal/click/journal terse/internal/click/ingest

# All tests share one PostgreSQL server and, as processes, one program. gotestsum prints a line for
# each package when its tests end, and repeats failures at the end.
SUM := TERSE_TEST_BINARY=$(CURDIR)/bin/tested go run ./internal/tests/pgtest/run \
	$(TOOL) gotestsum --format=pkgname --format-hide-empty-pkg --raw-command --

# Lint runs vet, for tests, too. Many tests wait, for servers or for time: twice as many at once as
# there are processors keep these busy.
GOTEST := go test -json -vet=off -timeout=30m -shuffle=on \
	-parallel=$$((2 * $$(getconf _NPROCESSORS_ONLN)))

# By default each test binary waits for a second before it exits, for races in what still runs after
# its tests; a tenth of that is enough. Only the race detector needs C.
TEST := $(SUM) $(GOTEST)
TEST_RACE := $(SUM) env CGO_ENABLED=1 GORACE=atexit_sleep_ms=100 $(GOTEST) $(RACE)

# Packages that share memory between goroutines; the detector sees what their tests run of other
# packages, too. The others' tests take three times as long with it, and it finds little there. So
# do tests of these packages that have no goroutines of their own: those that take long have names
# that begin with TestPlain, and run without it.
CONCURRENT := terse/internal/database/postgres terse/internal/database/sqlite \
	terse/internal/visit/server/... terse/internal/visit/redirect terse/internal/click/journal \
	terse/internal/click/ingest terse/internal/visit/recent terse/internal/click/daykey \
	terse/internal/visit/ratelimit terse/internal/visit/unknown terse/internal/cli/console \
	terse/internal/cli/moving terse/internal/cli/operations

# The slowest of the others come first. Two packages at once keep two processors busy; three took
# longer.
SLOW := terse/cmd/terse terse/internal/web/browsertest terse/internal/httpapi

# Go takes a result from its cache if only files outside a module have changed, such as the
# documents for the site: hence -count=1.
test: bin/tested ## Run the tests, 11 minutes on two cores
	@scripts/needs.sh
	$(TEST_RACE) -short -skip='^TestPlain[A-Z]' $(CONCURRENT)
	$(TEST) -short -run='^TestPlain[A-Z]' $$(grep -rl --include='*_test.go' '^func TestPlain[A-Z]' \
		internal | xargs -n 1 dirname | sort -u | sed 's,^,./,')
	$(TEST) -short -p=2 $(SLOW) $$(go list ./... | \
		grep -vxF "$$(printf '%s\n' $(SLOW) && go list $(CONCURRENT))")
	go -C bench test -short ./...
	go -C site test -short -count=1 ./...
	TERSE_TEST_BINARY=$(CURDIR)/bin/tested go -C deploy test -short ./...

# Slow tests that seldom find what the others don't: large databases, most of the dashboard's tests,
# the race detector everywhere, coverage.
test-long: bin/tested ## Run all tests; fail when the core is covered too little
	@echo "This needs 10 GiB of disk in $${TMPDIR:-/tmp}."
	@scripts/needs.sh
	$(TEST_RACE) -covermode=atomic -coverprofile=bin/cover.out $(CORE)
	$(TEST_RACE) $$(go list ./... | grep -vxF "$$(printf '%s\n' $(CORE))")
	TERSE_TEST_FOREIGN=1 $(TEST) -short ./internal/httpapi ./cmd/terse
	TERSE_TEST_TLS=1 $(TEST) -short ./internal/visit/server
	go -C bench test ./...
	@$(MAKE) check-release
	@scripts/cover.sh bin/cover.out
	@scripts/cover.sh bin/cover.out 85 $(CORE)

# What tests start as a process, stripped as by build. It keeps the paths of files: so it is linked
# from packages that the tests have compiled, too.
.PHONY: bin/tested
bin/tested:
	go build -ldflags '-s -w' -o bin/tested ./cmd/terse

# Whether what is published works: long builds, and modules of their own.
check-release: ## Build a release, and test and lint it and the files in deploy/
	@scripts/needs.sh --release
	go -C deploy test ./...
	go -C deploy/helm test -count=1 ./...
	go -C site test -count=1 -timeout=30m ./...
	go -C release test -timeout=40m ./...
	for module in deploy/helm release; do go -C $$module mod tidy -diff || exit 1; done
	cd deploy && go tool -modfile=../tools.mod golangci-lint run ./...
	cd deploy/helm && go tool -modfile=../../tools.mod golangci-lint run ./...
	cd release && go tool -modfile=../tools.mod golangci-lint run ./...
	cd site && go tool -modfile=../tools.mod golangci-lint run ./...

# golangci-lint includes vet, with more analyzers than go vet has by default.
lint: ## Look for mistakes that compile
	@unformatted="$$($(TOOL) gofumpt -l .)"; [ -z "$$unformatted" ] || \
		{ echo "make fmt would change:"; echo "$$unformatted"; exit 1; }
	@scripts/needs.sh
	@$(PRETTIER) --check .
	@scripts/columns.sh
	@for module in . bench deploy site internal/tests/acmetest/pebble; do \
		go -C $$module mod tidy -diff || exit 1; done
	cd release && go tool actionlint
	$(TOOL) golangci-lint run ./...
	cd bench && go tool -modfile=../tools.mod golangci-lint run ./...

fmt: ## Format the code
	$(TOOL) gofumpt -w .
	@scripts/needs.sh
	@$(PRETTIER) --log-level=warn --write .

check: test lint ## All that has to hold before a change is merged
	go mod verify

# Compare two runs with: go tool -modfile=tools.mod benchstat old.txt new.txt
bench: ## Run the benchmarks (BENCH=pattern COUNT=times)
	go test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) \
		$$(grep -rl --include='*_test.go' --exclude-dir=bench '^func Benchmark' . | \
		xargs -n 1 dirname | sort -u)

# It compares with the floors and writes docs/performance.md. ARGS='-beside BINARY' adds another
# terse; ARGS=-h shows the other options.
bench-compare: bin/compare ## Measure the server beside nginx, about half an hour
	bin/compare $(ARGS)

# The benchmarks are a separate module, so that the server has none of their dependencies.
.PHONY: bin/compare
bin/compare:
	go -C bench build -o ../bin/compare ./compare

fuzz: ## Run each fuzz test for FUZZTIME (10s)
	@scripts/fuzz.sh $(FUZZTIME)

bundle: ## Bundle the dashboard into internal/web/dist
	go generate ./internal/web

screenshots: ## Remake the pictures in docs/screenshots, in a browser
	@scripts/needs.sh --fonts
	rm -f docs/screenshots/*.png
	SCREENSHOTS=$(CURDIR)/docs/screenshots go test -count=1 -timeout=30m \
		-run 'TestDashboard/./chromium' ./internal/web/browsertest

vendor-web: ## Fetch the dashboard's third-party code from npm, at pinned versions
	node scripts/vendor-web/vendor.mjs

# The address of the source, which packages and the image name.
REPOSITORY ?= https://github.com/terse/terse

# A module of its own, like the benchmarks.
release: ## Build archives, packages and the image into dist (VERSION=v1.2.3)
	rm -rf dist
	SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)} \
		go -C release run . -version $(VERSION) -repository $(REPOSITORY) \
		-revision $$(git describe --always --abbrev=40 --exclude='*' --dirty)

# Where the site will be, such as https://docs.example.com/terse: only for its map and the page that
# shows for an address that does not exist.
SITE_URL ?=

site: site/node_modules/.package-lock.json ## Build the documentation site into dist/site
	rm -rf dist/site
	go -C site run . -version $(VERSION) -repository $(REPOSITORY) -url "$(SITE_URL)" \
		-revision $$(git rev-parse HEAD 2>/dev/null || echo HEAD)

# npm records there what it installed.
site/node_modules/.package-lock.json: site/package-lock.json
	npm ci --prefix site --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

clean: ## Remove what was built
	rm -rf bin dist
