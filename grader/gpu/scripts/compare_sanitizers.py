#!/usr/bin/env python3
"""Which tool finds the faults of grader/simulator/suite: compute-sanitizer's four tools, or `tessera check`?

For every kernel of the suite a small host program is generated and built with nvcc: one cudaMalloc
an array, data as `tessera check` makes it (an "unwritten" array is not written), one launch, one
cudaDeviceSynchronize. It runs alone, then under memcheck, racecheck, initcheck and synccheck; the
same launch goes to `tessera check`. The answer is Markdown: what each tool reported of each kernel,
sums by kind of fault, alarms on correct kernels, time.

  python3 grader/gpu/scripts/compare_sanitizers.py --jobs 8 --out table.md
  python3 grader/gpu/scripts/compare_sanitizers.py --only 'broken/histogram_*'
  python3 grader/gpu/scripts/compare_sanitizers.py --dry-run     compile and check; needs no GPU
  python3 grader/gpu/scripts/compare_sanitizers.py --self-test   how the tools' output is read

Needs Python 3.9, nvcc, compute-sanitizer, an NVIDIA GPU and build/tessera. Exit status: 0 when
`tessera check` found every fault and raised no false alarm, 1 when it did not, 2 when something is
missing or a run failed for another reason.
"""

import argparse
import concurrent.futures
import dataclasses
import fnmatch
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SUITE = ROOT / "grader" / "simulator" / "suite"
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
COLUMNS = TOOLS + ("tessera check",)
ERROR_STATUS = 99  # of compute-sanitizer when it found something
HUNG_STATUS = -signal.SIGALRM

NATIVE_LIMIT = 5  # seconds; a kernel of the suite needs milliseconds
HUNG_LIMIT = 10  # of a tool, on a kernel that never ended by itself
GRACE = 10  # after which a program that did not end itself is killed


# ---------------------------------------------------------------------------------------------
# The suite


@dataclasses.dataclass
class Kernel:
    """One file of the suite, with what its first lines say."""

    path: Path
    launch: dict
    arguments: list
    expected: set  # kinds; empty for a correct kernel

    @property
    def name(self):
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def broken(self):
        return self.path.parent.name == "broken"


def read_kernel(path):
    """The header's topics are `// check:`, `// expect:` and `// line:`."""
    topics, topic = {}, ""
    for line in path.read_text().splitlines():
        if not line.startswith("//"):
            break
        if line.startswith("//  "):
            topics[topic] = topics.get(topic, "") + " " + line[2:].strip()
            continue
        name, colon, value = line[2:].partition(": ")
        topic = name.strip() if colon else ""
        topics[topic] = topics.get(topic, "") + value.strip()
    words = topics["check"].split()
    launch, arguments = {}, []
    for option, value in zip(words[::2], words[1::2]):
        if option == "--arg":
            arguments.append(value)
        else:
            launch[option] = value
    kinds = {kind.strip() for kind in topics["expect"].partition("--")[0].split(",")}
    return Kernel(path, launch, arguments, kinds - {"clean", "warning"})


def read_suite(pattern):
    files = sorted((SUITE / "broken").glob("*.cu")) + sorted((SUITE / "correct").glob("*.cu"))
    kernels = [read_kernel(file) for file in files]
    if pattern:
        wild = pattern if any(c in pattern for c in "*?[") else f"*{pattern}*"
        kernels = [kernel for kernel in kernels if fnmatch.fnmatch(kernel.name, wild)]
    return kernels


# ---------------------------------------------------------------------------------------------
# The host program

C_TYPES = {
    "float32": "float", "float64": "double",
    "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long",
    "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned",
    "uint64": "unsigned long long",
}

