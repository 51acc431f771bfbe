# The ways into this repository. Each target works as the only command on a fresh clone (Debian or Ubuntu with Rust).

CARGO ?= cargo
# Browser tests are busy on every core already.
TEST_THREADS ?= 3

.PHONY: setup build demo test test-long test-grid subjects test-subjects evaluation soundness strangers torture reproduce performance bench bench-race bench-reach bench-learn bench-explore bench-grid fmt fmt-check clippy

setup:
	@./scripts/setup

build: setup
	$(CARGO) build --workspace

# One action of each of five kinds of bugs against every other. Exit code 1 means that the seeded bugs were found: what a demo is
# for. `colobus demo --bug all` seeds nine others at once.
demo: setup
	$(CARGO) build --quiet --package colobus
	@$(CARGO) run --quiet --package colobus -- demo || [ $$? -eq 1 ]

test:
	@./scripts/setup grid
	@./scripts/install-packages crates/*/tests/packages subjects/firepad subjects/sharedb-quill
	$(CARGO) test --workspace -- --test-threads=$(TEST_THREADS)

# The tests that take minutes, by crate: ten thousand random programs, plain against rewritten, and sources that are nested
# deeply; proofs for operations with any parameters; servers whose delays are drawn at random up to five seconds; explored
# twins; searches of the demo with three clients and of pixels alone, and of CodeMirror 6 on Yjs with nothing but its address; bugs and
# repaired twins on servers that take two seconds; a chat with own bubbles by its address alone; exports of every kind of finding; what was
# learned, asked of its server by Schemathesis;
# the laws of learning on ten thousand random captures; the files for Kubernetes, against its schemas.
LONG_TESTS = colobus-script colobus-ot-prove
test-long: setup
	@./scripts/install-packages crates/colobus-script/tests/packages
	$(CARGO) test $(addprefix --package ,$(LONG_TESTS)) --test all -- --ignored --nocapture
	$(CARGO) test --package colobus-driver --test browser -- --ignored --nocapture foreign_servers
	@./scripts/install-packages subjects/yjs-codemirror crates/colobus/tests/packages
	$(CARGO) test --package colobus --test all -- --ignored --test-threads=1 explore login every_harmful_fixture tp2_peer stale_selection \
		nothing_but_the_address slow_verdicts own_bubbles exported
	$(CARGO) test --package colobus-driver --test race -- --ignored
	@./scripts/install-python
	@./scripts/install-packages crates/colobus-learn/benches/packages
	target/python/bin/kubernetes-validate --strict docs/kubernetes/search.yaml
	$(CARGO) test --package colobus-learn --test all -- --ignored --nocapture schemathesis
	PROPTEST_CASES=10000 $(CARGO) test --package colobus-learn --test all -- properties

# A Selenium Grid with a hub and nodes that are killed, stopped and cut off during searches, every search on it, and a network that takes its
# time, for which it needs root. All crates are built, as by `make test`: for one crate alone half of them would be compiled again.
test-grid:
	@./scripts/setup grid
	@./scripts/install-packages crates/colobus/tests/packages
	$(CARGO) test --workspace --test all -- --include-ignored --nocapture --test-threads=1 --skip grid::figures grid::

# What a Grid and the network to it cost, and the same causes while nodes are killed: the tables of docs/scale.md (minutes, as root).
bench-grid:
	@./scripts/setup grid
	@./scripts/install-packages crates/colobus/tests/packages subjects/firepad
	$(CARGO) test --workspace --test all -- --ignored --nocapture --test-threads=1 grid::figures

# The applications in subjects/: `colobus check -c subjects/firepad` starts one and searches it.
subjects: setup
	@./scripts/install-packages $(dir $(wildcard subjects/*/package-lock.json))

# Searches every subject, or the one called SUBJECT, and compares what is found with its expect.toml. One at a time: each
# search keeps two cores busy.
test-subjects: subjects
	$(CARGO) test --package colobus --test all -- --ignored --nocapture --test-threads=1 subjects::$(subst -,_,$(subst .,_,$(SUBJECT)))

# Repeats the experiment of the Simian paper and writes docs/evaluation.md. COLOBUS_EVALUATION=short tries it out.
evaluation: setup
	@./scripts/install-packages subjects/firepad
	$(CARGO) bench --package colobus --bench evaluation

