# Configures CMake, builds and runs the programs; CMake's targets also work by themselves. Lines of
# the help that start with #+ are for a clone: a handout lacks the files that they need.
#
## make                          builds build/tessera with all its commands; make grade builds only
##                               those that students need
## make grade                    grades labs/; LAB=03 one lab, FROM=DIR another folder of kernels,
##                               ARGS='--seed 7 --json r.json' any other option of `tessera grade`
## make watch LAB=03             grades again whenever kernel.cu is saved, until Ctrl-C; the variables
##                               of make grade
## make run LAB=03 N=1024        one lab's kernel with a host program around it, compiled with nvcc and
##                               run on the GPU here; M=, K=, FROM=DIR, MEMORY=explicit|pinned|managed|all,
##                               DEBUG=1 for cuda-gdb, ARGS='--repeat 0 --block 32' other options
#+ make batch SUBMISSIONS=FILE   grades a class into gradebook.sqlite; BOOK=FILE another, LAB=03 for one lab,
#+                               ARGS='--roster class.csv' any other option of `tessera batch`
#+ make test                     the whole test suite (make check is the same)
#+ make test-sanitize            the suite under AddressSanitizer and UndefinedBehaviorSanitizer
#+ make test-gpu                 the tests that need an NVIDIA GPU
#+ make fuzz MINUTES=60          searches for inputs that crash the code that reads submissions (needs Clang's libFuzzer)
#+ make experiments              every experiment of labs/experiments; NAME=storage one of them, ARGS='--out DIR'
#+                               any other option of `tessera bench`
#+ make bench                    measures the simulator's speed; ARGS go to Google Benchmark
#+ make pictures                 makes the README's pictures from the program's output (needs Chromium)
#+ make format, format-check     clang-format over all sources
#+ make words-check              looks for words that comments, messages and pages do without
#+ make package                  Debian packages and archives of the programs, for students and for staff;
#+                               ARCH=arm64 cross-builds the packages for students
## make clean                    removes all build folders
##
## BUILD=DIR builds elsewhere, CMAKE_ARGS=-DTESSERA_CUDA=OFF goes to CMake, JOBS=N limits jobs.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.SILENT:
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

BUILD ?= build
JOBS ?= $(shell nproc)
BOOK ?= gradebook.sqlite
MINUTES ?= 60
FUZZ_CXX ?= clang++
CLANG_FORMAT ?= $(shell command -v clang-format-14 || echo clang-format)
# Neither make nor the shell may expand anything in names of files: recipes write "$$FROM".
override LAB := $(value LAB)
override FROM := $(value FROM)
override SUBMISSIONS := $(value SUBMISSIONS)
override BOOK := $(value BOOK)
export LAB FROM SUBMISSIONS BOOK ARGS

.PHONY: all grade watch batch run test check fuzz fuzz-short test-sanitize test-gpu experiments bench pictures package package-programs \
  format format-check words-check clean help FORCE

# An unfinished lab is no error of make: under --question, make ends with the status 1 of a recipe
# marked '+' as its own status, without "make: *** Error 1". Make reports every other failure as
# usual.
ifneq (,$(and $(filter 1,$(words $(MAKECMDGOALS))),$(filter grade run,$(MAKECMDGOALS))))
MAKEFLAGS += --question
endif

# Reports what users often write in place of LAB=03.
ifneq (,$(filter 0% 1% 2% 3% 4% 5% 6% 7% 8% 9%,$(MAKECMDGOALS)))
  $(error write: make $(firstword $(MAKECMDGOALS)) LAB=$(lastword $(MAKECMDGOALS)))
endif
ifneq (,$(filter command,$(origin lab) $(origin Lab)))
  $(error write LAB in capitals: make $(firstword $(MAKECMDGOALS)) LAB=$(value lab)$(value Lab))
endif

# A handout contains the program, which is used if it runs here and nothing was built; PROGRAM= builds.
ifneq (command line,$(origin PROGRAM))
  PROGRAM := $(if $(wildcard bin/linux-*),$(if $(wildcard $(BUILD)/CTestTestfile.cmake),,$(shell bash setup.sh --program)))