PROGRAM = r"""// Generated: one launch of {name}.
#include <cassert>
#include <cstdio>

#include "{path}"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace host {{

void check(cudaError_t code, const char* what, int status) {{
  if (code == cudaSuccess) return;
  std::printf("%s: %s: %s\n", what, cudaGetErrorName(code), cudaGetErrorString(code));
  std::fflush(stdout);
  _exit(status);
}}

/// Whatever pointer the kernel takes.
struct Pointer {{
  void* address;
  template <class T>
  operator T*() const {{ return (T*)address; }}
}};

/// A number of 8 bytes, or the pointer that it stands for.
struct Word {{
  unsigned long long value;
  operator unsigned long long() const {{ return value; }}
  template <class T>
  operator T*() const {{ return (T*)value; }}
}};

std::uint64_t state;

std::uint64_t random_bits() {{  // splitmix64
  std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}}

template <class T>
Pointer array(std::size_t elements, char recipe, std::uint64_t seed) {{
  state = seed;
  void* address = nullptr;
  check(cudaMalloc(&address, elements * sizeof(T)), "cudaMalloc", 12);
  if (recipe == 'n') return {{address}};  // unwritten
  const bool real = T(0.5) != T(0), is_signed = T(-1) < T(0);
  std::vector<T> values(elements);
  for (T& value : values) {{
    const double unit = double(random_bits() >> 11) * 0x1p-53;
    const int range = real ? 9 : 99;
    const int integer = int(random_bits() % (2 * range + 1)) - range;
    double drawn = 0;
    if (recipe == 'u') drawn = real ? 2 * unit - 1 : double(int(random_bits() % 3) - 1);
    if (recipe == 'i') drawn = integer;
    value = T(is_signed || drawn >= 0 ? drawn : -drawn);
  }}
  check(cudaMemcpy(address, values.data(), elements * sizeof(T), cudaMemcpyHostToDevice),
        "cudaMemcpy", 12);
  return {{address}};
}}

}}  // namespace host

int main(int argc, char** argv) {{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  alarm(argc > 1 ? std::atoi(argv[1]) : 60);  // a kernel that never ends, ends here
{arrays}  const unsigned bytes = {shared};
  if (bytes > 48 * 1024) {{
    host::check(cudaFuncSetAttribute({kernel}, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                "cudaFuncSetAttribute", 10);
  }}
  {kernel}<<<dim3({grid}), dim3({block}), bytes>>>({values});
  host::check(cudaGetLastError(), "launch", 10);
  host::check(cudaDeviceSynchronize(), "run", 11);
  return 0;
}}
"""

ARGUMENT = re.compile(r"(\w+)(?:\[([\d,]+)\])?=(.+)")


def host_program(kernel):
    arrays, values = "", []
    for i, text in enumerate(kernel.arguments):
        match = ARGUMENT.fullmatch(text)
        if not match or match[1] not in C_TYPES:
            raise ValueError(f"{kernel.name}: --arg {text} is not understood")
        c_type, shape, value = C_TYPES[match[1]], match[2], match[3]
        if shape is None:
            scalar = f"{c_type}({value})" if " " not in c_type else f"({c_type})({value})"
            values.append(f"host::Word{{{value}}}" if match[1] == "uint64" else scalar)
            continue
        if value not in ("uniform", "integers", "zeros", "unwritten"):
            raise ValueError(f"{kernel.name}: recipe {value} is not known here")
        elements = shape.replace(",", " * ")
        recipe = {"unwritten": "n"}.get(value, value[0])
        arrays += (f"  const host::Pointer a{i} = host::array<{c_type}>({elements}, "
                   f"'{recipe}', {i + 1});\n")
        values.append(f"a{i}")
    return PROGRAM.format(
        name=kernel.name, path=kernel.path, kernel=kernel.launch["--kernel"], arrays=arrays,
        grid=kernel.launch["--grid"], block=kernel.launch["--block"],
        shared=kernel.launch.get("--shared", "0"), values=", ".join(values))


# ---------------------------------------------------------------------------------------------
# Running


@dataclasses.dataclass
class Ran:
    status: int  # negative: the signal
    output: str
    seconds: float
    timeout: bool


