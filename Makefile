# The few commands that a newcomer needs; the build itself is CMake's (see CMakePresets.json).

BUILD := build/release
PROMPT ?= red heart
OUT ?= heart.png
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)

.DEFAULT_GOAL := help
.PHONY: help deps configure build demo test bench bench-peers performance nightly install format tidy clean

help: ## say what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

deps: ## install the Debian packages that are missing
	@scripts/install-deps

configure: deps
	@cmake --preset release --log-level=NOTICE

build: configure ## build everything
	@cmake --build --preset release -j $(JOBS)

demo: configure ## draw a picture from text, and which word drew which pixels
	@cmake --build --preset release -j $(JOBS) --target keylens keylens-generate
	@$(BUILD)/app/cli/keylens generate "$(PROMPT)" -o "$(OUT)" --maps

test: build ## build and run every test
	@ctest --preset release -j $(JOBS)

bench: build ## this machine's peak, and the engine as a share of it
	@$(BUILD)/app/cli/keylens bench
	@$(BUILD)/benchmarks/attention/attention_bench
	@$(BUILD)/benchmarks/attention/decode_bench

bench-peers: deps ## attention beside other libraries, which it fetches (needs node)
	@benchmarks/peers/run

performance: build ## measure what docs/performance.md shows, and write it again
	@benchmarks/peers/run --json benchmarks/performance/peers.json
	@benchmarks/peers/run --lens 16,64 --dims 32,256 --json benchmarks/performance/peers.json
	@node benchmarks/performance/measure.mjs
	@node benchmarks/performance/page.mjs

nightly: ## what is too slow for every change: thread sanitizer, Arm, clang-tidy, long fuzzing, PyTorch 2
	@scripts/nightly

install: build ## install to PREFIX (default /usr/local)
	@cmake --install $(BUILD) --prefix "$(PREFIX)"

format: ## clang-format every source
	@scripts/install-deps format
	@git ls-files '*.c' '*.cc' '*.h' | xargs clang-format -i

tidy: ## clang-tidy every source; warnings are errors
	@scripts/install-deps develop
	@cmake --preset tidy --log-level=NOTICE
	@git ls-files '*.cc' | grep -v -e '^tests/find_package/' -e '^tests/fuzz/' -e '^benchmarks/peers/[gt]' | \
	  xargs -P $(JOBS) -n 1 clang-tidy --quiet -p build/tidy

clean: ## delete what was built
	@rm -rf build