endif
configured = $(if $(PROGRAM),,$(BUILD)/CTestTestfile.cmake)
# The program itself, because the link to it is missing if the folder cannot be written.
tessera = $(or $(PROGRAM),$(BUILD)/tessera)
ready = $(if $(PROGRAM),{ $(link); } 2>/dev/null || true,$(call build,$(1)))
# `make grade` does not build the commands of staff, but keeps them up to date once they are built.
program = $(call ready,$(if $(wildcard $(BUILD)/tessera-staff),programs,tessera))
link = mkdir -p $(BUILD) && ln -srfn $(PROGRAM) $(BUILD)/tessera

all: $(configured)
	$(if $(PROGRAM),$(link) || exit,$(call build,programs))
	echo "$(BUILD)/tessera is ready; next: make grade"

grade: $(configured)
	+$(program)
	exec $(tessera) grade $${LAB:+"$$LAB"} $${FROM:+--from "$$FROM"} $(ARGS)

# Ctrl-C ends it, which is no error of make.
watch: $(configured)
	+$(program)
	trap : INT
	$(tessera) grade --watch $${LAB:+"$$LAB"} $${FROM:+--from "$$FROM"} $(ARGS) || {
	  status=$$?
	  [[ $$status -eq 130 ]] || exit $$status
	}

batch: $(configured)
	+$(call ready,programs)
	if [[ -z $$SUBMISSIONS ]]; then
	  echo "SUBMISSIONS is missing: make batch SUBMISSIONS=download.zip, or a folder" >&2
	  exit 2
	fi
	exec $(tessera) batch "$$SUBMISSIONS" --gradebook "$$BOOK" $${LAB:+--lab "$$LAB"} $(ARGS)

run:
	+exec bash common/run/run.sh --build '$(BUILD)' $${FROM:+--from "$$FROM"} $(if $(DEBUG),--debug) "$$LAB" \
	  $(if $(N),--size '$(N)') $(if $(M),--m '$(M)') $(if $(K),--k '$(K)') \
	  $(if $(MEMORY),--memory '$(MEMORY)') $(ARGS)

test check: $(BUILD)/CTestTestfile.cmake
	$(call build,all)
	$(if $(filter build,$(BUILD)),$(MAKE) fuzz-short)
	$(test_in_memory)
	export OMP_WAIT_POLICY=passive  # a thread that waits leaves its core to the tests beside
	status=0
	ctest --test-dir $(BUILD) --parallel $$(($(JOBS) + 1)) --output-on-failure $(CTEST_ARGS) || status=$$?
	awk '/^\[==========\] .* ran\./ { ran += $$2 } END { print ran + 0 " tests of GoogleTest ran." }' \
	  $(BUILD)/Testing/Temporary/LastTest.log
	exit $$status

# Tests make some ten thousand temporary folders, which takes minutes on some disks: with room in memory
# (in KiB), and if programs run there, they lie in memory.
define test_in_memory
	scratch=$$(mktemp --directory --tmpdir=/dev/shm 2>/dev/null) && chmod 1777 "$$scratch" || scratch=
	trap 'rm -rf "$$scratch"' EXIT
	if [[ -z $${TMPDIR-} && -n $$scratch ]] && cp "$$(type -P true)" "$$scratch/true" && "$$scratch/true" &&
	   [[ $$(df --output=avail "$$scratch" | tail -n 1) -gt 8000000 ]]; then
	  export TMPDIR=$$scratch
	fi
endef

fuzz: $(BUILD)/CTestTestfile.cmake
	$(call build,fuzz_seeds)
	$(call build_fuzz,Release)
	[[ -d build-fuzz/seeds/ptx ]] || $(BUILD)/grader/simulator/fuzz_seeds build-fuzz/seeds/ptx
	grader/simulator/fuzz/run.sh build-fuzz $$(($(MINUTES) * 60)) $(JOBS)

