# The ways into this repository. Each target works as the only command on a fresh clone (Debian or Ubuntu with Rust).

CARGO ?= cargo
# Browser tests are busy on every core already.
TEST_THREADS ?= 2

.PHONY: setup build demo test bench fmt clippy

setup:
	@./scripts/setup

build: setup
	$(CARGO) build --workspace

# Exit code 1 means that the seeded bugs were found: what a demo is for.
demo: setup
	$(CARGO) build --quiet --package colobus
	@$(CARGO) run --quiet --package colobus -- demo || [ $$? -eq 1 ]

test: setup
	@./scripts/install-test-packages
	$(CARGO) test --workspace -- --test-threads=$(TEST_THREADS)

bench: setup
	$(CARGO) bench --package colobus-ot --package colobus-schedule --package colobus \
		--bench models --bench orders --bench check
	$(CARGO) run --release --manifest-path crates/colobus-ot/benches/stateright/Cargo.toml

fmt:
	$(CARGO) fmt --all

clippy:
	$(CARGO) clippy --workspace --all-targets -- --deny warnings