def run(command, limit):
    """Output and status; after `limit` seconds the whole process group is killed."""
    start = time.monotonic()
    timeout = False
    with tempfile.TemporaryFile() as output:  # no pipe: an orphan that holds it cannot stop us
        try:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output,
                                     stderr=subprocess.STDOUT, start_new_session=True)
        except OSError as error:
            return Ran(127, f"{command[0]}: {error.strerror}", 0.0, False)
        try:
            child.wait(limit)
        except subprocess.TimeoutExpired:
            timeout = True
        try:
            os.killpg(child.pid, signal.SIGKILL)  # also what it left behind
        except ProcessLookupError:
            pass
        child.wait()
        output.seek(0)
        text = output.read(4 << 20).decode(errors="replace")
    return Ran(child.returncode, text, time.monotonic() - start, timeout)


def each(jobs, function, items, label):
    """`function` of each item, in order; progress on standard error."""
    results, started = [], time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for number, result in enumerate(pool.map(function, items), 1):
            results.append(result)
            if number % 20 == 0 or number == len(items):
                seconds = time.monotonic() - started
                print(f"{label}: {number} of {len(items)}, {seconds:.0f} s", file=sys.stderr,
                      flush=True)
    return results


# ---------------------------------------------------------------------------------------------
# What the tools report


@dataclasses.dataclass
class Answer:
    """Of one tool about one kernel."""

    kinds: dict = dataclasses.field(default_factory=dict)  # kind -> an example
    messages: int = 0
    seconds: float = 0.0
    ended: str = ""  # "hang", "failed: ...", "not run", or nothing

    @property
    def own(self):
        """Kinds that the program itself does not report as an error of a CUDA call."""
        return set(self.kinds) - {"cuda-error"}


NO_RECORD = re.compile(
    r"COMPUTE-SANITIZER|ERROR SUMMARY|RACECHECK SUMMARY|LEAK SUMMARY|Target application|"
    r"Error: process didn't|Error: No attachable process|Error: Target application|"
    r"No attachable process|Internal Sanitizer|Warning: (?!Race)|This can happen|"
    r"The application may have|Host frame|Saved host|Device Frame")


def records_of(output):
    """The messages of compute-sanitizer: a line after '=========', and the indented ones below."""
    records = []
    for line in output.splitlines():
        if not line.startswith("========="):
            continue
        text = line[len("========="):]
        if not text.strip():
            continue
        indented = text.startswith("    ")
        if indented and records:
            records[-1] += "\n" + text.strip()
        elif not indented and not NO_RECORD.match(text.strip()):
            records.append(text.strip())
    return records


def kind_of(record):
    """In the words of `tessera check`, and whether it is only a warning."""
    first = record.split("\n")[0]
    if first.startswith("Program hit"):
        return "cuda-error", False
    if "Race reported" in first or re.search(r"\b(RAW|WAR|WAW)\b.*hazard|hazard.*\b(RAW|WAR|WAW)\b",
                                             first):
        return "race", first.startswith("Warning")
    if "ninitialized" in first:
        return "uninitialized-read", False
    if re.search(r"[Bb]arrier error|Divergent thread|Missing wait|Invalid mask", first):
        return "divergent-barrier", False
    if "misaligned" in record.lower():
        return "misaligned", False
    if first.startswith("Invalid __") or "out of bounds" in record:
        return "out-of-bounds", False
    if re.search(r"[Tt]rap|[Ii]llegal instruction|[Bb]reakpoint", first):
        return "trap", False
    return "other", False


def last_line(ran):
    return (ran.output.strip().splitlines() or [f"status {ran.status}"])[-1]


def read_sanitizer(ran, limit):
    """`limit` is what the program was given, in seconds; how its end shows differs by tool."""
    answer = Answer(seconds=ran.seconds)
    warnings = 0
    for record in records_of(ran.output):
        kind, warning = kind_of(record)
        warnings += warning
        if not warning:
            answer.kinds.setdefault(kind, record.split("\n")[0])
    total = re.search(r"^=+ ERROR SUMMARY: (\d+) errors?\s*$", ran.output, re.M)
    hazards = re.search(r"^=+ RACECHECK SUMMARY: (\d+) hazards? displayed \((\d+) errors?, "
                        r"(\d+) warnings?\)", ran.output, re.M)
    if total:
        answer.messages = int(total[1])
    if hazards:
        answer.messages += int(hazards[2])
        if int(hazards[2]):
            answer.kinds.setdefault("race", "hazards displayed")
    if answer.messages == 0:
        answer.messages = len(answer.kinds)
    internal = re.search(r"Internal Sanitizer Error.*|No attachable process.*|"
                         r"Error: .*not supported.*|Unable to .*", ran.output)
    if ran.timeout or ran.seconds > limit - 0.5:
        answer.ended = "hang"
    elif internal:
        answer.ended = "failed: " + internal[0].strip()
    elif not total and not hazards:
        answer.ended = "failed: " + last_line(ran)
    return answer