fuzz-short:
	$(call build_fuzz,Debug)
	grader/simulator/fuzz/run.sh --short build-fuzz 30 $(JOBS)

# Twice, because the AddressSanitizer of GCC 12 and 13 does not hold its allocator's locks across a
# fork: in one of a thousand tests a compiler's process waits for such a lock until it is ended.
test-sanitize: export UBSAN_OPTIONS := print_stacktrace=1
test-sanitize: export CTEST_ARGS := --repeat until-pass:2
test-sanitize:
	$(MAKE) test BUILD=build-sanitize CMAKE_ARGS="-DTESSERA_SANITIZE=address,undefined \
	  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O1 -g1'"

test-gpu: $(BUILD)/CTestTestfile.cmake
	if ! nvidia-smi --list-gpus 2>/dev/null | grep '^GPU'; then
	  echo "make test-gpu needs an NVIDIA GPU and its driver; this machine has none." >&2
	  exit 1
	fi
	$(call build,all)
	$(BUILD)/tessera doctor
	ctest --test-dir $(BUILD) --label-regex gpu --output-on-failure
	$(BUILD)/tessera grade --from solutions $(ARGS)

experiments: $(BUILD)/CTestTestfile.cmake
	+$(call build,programs)
	exec $(BUILD)/tessera bench $(or $(NAME),--all) $(ARGS)

bench: $(BUILD)/CTestTestfile.cmake
	$(call build,tessera_simulator_bench)
	cmake --build $(BUILD) --target bench

pictures: $(BUILD)/CTestTestfile.cmake
	$(call build,programs)
	grader/report/picture/draw.py $(BUILD)/tessera
	grader/report/picture/page.py $(BUILD)/tessera

# For other machines than this one, so no test is built. The staff's package is for x86-64 only.
PACKAGE = build-package$(if $(filter arm64,$(ARCH)),-arm64)
package: export CMAKE_ARGS := -DTESSERA_STATIC=ON -DTESSERA_NATIVE=OFF $(if $(filter arm64,$(ARCH)),-DTESSERA_STAFF=OFF \
  -DTESSERA_CUDA=OFF -DCMAKE_TOOLCHAIN_FILE=$(CURDIR)/grader/package/arm64.cmake,-DTESSERA_STAFF=ON)
package:
	$(if $(filter arm64,$(ARCH)),grader/package/arm64_libraries.sh $(PACKAGE)/sysroot,$(check_packers))
	$(MAKE) package-programs BUILD=$(PACKAGE)
	cd $(PACKAGE)
	cpack --config CPackConfig.cmake | sed -n 's/^CPack: - package: \(.*\) generated\.$$/\1/p'

# CPack reads the packages' dependencies with these programs.
define check_packers
	if ! command -v file >/dev/null || ! command -v dpkg-shlibdeps >/dev/null; then
	  echo "make package needs the packages file and dpkg-dev (./setup.sh --dev installs them)." >&2
	  exit 3
	fi
endef

package-programs: $(BUILD)/CTestTestfile.cmake
	$(call build,programs)

format format-check: MODE = $(if $(filter format,$@),-i,--dry-run --Werror)
format format-check:
	find common grader labs solutions -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' |
	  xargs --max-args=20 --max-procs=$(JOBS) $(CLANG_FORMAT) $(MODE)

# A sentence names who does what: a program reports, a person reads. In names too, as a word of snake_case or
# CamelCase. grep ends with 1 if it finds none.
words-check: WORDS = told|retold|tells?|telling|retell|nobody|anybody|somebody|whoever
words-check: CAMEL_WORDS = Told|Retold|Tells?|Telling|Retell|Nobody|Anybody|Somebody|Whoever
words-check:
	status=0
	grep --recursive --line-number --extended-regexp --exclude-dir='build*' --exclude-dir=.git \
	  --include=*.{h,cpp,def,cu,cuh,md,yaml,txt,py,sh} \
	  '((^|[^A-Za-z])($(WORDS))|($(CAMEL_WORDS)))([^a-z]|$$)' . || status=$$?
	[[ $$status -eq 1 ]]