# Bugs and repaired twins on servers that take their time (hours; it goes on where it was interrupted), written into
# docs/evaluation.md. PARTS="chat 300ms" selects applications and settings.
soundness: setup
	$(CARGO) test --package colobus-driver --test browser -- --ignored --nocapture delays_at_random
	$(CARGO) bench --package colobus --bench soundness -- $(PARTS)

# Applications that are no text editors, each with its bug and repaired, searched with nothing but their address and with their
# configuration (an hour; it goes on where it was interrupted), written into docs/evaluation.md. PARTS="chat alone" selects.
strangers: setup
	$(CARGO) bench --package colobus --bench strangers -- $(PARTS)

# Kills of the tool, of browsers and of the application, paused renderers, pages that misbehave, mutated inputs, hostile strings
# in exports, the memory of an hour, a busy machine (about three hours; it goes on where it was interrupted).
# PARTS="tool browser=20" selects parts and amounts.
torture: setup
	$(CARGO) bench --package colobus --bench torture -- $(PARTS)

# Searches the built-in editor five times for each of its bugs, and prints how often each was found, by its own cause, and came back.
# COLOBUS_BUG=name asks for one of them, COLOBUS_RUNS=1 for another number of runs.
reproduce: setup
	$(CARGO) test --package colobus --test all -- --ignored --nocapture five_runs

# What executions and searches cost, written into docs/performance.md: an hour, on a machine that does nothing else
# (it goes on where it was interrupted). PARTS="costs demo" measures these parts again and leaves the others as they are.
performance: setup
	@./scripts/install-packages crates/*/tests/packages subjects/firepad subjects/yjs-quill
	$(if $(PARTS),,$(CARGO) bench --package colobus-run --bench scale)
	$(CARGO) bench --package colobus --bench check -- performance $(PARTS)

# The same and more, printed (with COLOBUS_BENCH=quick: in fewer executions, and nothing is written).
bench: setup
	@./scripts/install-packages crates/*/tests/packages subjects/firepad subjects/yjs-quill
	$(CARGO) bench --package colobus-ot --package colobus-schedule --package colobus-script --package colobus-driver --package colobus-run --package colobus \
		--bench models --bench orders --bench rewrite --bench fidelity --bench scale --bench check
	$(CARGO) run --release --manifest-path crates/colobus-ot/benches/stateright/Cargo.toml

# Every line that the truth files of subjects/reach name, after what exploring and a monkey leave of them, searched with the whole method and without
# parts of it (an hour; it goes on where it was interrupted), written into docs/reach.md. PARTS="dice-roller whole explored" selects; PARTS=afresh begins anew.
bench-reach: setup
	@./scripts/install-packages subjects/reach/react-planner subjects/reach/todomvc
	$(CARGO) bench --package colobus --bench reach -- $(PARTS)

# The pages of crates/colobus-driver/tests/race and their repaired twins, every order within their bound (two minutes): the
# tables of docs/evaluation.md. The same pages with a sampler, a slow network and Bombadil (twenty minutes). PARTS="gallery" selects pages.
bench-race: setup
	$(CARGO) bench --package colobus-race --bench races
	$(CARGO) bench --package colobus-driver --bench races -- $(PARTS)
	@./scripts/install-packages crates/colobus-driver/benches/packages
	$(CARGO) bench --package colobus-driver --bench other_ways -- $(PARTS)

# What is learned of servers whose operations are known, beside other tools; how fast it is; how fast mocks answer.
bench-learn: setup
	@./scripts/install-packages crates/colobus-learn/benches/packages
	@./scripts/install-python
	$(CARGO) bench --package colobus-learn --bench learning --bench truth
	$(CARGO) bench --package colobus --bench mock

# Coverage beside gremlins.js and Bombadil with the same time, five times each (45 minutes), 30 mutants (20 minutes), findings run again ten times,
# and figure 10.9 of the thesis on our own applications (hours). PARTS="compare shop" does one part on one application; COLOBUS_RUNS,
# COLOBUS_SECONDS and COLOBUS_BUDGET make them shorter.
bench-explore: setup
	@./scripts/install-packages crates/colobus/benches/explore/packages
	$(CARGO) bench --package colobus --bench explore -- $(PARTS)

fmt:
	$(CARGO) fmt --all

fmt-check:
	$(CARGO) fmt --all --check

clippy: setup
	$(CARGO) clippy --workspace --all-targets -- --deny warnings
