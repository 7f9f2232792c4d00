# Configures CMake and forwards to what it builds; CMake's targets work by themselves too. Lines of
# the help that start with #+ are for a clone: a handout lacks what they need.
#
## make                          builds build/tessera with all its commands; make grade alone builds
##                               what students need
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
#+ make test-gpu                 what needs an NVIDIA GPU
#+ make fuzz MINUTES=60          searches for inputs that break what reads a submission (needs Clang's libFuzzer)
#+ make experiments              every experiment of labs/experiments; NAME=storage one, ARGS='--out DIR' any
#+                               other option of `tessera bench`
#+ make bench                    how fast the simulator is; ARGS go to Google Benchmark
#+ make pictures                 the README's pictures, from what the program prints (needs Chromium)
#+ make format, format-check     clang-format over all sources
#+ make words-check              looks for words that comments, messages and pages do without
#+ make package                  Debian packages and archives of the programs, for students and for staff;
#+                               ARCH=arm64 cross-builds those for students
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
# Names of files are no text of make's or of the shell's, whoever chose them: recipes write "$$FROM".
override LAB := $(value LAB)
override FROM := $(value FROM)
override SUBMISSIONS := $(value SUBMISSIONS)
override BOOK := $(value BOOK)
export LAB FROM SUBMISSIONS BOOK ARGS

.PHONY: all grade watch batch run test check fuzz fuzz-short test-sanitize test-gpu experiments bench pictures package package-programs \
  format format-check words-check clean help FORCE

# A lab that is not finished is no error of make's: under --question, make ends with the status 1
# of a recipe marked '+' as its own, and without "make: *** Error 1". Every other failure is told
# as ever.
ifneq (,$(and $(filter 1,$(words $(MAKECMDGOALS))),$(filter grade run,$(MAKECMDGOALS))))
MAKEFLAGS += --question
endif

# What people write in place of LAB=03.
ifneq (,$(filter 0% 1% 2% 3% 4% 5% 6% 7% 8% 9%,$(MAKECMDGOALS)))
  $(error write: make $(firstword $(MAKECMDGOALS)) LAB=$(lastword $(MAKECMDGOALS)))
endif
ifneq (,$(filter command,$(origin lab) $(origin Lab)))
  $(error write LAB in capitals: make $(firstword $(MAKECMDGOALS)) LAB=$(value lab)$(value Lab))
endif

# A handout brings the program, which is used where it runs and nothing was built; PROGRAM= builds.
ifneq (command line,$(origin PROGRAM))
  PROGRAM := $(if $(wildcard bin/linux-*),$(if $(wildcard $(BUILD)/CTestTestfile.cmake),,$(shell bash setup.sh --program)))
endif
configured = $(if $(PROGRAM),,$(BUILD)/CTestTestfile.cmake)
# Without the link to it in a folder that cannot be written.
tessera = $(or $(PROGRAM),$(BUILD)/tessera)
ready = $(if $(PROGRAM),{ $(link); } 2>/dev/null || true,$(call build,$(1)))
# What staff need is not built for a mark, and kept as new once it is there.
program = $(call ready,$(if $(wildcard $(BUILD)/tessera-staff),programs,tessera))
link = mkdir -p $(BUILD) && ln -srfn $(PROGRAM) $(BUILD)/tessera

all: $(configured)
	$(if $(PROGRAM),$(link) || exit,$(call build,programs))
	echo "$(BUILD)/tessera is ready; next: make grade"

grade: $(configured)
	+$(program)
	exec $(tessera) grade $${LAB:+"$$LAB"} $${FROM:+--from "$$FROM"} $(ARGS)

# Ctrl-C is how it ends, and no error of make's.
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
	status=0
	ctest --test-dir $(BUILD) --parallel $(JOBS) --output-on-failure $(CTEST_ARGS) || status=$$?
	awk '/^\[==========\] .* ran\./ { ran += $$2 } END { print ran + 0 " tests of GoogleTest ran." }' \
	  $(BUILD)/Testing/Temporary/LastTest.log
	exit $$status

fuzz: $(BUILD)/CTestTestfile.cmake
	$(call build,fuzz_seeds)
	$(call build_fuzz,Release)
	[[ -d build-fuzz/seeds/ptx ]] || $(BUILD)/grader/simulator/fuzz_seeds build-fuzz/seeds/ptx
	grader/simulator/fuzz/run.sh build-fuzz $$(($(MINUTES) * 60)) $(JOBS)

fuzz-short:
	$(call build_fuzz,Debug)
	grader/simulator/fuzz/run.sh --short build-fuzz 30 $(JOBS)

# Twice, for the AddressSanitizer of GCC 12 and 13 does not hold its allocator's locks across a fork:
# once in a thousand tests a compiler's process waits for one until it is ended.
test-sanitize: export UBSAN_OPTIONS := print_stacktrace=1
test-sanitize: export CTEST_ARGS := --repeat until-pass:2
test-sanitize:
	$(MAKE) test BUILD=build-sanitize CMAKE_ARGS="-DTESSERA_SANITIZE=address,undefined \
	  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O1 -g1'"

test-gpu: $(BUILD)/CTestTestfile.cmake
	if ! nvidia-smi --list-gpus 2>/dev/null | grep '^GPU'; then
	  echo "make test-gpu needs a machine with an NVIDIA GPU and its driver; none is here." >&2
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

# For other machines than this one: no test is built. Staff have x86-64.
PACKAGE = build-package$(if $(filter arm64,$(ARCH)),-arm64)
package: export CMAKE_ARGS := -DTESSERA_STATIC=ON -DTESSERA_NATIVE=OFF $(if $(filter arm64,$(ARCH)),-DTESSERA_STAFF=OFF \
  -DTESSERA_CUDA=OFF -DCMAKE_TOOLCHAIN_FILE=$(CURDIR)/grader/package/arm64.cmake,-DTESSERA_STAFF=ON)
package:
	$(if $(filter arm64,$(ARCH)),grader/package/arm64_libraries.sh $(PACKAGE)/sysroot,$(check_packers))
	$(MAKE) package-programs BUILD=$(PACKAGE)
	cd $(PACKAGE)
	cpack --config CPackConfig.cmake | sed -n 's/^CPack: - package: \(.*\) generated\.$$/\1/p'

# What CPack reads the packages' dependencies with.
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

# Present once CMake has gone through; a cache without it is of a run that failed.
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

# For a build that has not made this file yet; a build keeps the generator that it began with.
define choose_generator
	generator=()
	if [[ ! -e $(1) ]] && command -v ninja >/dev/null; then generator=(-G Ninja); fi
endef

# The fuzz targets, in a build of their own of the type that is given. Ends the recipe without failing
# where Clang's libFuzzer is missing.
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

# Builds a target of CMake's; shows one line of progress, and of the output only what is wrong, all
# on standard error: standard output is for what the program writes.
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