clean:
	rm -rf build build-nocuda build-sanitize build-fuzz build-package build-package-arm64

help:
	sed -n 's/^#[#$(if $(wildcard grader/authoring/handout_files.txt),+)] \{0,1\}//p' $(firstword $(MAKEFILE_LIST))

# CMake writes this file when it succeeds; a cache without the file is from a run that failed.
$(BUILD)/CTestTestfile.cmake: $(if $(CMAKE_ARGS),FORCE)
	+mkdir -p $(BUILD)
	[[ -e $@ ]] || rm -f $(BUILD)/CMakeCache.txt
	$(choose_compiler)
	[[ -e $@ ]] || echo "Configuring ..." >&2
	$(call choose_generator,$@)
	if ! cmake -S . -B $(BUILD) "$${generator[@]}" $(CMAKE_ARGS) >$(BUILD)/configure.log 2>&1; then
	  cat $(BUILD)/configure.log >&2
	  echo "CMake could not configure the build (see above). Has ./setup.sh been run?" >&2
	  exit 3
	fi

# Ubuntu 22.04 has a g++ that is too old, and a newer one under another name.
define choose_compiler
	if [[ -z $${CXX-} && $$(g++ -dumpversion 2>/dev/null || echo 0) -lt 12 ]]; then
	  for newer in g++-15 g++-14 g++-13 g++-12; do
	    if command -v $$newer >/dev/null; then export CXX=$$newer; break; fi
	  done
	fi
endef

# Chooses Ninja if the build has not made this file yet; a build keeps the generator that it began with.
define choose_generator
	generator=()
	if [[ ! -e $(1) ]] && command -v ninja >/dev/null; then generator=(-G Ninja); fi
endef

# Builds the fuzz targets in a separate build of the given type. Ends the recipe without failing if
# Clang's libFuzzer is missing.
define build_fuzz
	if ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
      $(FUZZ_CXX) -x c++ - -fsanitize=fuzzer,address,undefined -o /dev/null 2>/dev/null; then
	  echo "Not fuzzed: $(FUZZ_CXX) has no libFuzzer here (./setup.sh --dev installs libclang-rt)." >&2
	  exit 0
	fi
	mkdir -p build-fuzz
	$(call choose_generator,build-fuzz/CMakeCache.txt)
	if ! { cmake -S . -B build-fuzz "$${generator[@]}" -DCMAKE_BUILD_TYPE=$(1) \
	          -DCMAKE_CXX_COMPILER=$(FUZZ_CXX) -DTESSERA_FUZZ=ON -DTESSERA_CUDA=OFF &&
	       nice cmake --build build-fuzz --parallel $(JOBS) --target fuzz_programs; } >build-fuzz/build.log 2>&1; then
	  tail -n 20 build-fuzz/build.log >&2
	  exit 3
	fi
endef

# Builds a target of CMake. Shows one line of progress, and only warnings and errors of the output,
# all on standard error: standard output is for the program's output.
define build
	unset MAKEFLAGS MFLAGS MAKELEVEL
	cmake --build $(BUILD) --parallel $(JOBS) --target $(1) 2>&1 | {
	  building=
	  while IFS= read -r line; do
	    case $$line in
	      '['*'] Built target '* | 'ninja: no work to do.' | '-- '* | 'Consolidate '*) ;;
	      '['*']'*)
	        if [[ -t 2 ]]; then printf '\rBuilding %s]\e[K' "$${line%%]*}" >&2;
	        elif [[ -z $$building ]]; then echo "Building ..." >&2; fi
	        building=yes ;;
	      *) if [[ -t 2 && -n $$building ]]; then echo >&2; building=; fi; printf '%s\n' "$$line" >&2 ;;
	    esac
	  done
	  if [[ -t 2 && -n $$building ]]; then printf '\r\e[K' >&2; fi
	} || { echo "Tessera does not build (see above). Has ./setup.sh been run?" >&2; exit 3; }
endef