def read_check(ran, report):
    """`report` is the file that --json wrote."""
    answer = Answer(seconds=ran.seconds)
    if ran.timeout:
        answer.ended = "failed: time limit"
        return answer
    try:
        findings = json.loads(Path(report).read_text())["findings"]
    except (OSError, ValueError, KeyError):
        answer.ended = "failed: " + last_line(ran)
        return answer
    for finding in findings:
        if finding["severity"] == "error":
            answer.kinds.setdefault(finding["kind"], finding["message"])
            answer.messages += 1
    if ran.status not in (0, 1):
        answer.ended = f"failed: status {ran.status}"
    return answer


def read_native(ran):
    if ran.timeout or ran.status == HUNG_STATUS:
        return "never ends"
    if ran.status == 0:
        return "no error"
    errors = re.findall(r"^(?:launch|run|cuda\w+): (\w+)", ran.output, re.M)
    return errors[-1] if errors else f"status {ran.status}"


# ---------------------------------------------------------------------------------------------
# The comparison


class Comparison:
    def __init__(self, options, kernels, folder):
        self.options = options
        self.kernels = kernels
        self.folder = folder
        self.build_errors = {}  # kernel -> the compiler's first error
        self.native = {}
        self.answers = {}  # (kernel, column) -> Answer
        self.problems = []

    def program(self, kernel):
        return self.folder / kernel.path.parent.name / kernel.path.stem

    def compile(self):
        def one(kernel):
            program = self.program(kernel)
            source = program.with_suffix(".cu")
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_text(host_program(kernel))
            command = [self.options.nvcc, f"-arch={self.options.arch}", "-lineinfo", "-O3",
                       "-std=c++17", "-w", "-I", str(ROOT / "common" / "include"), str(source)]
            if self.options.dry_run:
                command = ["nice", "-n", "19"] + command + ["-c"]
            output = program.with_suffix(".o") if self.options.dry_run else program
            return run(command + ["-o", str(output)], 300)

        for kernel, ran in zip(self.kernels, each(self.options.jobs, one, self.kernels, "nvcc")):
            if ran.status != 0 or ran.timeout:
                lines = [line for line in ran.output.splitlines() if "error" in line.lower()]
                error = (lines or ran.output.splitlines() or ["nvcc failed"])[0].strip()
                self.build_errors[kernel.name] = error
                if kernel.expected != {"bad-launch"}:
                    self.problems.append(f"{kernel.name} does not compile: {error}")

    def check(self):
        def one(kernel):
            report = self.folder / kernel.path.parent.name / (kernel.path.stem + ".json")
            report.parent.mkdir(parents=True, exist_ok=True)
            command = [self.options.tessera, "check", str(kernel.path), "--seed", "1",
                       "--threads", "2", "--json", str(report)]
            for option, value in kernel.launch.items():
                command += [option, value]
            for argument in kernel.arguments:
                command += ["--arg", argument]
            return read_check(run(command, 120), report)

        for kernel, answer in zip(self.kernels,
                                  each(self.options.jobs, one, self.kernels, "tessera check")):
            self.note(kernel, "tessera check", answer)

    def run_natively(self):
        built = [kernel for kernel in self.kernels if kernel.name not in self.build_errors]

        def one(kernel):
            return run([str(self.program(kernel)), str(NATIVE_LIMIT)], NATIVE_LIMIT + GRACE)

        for kernel, ran in zip(built, each(self.options.jobs, one, built, "native")):
            self.native[kernel.name] = read_native(ran)
        for name in self.build_errors:
            self.native[name] = "does not compile"

    def run_tools(self):
        built = [kernel for kernel in self.kernels if kernel.name not in self.build_errors]
        # Kernels that never end come last: they would slow the others down.
        hangs = [kernel for kernel in built if self.native[kernel.name] == "never ends"]
        calm = [kernel for kernel in built if kernel not in hangs]
        tasks = [(kernel, tool) for kernel in calm + hangs for tool in TOOLS]

        def one(task):
            kernel, tool = task
            hung = self.native[kernel.name] == "never ends"
            limit = min(HUNG_LIMIT, self.options.limit) if hung else self.options.limit
            command = [self.options.sanitizer, "--tool", tool, "--error-exitcode",
                       str(ERROR_STATUS), "--print-limit", "200", str(self.program(kernel)),
                       str(limit)]
            return read_sanitizer(run(command, limit + GRACE), limit)

        for (kernel, tool), answer in zip(tasks, each(self.options.jobs, one, tasks, "sanitizers")):
            self.note(kernel, tool, answer)

    def note(self, kernel, column, answer):
        self.answers[kernel.name, column] = answer
        if answer.ended.startswith("failed"):
            self.problems.append(f"{column} on {kernel.name} {answer.ended}")

    def answer(self, kernel, column):
        return self.answers.get((kernel.name, column), Answer(ended="not run"))

    def verdict(self, kernel, column):
        """found, other (a fault of another kind), error (the CUDA call's own), missed, not run."""
        answer = self.answer(kernel, column)
        if answer.ended == "not run":
            return "not run"
        if kernel.expected & answer.own:
            return "found"
        if answer.own:
            return "other"
        return "error" if answer.kinds else "missed"


