# What a developer needs. `make check` before each commit; `make golden` after a change that changes what scenarios come to.

GO    ?= go
# The core and run start no goroutine, so the race detector looks at what is around them. It needs a C compiler.
RACE  := ./internal/explore/... ./internal/cli/... ./internal/report/... ./internal/tui/...
# What runs whole scenarios again and again shows it nothing new.
NO_RACE := TestScenariosComeToWhatTheirGoldenFilesSay|TestSameBytesEverywhere
CC_IS := $(shell command -v cc || command -v gcc)

.PHONY: build test bench golden check fuzz clean

build:
	$(GO) build -o replog ./cmd/replog

test:
	$(GO) vet ./...
	$(GO) test ./...
ifneq ($(CC_IS),)
	$(GO) test -race -short -skip '$(NO_RACE)' $(RACE)
endif
	$(GO) run ./cmd/replog test --quiet scenarios

# The table of speed targets first, then a benchmark for each layer. Leave the machine alone meanwhile.
bench:
	$(GO) test -run '^$$' -bench '^BenchmarkTargets$$' -benchtime 1x ./internal/sim
	$(GO) test -run '^$$' -bench . -skip '^BenchmarkTargets$$' -benchmem ./internal/...

golden:
	$(GO) run ./cmd/replog test --update scenarios

check:
	@unformatted=$$(gofmt -l cmd internal scenarios); \
	if [ -n "$$unformatted" ]; then echo "gofmt -w $$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) test -short ./...

# Each fuzz target of the parsers for a while; what it finds goes into testdata/fuzz.
FUZZTIME ?= 30s
fuzz:
	@for target in $$(grep -rl --include='*_test.go' '^func Fuzz' internal); do \
		for name in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9]*\).*/\1/p' $$target); do \
			echo "$$name"; \
			$(GO) test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) ./$$(dirname $$target) || exit 1; \
		done; \
	done

clean:
	rm -f replog
