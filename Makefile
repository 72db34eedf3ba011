# make run: set up everything and open the window on the samples.
# make test: the same set-up, lint and the quick tests. make test-slow: the tests of tests/slow.txt. CI runs both.
# make test-long: all of them, those marked `long`, and five times as many examples of Hypothesis, for the night.
PYTHON ?= python3
VENV := .venv
PEERS := .peers
REFERENCES := .references
SERVERS := .servers
ifeq ($(OS),Windows_NT)
SCRIPTS := Scripts
else
SCRIPTS := bin
endif
BIN := $(VENV)/$(SCRIPTS)
# Compiled modules are kept whatever the environment says: hundreds of tests start a process of the program.
unexport PYTHONDONTWRITEBYTECODE
# One process more than there are processors: some tests wait for others.
TESTERS = $(shell $(PYTHON) -c "import os; print(min(os.cpu_count() + 1, 8))")
READY := $(VENV)/.ready

.PHONY: run test test-slow test-long pytest lint docs man pictures bench soak soak-record fuzz app peers references servers models clean

run: $(READY)
	$(BIN)/prompt-inspector samples

# Types are checked beside the tests: pyright works on one processor for two minutes.
test: $(READY)
	$(MAKE) -j 2 lint pytest

pytest: $(READY)
	$(BIN)/python -m pytest -q -n $(TESTERS) --dist worksteal -m "not long and not slow"

test-slow: $(READY)
	$(BIN)/python -m pytest -q -n $(TESTERS) --dist worksteal -m "slow and not long"

test-long: $(READY) lint
	$(BIN)/python -m pytest -q -n $(TESTERS) --dist worksteal -m "" --hypothesis-profile long

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

# The documentation as a site, in build/docs/site: open index.html. Nothing on it is loaded from elsewhere.
docs: $(READY)
	$(BIN)/python -m pip install --quiet --group docs
	$(BIN)/python -m docs.build

# The manual pages, in build/man: man -l build/man/prompt-inspector.1
man: $(READY)
	$(BIN)/python -m docs.man

# The pictures of README and site, from the program itself, in both themes.
pictures: $(READY)
	$(BIN)/python -m docs.pictures

bench: $(READY)
	$(BIN)/python -m tests.bench

# The window, driven at random for ten minutes (MINUTES=60 SEED=7: for an hour, otherwise), against fresh assemblies.
soak: $(READY)
	$(BIN)/python -m tests.soak --minutes $(or $(MINUTES),10) --seed $(or $(SEED),1)

# Recording, with kills, slow readers and a server that breaks off, for ten minutes (MINUTES=60 SEED=7).
soak-record: $(READY)
	$(BIN)/python -m tests.recording.soak --minutes $(or $(MINUTES),10) --seed $(or $(SEED),1)

# Mutated files of every kind for every loader, in processes with limits, for ten minutes (MINUTES=60 WORKERS=2 SEED=7).
fuzz: $(READY)
	$(BIN)/python -m tests.fuzz --minutes $(or $(MINUTES),10) --workers $(or $(WORKERS),1) $(if $(SEED),--seed $(SEED))

# The program as one folder that needs no Python: dist/prompt-inspector.
app: $(READY)
	$(BIN)/python -m pip install --quiet --group app
	$(BIN)/pyinstaller --noconfirm --log-level ERROR --distpath dist --workpath build/app \
		resources/packaging/prompt-inspector.spec

# The policies that follow libraries, against the libraries themselves.
peers: $(READY) $(PEERS)/.ready
	$(BIN)/python -m tests.peers

# Vocabularies and chat templates against those of other makers, from PyPI and, where npm is there, from npm.
references: $(READY) $(REFERENCES)/.ready
	$(BIN)/python -m tests.references

$(REFERENCES)/.ready: pyproject.toml
	$(PYTHON) -m venv $(REFERENCES)/env
	$(REFERENCES)/env/$(SCRIPTS)/python -m pip install --quiet --upgrade pip
	$(REFERENCES)/env/$(SCRIPTS)/python -m pip install --quiet --group references
	$(REFERENCES)/env/$(SCRIPTS)/python -m pip download --quiet --no-deps --dest $(REFERENCES)/wheels \
		transformers==4.43.4 axolotl==0.19.0
	$(REFERENCES)/env/$(SCRIPTS)/python -m tests.references.npm
	touch $(REFERENCES)/.ready

# The shipped model table, renewed from litellm's newest price file on PyPI; what changed is printed.
models: $(READY)
	$(BIN)/python -m tests.models

# Real servers of llama.cpp, asked and compared with our counts. Needs a C++ compiler, builds for 10 to 20 minutes once.
servers: $(READY) $(SERVERS)/.ready
	$(BIN)/python -m tests.servers

# llama.cpp's own server is built from the sources that llama-cpp-python carries.
$(SERVERS)/.ready: pyproject.toml
	$(PYTHON) -m venv $(SERVERS)
	$(SERVERS)/$(SCRIPTS)/python -m pip install --quiet --upgrade pip
	$(SERVERS)/$(SCRIPTS)/python -m pip install --quiet --group servers
	$(SERVERS)/$(SCRIPTS)/python -m pip download --quiet --no-deps --no-binary llama-cpp-python \
		--dest $(SERVERS)/source "llama-cpp-python >=0.3.30,<0.4"
	cd $(SERVERS)/source && tar xzf llama_cpp_python-*.tar.gz --strip-components=1
	$(SERVERS)/$(SCRIPTS)/cmake -S $(SERVERS)/source/vendor/llama.cpp -B $(SERVERS)/llama.cpp \
		-DCMAKE_BUILD_TYPE=Release -DLLAMA_BUILD_SERVER=ON -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF \
		-DLLAMA_BUILD_UI=OFF -DLLAMA_CURL=OFF -DLLAMA_OPENSSL=OFF -DGGML_OPENMP=OFF
	$(SERVERS)/$(SCRIPTS)/cmake --build $(SERVERS)/llama.cpp --target llama-server --parallel 2
	touch $(SERVERS)/.ready

# Two environments: prompt_poet asks for an old tiktoken, which has no wheel for every Python that the others run on.
$(PEERS)/.ready: pyproject.toml
	$(PYTHON) -m venv $(PEERS)/messages
	$(PYTHON) -m venv $(PEERS)/poet
	$(PEERS)/messages/$(SCRIPTS)/python -m pip install --quiet --upgrade pip
	$(PEERS)/messages/$(SCRIPTS)/python -m pip install --quiet --group peers
	$(PEERS)/poet/$(SCRIPTS)/python -m pip install --quiet --upgrade pip
	$(PEERS)/poet/$(SCRIPTS)/python -m pip install --quiet --group peers-poet
	touch $(PEERS)/.ready

$(READY): pyproject.toml
	$(PYTHON) -c "import sys; sys.exit('Prompt Inspector needs Python 3.11 or newer' if sys.version_info < (3, 11) else 0)"
	$(PYTHON) -c "import ensurepip, venv" || { echo "This Python cannot make environments: on Debian or Ubuntu, apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $(READY)

clean:
	$(PYTHON) -c "import shutil; [shutil.rmtree(name, ignore_errors=True) for name in ('$(VENV)', '$(PEERS)', '$(REFERENCES)', '$(SERVERS)', '.models')]"