# ---------------------------------------------------------------------------------------------
# The report


def row(cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def table(head, rows):
    return "\n".join([row(head), row(["---"] * len(head))] + [row(cells) for cells in rows]) + "\n"


def cell(comparison, kernel, column):
    answer = comparison.answer(kernel, column)
    text = ", ".join(sorted(answer.kinds))
    if text and answer.messages > 1:
        text += f" ({answer.messages})"
    if answer.ended:
        text = f"{text}, {answer.ended}" if text else answer.ended
    if comparison.verdict(kernel, column) == "found":
        text = f"**{text}**"
    return text or "-"


def columns_of(comparison):
    return [column for column in COLUMNS
            if any(key[1] == column for key in comparison.answers)]


def summary(comparison):
    broken = [kernel for kernel in comparison.kernels if kernel.broken]
    correct = [kernel for kernel in comparison.kernels if not kernel.broken]
    rows = []
    for column in columns_of(comparison):
        verdicts = [comparison.verdict(kernel, column) for kernel in broken]
        alarms = sum(bool(comparison.answer(kernel, column).kinds) for kernel in correct)
        seconds = sum(comparison.answer(kernel, column).seconds for kernel in comparison.kernels)
        rows.append([column, verdicts.count("found"), verdicts.count("other"),
                     verdicts.count("error"), verdicts.count("missed"), verdicts.count("not run"),
                     alarms, f"{seconds:.0f} s"])
    tools = [tool for tool in columns_of(comparison) if tool in TOOLS]
    if tools:
        best = {"found": 0, "other": 1, "error": 2, "missed": 3, "not run": 4}
        verdicts = [min((comparison.verdict(kernel, tool) for tool in tools), key=best.get)
                    for kernel in broken]
        alarms = sum(any(comparison.answer(kernel, tool).kinds for tool in tools)
                     for kernel in correct)
        seconds = sum(comparison.answer(kernel, tool).seconds
                      for kernel in comparison.kernels for tool in tools)
        rows.insert(len(tools), ["the four together"] + [verdicts.count(word) for word in best] +
                    [alarms, f"{seconds:.0f} s"])
    head = [f"of {len(broken)} broken kernels", "found", "as another kind", "CUDA error only",
            "missed", "not run", f"alarms on {len(correct)} correct ones", "time, one after the other"]
    return table(head, rows)


def by_kind(comparison):
    broken = [kernel for kernel in comparison.kernels if kernel.broken]
    columns = columns_of(comparison)
    rows = []
    for kind in sorted({kind for kernel in broken for kind in kernel.expected}):
        having = [kernel for kernel in broken if kind in kernel.expected]
        cells = [sum(comparison.verdict(kernel, column) == "found" for kernel in having)
                 for column in columns]
        if comparison.native:
            fails = sum(comparison.native[kernel.name] != "no error" for kernel in having)
            cells.insert(0, fails)
        rows.append([kind, len(having)] + cells)
    head = ["fault", "kernels"] + (["fails by itself"] if comparison.native else []) + columns
    return table(head, rows)


def details(comparison):
    columns = columns_of(comparison)
    head = ["kernel", "fault"] + (["by itself"] if comparison.native else []) + columns
    rows = []
    for kernel in comparison.kernels:
        if not kernel.broken:
            continue
        cells = [kernel.path.stem, ", ".join(sorted(kernel.expected))]
        if comparison.native:
            cells.append(comparison.native[kernel.name])
        rows.append(cells + [cell(comparison, kernel, column) for column in columns])
    return table(head, rows)


def alarms(comparison):
    columns = columns_of(comparison)
    loud = [kernel for kernel in comparison.kernels if not kernel.broken and
            (comparison.native.get(kernel.name, "no error") != "no error" or
             any(comparison.answer(kernel, column).kinds or comparison.answer(kernel, column).ended
                 for column in columns))]
    if not loud:
        return "None.\n"
    rows = [[kernel.path.stem, comparison.native.get(kernel.name, "not run")] +
            [cell(comparison, kernel, column) for column in columns] for kernel in loud]
    return table(["kernel", "by itself"] + columns, rows)


def first_line(command):
    lines = run(command, 30).output.strip().splitlines()
    return next((line for line in lines if re.search(r"\d+\.\d+", line)), "")


def write_up(comparison, machine):
    parts = [f"Measured with {machine}.\n" if machine else "",
             "A name in bold is the fault that is there; a number is how many messages reported it. "
             "\"By itself\" is what the program's own CUDA calls return.\n",
             "### Sums\n", summary(comparison), "### By kind of fault\n", by_kind(comparison),
             "### Broken kernels\n", details(comparison),
             "### Correct kernels with a report\n", alarms(comparison)]
    if comparison.problems:
        parts += ["### Runs that failed\n",
                  "".join(f"- {problem}\n" for problem in comparison.problems)]
    return "\n".join(part for part in parts if part)


# ---------------------------------------------------------------------------------------------
# Self-test, on output as the tools' manual shows it

MEMCHECK = """========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at unaligned_kernel():0x160 in memcheck_demo.cu:6
=========     by thread (0,0,0) in block (0,0,0)
=========     Address 0x400100001 is misaligned
=========     Saved host backtrace up to driver entry point at kernel launch time
=========         Host Frame: [0x2dbf4f] in libcuda.so.1
=========
========= Invalid __global__ write of size 4 bytes
=========     at out_of_bounds_function():0x170 in memcheck_demo.cu:10
=========     by thread (0,0,0) in block (0,0,0)
=========     Address 0x87654320 is out of bounds
=========
========= Program hit cudaErrorLaunchFailure (error 719) due to "unspecified launch failure" on CUDA API call to cudaDeviceSynchronize.
=========     Saved host backtrace up to driver entry point at error
=========
========= Target application returned an error
========= ERROR SUMMARY: 3 errors
"""
RACECHECK = """========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at sumKernel(int *, int *):0x210 in r.cu:40
=========     and Read access at sumKernel(int *, int *):0x2b0 in r.cu:42 [508 hazards]
=========
========= Warning: Race reported between Write access at f():0x10 in r.cu:4
=========     and Write access at f():0x20 in r.cu:5 [4 hazards]
=========
========= RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)
"""
INITCHECK = """========= COMPUTE-SANITIZER
========= Uninitialized __global__ memory read of size 4 bytes
=========     at vectorAdd(const int *, int *):0x70 in v.cu:9
=========     by thread (0,0,0) in block (0,0,0)
=========     Address 0x7f2c
=========
========= ERROR SUMMARY: 64 errors
"""
SYNCCHECK = """========= COMPUTE-SANITIZER
========= Barrier error detected. Divergent thread(s) in block.
=========     at myKernel(int *):0x3f0 in divergent.cu:66
=========     by thread (0,0,0) in block (0,0,0)
=========
========= ERROR SUMMARY: 32 errors
"""
CLEAN = "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"
NO_RACE = ("========= COMPUTE-SANITIZER\n"
           "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n")


def self_test():
    def read(text, status=ERROR_STATUS, timeout=False):
        return read_sanitizer(Ran(status, text, 1.0, timeout), 20)

    memory = read(MEMCHECK)
    assert set(memory.kinds) == {"misaligned", "out-of-bounds", "cuda-error"}, memory
    assert memory.own == {"misaligned", "out-of-bounds"} and memory.messages == 3, memory
    race = read(RACECHECK)
    assert set(race.kinds) == {"race"} and race.messages == 1, race
    assert set(read(INITCHECK).kinds) == {"uninitialized-read"} and read(INITCHECK).messages == 64
    assert set(read(SYNCCHECK).kinds) == {"divergent-barrier"} and read(SYNCCHECK).messages == 32
    for text in CLEAN, NO_RACE:
        clean = read(text, 0)
        assert not clean.kinds and not clean.messages and not clean.ended, clean
    only_warning = re.sub(r"(?s)========= Error.*?=========\n", "", RACECHECK)
    only_warning = only_warning.replace("(1 error", "(0 errors")
    assert not read(only_warning, 0).kinds, read(only_warning, 0)
    assert read("========= COMPUTE-SANITIZER\n", -9, True).ended == "hang"
    assert read("========= COMPUTE-SANITIZER\n========= Error: No attachable process found. "
                "compute-sanitizer timed-out.\n").ended.startswith("failed")
    assert read("bash: no such thing", 127).ended.startswith("failed")

    assert read_native(Ran(0, "", 1, False)) == "no error"
    assert read_native(Ran(HUNG_STATUS, "", 5, False)) == "never ends"
    assert read_native(Ran(11, "run: cudaErrorIllegalAddress: x\n", 1, False)) == \
        "cudaErrorIllegalAddress"

    # A program that never ends, and one that leaves a child behind, are over in time.
    assert run(["sleep", "30"], 0.2).timeout
    left = run(["sh", "-c", "sleep 30 & echo $!"], 5)
    assert not left.timeout and left.seconds < 5
    assert run(["/nowhere/at/all"], 1).status == 127

    kernels = read_suite("")
    assert len(kernels) >= 240 and all(bool(k.expected) == k.broken for k in kernels)
    for kernel in kernels:
        host_program(kernel)

    # A comparison with made-up answers.
    class Options:
        jobs, nvcc, arch, dry_run, limit = 1, "nvcc", "sm_90", False, 20
    chosen = [kernel for kernel in kernels if kernel.path.stem in
              ("off_by_one_at_end", "global_counter_not_atomic", "transpose_padded")]
    comparison = Comparison(Options, chosen, Path("."))
    comparison.native = {kernel.name: "no error" for kernel in chosen}
    for kernel in chosen:
        for tool in TOOLS:
            comparison.note(kernel, tool, read(CLEAN, 0))
        comparison.note(kernel, "tessera check",
                        Answer({kind: "" for kind in kernel.expected}, len(kernel.expected)))
    comparison.note(chosen[0], "memcheck", read(MEMCHECK))
    text = write_up(comparison, "")
    assert "| tessera check | 2 | 0 | 0 | 0 | 0 | 0 |" in text, text
    assert "| racecheck | 0 | 0 | 0 | 2 | 0 | 0 |" in text, text
    assert "None." in text, text
    print(f"self-test passed, {len(kernels)} kernels read")


# ---------------------------------------------------------------------------------------------


def find_arch():
    smi = shutil.which("nvidia-smi")
    if smi:
        ran = run([smi, "--query-gpu=compute_cap", "--format=csv,noheader"], 30)
        match = re.search(r"^(\d+)\.(\d+)$", ran.output, re.M)
        if ran.status == 0 and match:
            return f"sm_{match[1]}{match[2]}"
    return "sm_90"


def find_tool(name):
    beside_nvcc = Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "bin" / name
    return shutil.which(name) or (str(beside_nvcc) if beside_nvcc.exists() else "")


def machine_line(options):
    parts = []
    smi = shutil.which("nvidia-smi")
    if smi:
        card = run([smi, "--query-gpu=name,driver_version", "--format=csv,noheader"], 30)
        if card.status == 0:
            parts.append(card.output.strip().splitlines()[0].replace(", ", ", driver "))
    if options.sanitizer:
        parts.append("compute-sanitizer " + re.sub(r"^.*?(?=\d)", "",
                                                   first_line([options.sanitizer, "--version"])))
    parts.append(time.strftime("%Y-%m-%d"))
    return ", ".join(parts)


def parse_options():
    parser = argparse.ArgumentParser(
        description="compute-sanitizer and `tessera check` on the suite of broken and correct "
                    "kernels, side by side")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2),
                        help="programs at a time (default: half of the cores)")
    parser.add_argument("--only", default="", metavar="PATTERN",
                        help="kernels to try: broken/race_*, or a part of the name")
    parser.add_argument("--out", metavar="FILE", help="where the Markdown goes (default: stdout)")
    parser.add_argument("--limit", type=int, default=20, help="seconds for one run under a tool")
    parser.add_argument("--tessera", default=str(ROOT / "build" / "tessera"))
    parser.add_argument("--nvcc", default=find_tool("nvcc"))
    parser.add_argument("--sanitizer", default=find_tool("compute-sanitizer"))
    parser.add_argument("--arch", default="", help="as nvcc has it (default: the card's)")
    parser.add_argument("--keep", metavar="DIR", help="build here, and leave the programs")
    parser.add_argument("--dry-run", action="store_true",
                        help="compile without linking, and run `tessera check` alone")
    parser.add_argument("--self-test", action="store_true")
    return parser.parse_args()


def missing_parts(options):
    wanted = [("tessera", options.tessera, "build it with `make`, or name it with --tessera"),
              ("nvcc", options.nvcc, "install the CUDA Toolkit, or name it with --nvcc")]
    if not options.dry_run:
        wanted.append(("compute-sanitizer", options.sanitizer,
                       "install the CUDA Toolkit's, or name it with --sanitizer; --dry-run does "
                       "without"))
    return [f"{name} is missing: {advice}" for name, path, advice in wanted
            if not path or not shutil.which(path)]


def compare(options, folder):
    kernels = read_suite(options.only)
    if not kernels:
        print(f"no kernel's name matches {options.only}", file=sys.stderr)
        return 2
    comparison = Comparison(options, kernels, folder)
    comparison.check()
    comparison.compile()
    if not options.dry_run:
        comparison.run_natively()
        if all(word.startswith(("cudaErrorNoDevice", "cudaErrorInsufficientDriver"))
               for word in comparison.native.values() if word != "does not compile"):
            print("no GPU here; --dry-run does without", file=sys.stderr)
            return 2
        comparison.run_tools()
    text = write_up(comparison, "" if options.dry_run else machine_line(options))
    if options.out:
        Path(options.out).write_text(text)
    else:
        print(text)
    unfound = [kernel for kernel in kernels if kernel.broken and
               comparison.verdict(kernel, "tessera check") != "found"]
    false = [kernel for kernel in kernels if not kernel.broken and
             comparison.answer(kernel, "tessera check").kinds]
    if comparison.problems:
        print(f"{len(comparison.problems)} runs failed; the end of the table lists them",
              file=sys.stderr)
        return 2
    return 1 if unfound or false else 0


def main():
    options = parse_options()
    if options.self_test:
        self_test()
        return 0
    missing = missing_parts(options)
    if missing:
        print("\n".join(missing), file=sys.stderr)
        return 2
    options.arch = options.arch or find_arch()
    options.tessera = str(Path(options.tessera).resolve())
    if options.keep:
        folder = Path(options.keep).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        return compare(options, folder)
    with tempfile.TemporaryDirectory(prefix="tessera-sanitizers-") as temporary:
        return compare(options, Path(temporary))


if __name__ == "__main__":
    sys.exit(main())
