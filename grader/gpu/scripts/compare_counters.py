#!/usr/bin/env python3
"""Are the simulator's counters those of the hardware?

Every kernel in solutions/*/kernel.cu and solutions/*/experiments/*.cu runs its lab's visible cases
twice, with the same data: in the simulator, and on the GPU under Nsight Compute (one profiled
launch a case). All counters that both know are compared by integer. The answer is a Markdown table
of what differs, and how much is equal.

  python3 grader/gpu/scripts/compare_counters.py --out counters.md
  python3 grader/gpu/scripts/compare_counters.py --only 03-tiled
  python3 grader/gpu/scripts/compare_counters.py --simulator-only   needs no GPU: shows the counters
  python3 grader/gpu/scripts/compare_counters.py --self-test        how ncu's CSV is read

Needs Python 3.9, ncu, an NVIDIA GPU whose counters this user may read, and build/tessera. Exit
status: 0 when every difference is one of EXPLAINED below, 1 when another one is there, 2 when
something is missing or failed.
"""

import argparse
import csv
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
SEED = "1"


def counter_names():
    """The name in a record -> the name in Nsight Compute."""
    names = {}
    for op, short in (("load", "ld"), ("store", "st")):
        on_global, on_shared = f"mem_global_op_{short}.sum", f"mem_shared_op_{short}.sum"
        names[f"global_{op}_requests"] = f"l1tex__t_requests_pipe_lsu_{on_global}"
        names[f"global_{op}_sectors"] = f"l1tex__t_sectors_pipe_lsu_{on_global}"
        names[f"shared_{op}_requests"] = f"smsp__inst_executed_op_shared_{short}.sum"
        names[f"shared_{op}_wavefronts"] = f"l1tex__data_pipe_lsu_wavefronts_{on_shared}"
        names[f"shared_{op}_bank_conflicts"] = f"l1tex__data_bank_conflicts_pipe_lsu_{on_shared}"
    names["static_shared_bytes"] = "launch__shared_mem_per_block_static"
    names["dynamic_shared_bytes"] = "launch__shared_mem_per_block_dynamic"
    return names


COUNTERS = counter_names()


@dataclasses.dataclass
class Explained:
    """A difference that is known: where, which counters, and what the hardware's count may be."""

    kernel: str  # as in "03-tiled", with * and ?
    counter: str
    holds: object  # (simulated, measured) -> bool
    reason: str


def fewer(simulated, measured):
    return measured < simulated


def more(simulated, measured):
    return measured > simulated


MERGED = ("PTX holds four scalar loads of neighbouring elements of a row of a static array; ptxas "
          "makes one load of 16 bytes of them")
PREDICATED = ("ptxas turns a short branch around a store into a predicated store, and the hardware "
              "counts the instruction where no lane takes part too; its wavefronts are equal")

EXPLAINED = [
    Explained(f"{lab}*", counter, fewer, MERGED)
    for lab in ("02-single-block", "03-tiled", "04-boundary-checked", "05-transposed")
    for counter in ("shared_load_requests", "shared_load_wavefronts", "shared_load_bank_conflicts")
] + [
    Explained(f"{lab}*", "shared_store_requests", more, PREDICATED)
    for lab in ("00-adjacent-difference", "02-single-block")
]


# ---------------------------------------------------------------------------------------------
# Labs without what is timed and what is hidden


@dataclasses.dataclass
class Kernel:
    name: str  # "05-transposed", "05-transposed/rr"
    lab: str
    file: Path
    function: str  # the __global__ function


def without_performance(text):
    """lab.yaml without its `performance:` block: a timed launch is not to be profiled."""
    kept, inside = [], False
    for line in text.splitlines(keepends=True):
        if re.match(r"\S", line):
            inside = line.startswith("performance:")
        if not inside:
            kept.append(line)
    return "".join(kept)


def copy_labs(folder):
    for lab in sorted((ROOT / "labs").glob("*/lab.yaml")):
        copy = folder / "labs" / lab.parent.name / "lab.yaml"
        copy.parent.mkdir(parents=True)
        copy.write_text(without_performance(lab.read_text()))
    return folder / "labs"


def find_kernels(pattern):
    kernels = []
    for solution in sorted((ROOT / "solutions").iterdir()):
        description = ROOT / "labs" / solution.name / "lab.yaml"
        if not description.exists():
            continue
        function = re.search(r"^kernel:\s*(\w+)", description.read_text(), re.M)[1]
        files = [solution / "kernel.cu"] + sorted((solution / "experiments").glob("*.cu"))
        for file in files:
            name = solution.name if file.stem == "kernel" else f"{solution.name}/{file.stem}"
            if file.exists():
                kernels.append(Kernel(name, solution.name, file, function))
    if pattern:
        wild = pattern if any(c in pattern for c in "*?[") else f"*{pattern}*"
        kernels = [kernel for kernel in kernels if fnmatch.fnmatch(kernel.name, wild)]
    return kernels


# ---------------------------------------------------------------------------------------------
# Running


class Failure(Exception):
    pass


def run(command, limit):
    """Output and status; after `limit` seconds the whole process group is killed."""
    environment = dict(os.environ, LC_ALL="C")
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output,
                                 stderr=subprocess.STDOUT, start_new_session=True,
                                 env=environment)
        try:
            child.wait(limit)
        except subprocess.TimeoutExpired:
            raise Failure(f"{Path(command[0]).name} did not end within {limit} seconds") from None
        finally:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
        output.seek(0)
        return child.returncode, output.read().decode(errors="replace")


def last_lines(text):
    return " / ".join(text.strip().splitlines()[-3:])


def grade_command(options, kernel, folder, backend, report):
    from_folder = folder / "from" / kernel.name.replace("/", "_")
    submission = from_folder / kernel.lab / "kernel.cu"
    submission.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(kernel.file, submission)
    return [options.tessera, "grade", kernel.lab, "--labs", str(folder / "labs"), "--from",
            str(from_folder), "--backend", backend, "--seed", SEED, "--compiler", "nvrtc",
            "--json", str(report)]


def cases_of(report):
    """Title and metrics of every correctness case of a record, in order."""
    record = json.loads(Path(report).read_text())
    items = [item for item in record["items"] if item["id"].startswith("correctness/")]
    lost = [item for item in items if item["status"] != "pass"]
    if lost:
        raise Failure(f"{lost[0]['title']}: {lost[0]['status']}: {lost[0]['message']}")
    return [(item["title"], item["metrics"]) for item in items]


def simulate(options, kernel, folder):
    report = folder / "simulated.json"
    status, output = run(grade_command(options, kernel, folder, "simulator", report), 300)
    if status not in (0, 1):
        raise Failure(f"tessera grade ended with {status}: {last_lines(output)}")
    return cases_of(report)


def profile(options, kernel, folder):
    """One dictionary of ncu's counters a launch."""
    report, log = folder / "measured.json", folder / "ncu.csv"
    log.unlink(missing_ok=True)
    command = [options.ncu, "--clock-control", "none", "--target-processes", "all",
               "--kernel-name-base", "function", "--kernel-name", kernel.function, "--csv",
               "--page", "raw", "--print-units", "base", "--metrics",
               ",".join(COUNTERS.values()), "--log-file", str(log)]
    command += grade_command(options, kernel, folder, "gpu", report)
    status, output = run(command, 300)
    text = log.read_text(errors="replace") if log.exists() else ""
    if "ERR_NVGPUCTRPERM" in text + output:
        raise Failure("this user may not read the GPU's counters (ERR_NVGPUCTRPERM)")
    if status not in (0, 1) or not report.exists():
        raise Failure(f"ncu ended with {status}: {last_lines(text + output)}")
    cases_of(report)  # wrong results have no counters worth comparing
    return read_csv(text or output)


def read_csv(text):
    """ncu's --csv --page raw: lines of its own, a head, a line of units, a line a launch."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise Failure(f"ncu profiled no launch: {last_lines(text) or 'it says nothing'}")
    rows = [row for row in csv.reader(lines[start:])]
    head, launches = rows[0], []
    for row in rows[1:]:
        if len(row) != len(head) or not row[0].isdigit():
            continue  # units, and ncu's own lines
        cells = dict(zip(head, row))
        values = {}
        for counter, metric in COUNTERS.items():
            value = number(cells.get(metric, ""))
            if value is not None:
                values[counter] = value
        launches.append(values)
    return launches


def number(text):
    """ "1,234" and "1234.0" as 1234; nothing for "n/a"."""
    try:
        return round(float(text.replace(",", "")))
    except ValueError:
        return None


# ---------------------------------------------------------------------------------------------
# The comparison


@dataclasses.dataclass
class Difference:
    kernel: str
    case: str
    counter: str
    simulated: object
    measured: object
    reason: str = ""


@dataclasses.dataclass
class Result:
    equal: int = 0
    compared: int = 0
    kernels: int = 0
    launches: int = 0
    differences: list = dataclasses.field(default_factory=list)
    failures: list = dataclasses.field(default_factory=list)

    @property
    def unexplained(self):
        return [difference for difference in self.differences if not difference.reason]


def reason_of(kernel, counter, simulated, measured):
    for known in EXPLAINED:
        if (fnmatch.fnmatch(kernel, known.kernel) and counter == known.counter and
                measured is not None and known.holds(simulated, measured)):
            return known.reason
    return ""


def compare(kernel, cases, launches, result):
    if len(cases) != len(launches):
        result.failures.append(f"{kernel.name}: {len(launches)} launches were profiled, there are "
                               f"{len(cases)} cases")
        return
    result.kernels += 1
    for (title, metrics), measured in zip(cases, launches):
        result.launches += 1
        for counter in COUNTERS:
            if counter not in metrics:
                continue
            result.compared += 1
            simulated, value = round(metrics[counter]), measured.get(counter)
            if value == simulated:
                result.equal += 1
                continue
            result.differences.append(
                Difference(kernel.name, title, counter, simulated, value,
                           reason_of(kernel.name, counter, simulated, value)))


def row(cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def table(head, rows):
    return "\n".join([row(head), row(["---"] * len(head))] + [row(cells) for cells in rows]) + "\n"


def grouped(value):
    return "not measured" if value is None else f"{value:,}"


def write_up(result, machine):
    parts = []
    if machine:
        parts.append(f"Measured with {machine}.\n")
    parts.append(f"{result.equal:,} of {result.compared:,} counters equal: {result.kernels} "
                 f"kernels, {result.launches} launches, up to {len(COUNTERS)} counters each; "
                 f"{len(result.differences)} differ, {len(result.unexplained)} of them without an "
                 "explanation.\n")
    reasons = []
    for difference in result.differences:
        if difference.reason and difference.reason not in reasons:
            reasons.append(difference.reason)
    if result.differences:
        parts.append(table(
            ["kernel", "case", "counter", "simulator", "hardware", "explained by"],
            [[d.kernel, d.case, d.counter, grouped(d.simulated), grouped(d.measured),
              f"({reasons.index(d.reason) + 1})" if d.reason else "**nothing**"]
             for d in result.differences]))
    if reasons:
        parts.append("".join(f"({i}) {reason}.\n" for i, reason in enumerate(reasons, 1)))
    if result.failures:
        parts.append("Not compared:\n\n" + "".join(f"- {text}\n" for text in result.failures))
    return "\n".join(parts)


def simulated_table(all_cases):
    rows = []
    for name, cases in all_cases:
        title, metrics = cases[-1]
        rows.append([name, title] + [grouped(round(metrics[counter])) if counter in metrics
                                     else "-" for counter in COUNTERS])
    return table(["kernel", "last case"] + list(COUNTERS), rows)


# ---------------------------------------------------------------------------------------------
# Self-test


def self_test():
    head = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream",
            "Block Size", "Grid Size", "Device", "CC"] + list(COUNTERS.values())
    units = [""] * 11 + ["request"] * len(COUNTERS)
    first = ["0", "77", "tessera", "127.0.0.1", "matmul(Matrix<const float>, float)", "1", "7",
             "(16, 16, 1)", "(10, 10, 1)", "0", "9.0"] + ["1,000"] * len(COUNTERS)
    second = ["1"] + first[1:11] + ["20.0"] * (len(COUNTERS) - 1) + ["n/a"]
    text = "==PROF== Connected to process 77\n==PROF== Profiling \"matmul\": 0%....100%\n"
    text += "\n".join(",".join(f'"{cell}"' for cell in cells)
                      for cells in (head, units, first, second))
    text += "\n==PROF== Disconnected from process 77\n"
    launches = read_csv(text)
    last = list(COUNTERS)[-1]
    assert len(launches) == 2, launches
    assert set(launches[0].values()) == {1000} and len(launches[0]) == len(COUNTERS)
    assert last not in launches[1] and launches[1]["global_load_requests"] == 20
    try:
        read_csv("==WARNING== No kernels were profiled.\n")
        raise AssertionError("a log without launches was read")
    except Failure as failure:
        assert "No kernels" in str(failure)

    kernel = Kernel("03-tiled", "03-tiled", Path("k.cu"), "matmul")
    result = Result()
    cases = [("one", {"shared_load_requests": 1600.0, "global_load_requests": 1000.0}),
             ("two", {"shared_load_requests": 20.0, "dynamic_shared_bytes": 32.0, "x": 1.0})]
    compare(kernel, cases, launches, result)
    assert (result.equal, result.compared, len(result.differences)) == (2, 4, 2), result
    assert [bool(d.reason) for d in result.differences] == [True, False], result.differences
    text = write_up(result, "a card")
    assert "2 of 4 counters equal" in text and "| 1,600 | 1,000 | (1) |" in text, text
    assert "| 32 | not measured | **nothing** |" in text, text
    compare(kernel, cases[:1], launches, result)
    assert "2 launches were profiled, there are 1 cases" in result.failures[0]

    yaml = "kernel: k\ntechnique:\n  - {x: 1}\nperformance:\n  shape: {m: 2}\n  thresholds:\n" \
           "    # why\n    - {metric: time_ms}\n"
    assert without_performance(yaml) == "kernel: k\ntechnique:\n  - {x: 1}\n"
    names = [kernel.name for kernel in find_kernels("")]
    assert "03-tiled" in names and "05-transposed/rr" in names, names
    assert COUNTERS["shared_load_wavefronts"] == \
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"
    print(f"self-test passed, {len(names)} kernels found")


# ---------------------------------------------------------------------------------------------


def find_tool(name):
    beside_nvcc = Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "bin" / name
    return shutil.which(name) or (str(beside_nvcc) if beside_nvcc.exists() else "")


def machine_line(options):
    parts = []
    smi = shutil.which("nvidia-smi")
    if smi:
        status, text = run([smi, "--query-gpu=name,driver_version", "--format=csv,noheader"], 30)
        if status == 0:
            parts.append(text.strip().splitlines()[0].replace(", ", ", driver "))
    version = re.search(r"Version ([\d.]+)", run([options.ncu, "--version"], 30)[1])
    if version:
        parts.append("Nsight Compute " + version[1])
    parts.append(time.strftime("%Y-%m-%d"))
    return ", ".join(parts)


def parse_options():
    parser = argparse.ArgumentParser(
        description="The simulator's counters and Nsight Compute's, of every reference and "
                    "experiment")
    parser.add_argument("--only", default="", metavar="PATTERN",
                        help="kernels to try: 05-transposed*, or a part of the name")
    parser.add_argument("--out", metavar="FILE", help="where the Markdown goes (default: stdout)")
    parser.add_argument("--tessera", default=str(ROOT / "build" / "tessera"))
    parser.add_argument("--ncu", default=find_tool("ncu"))
    parser.add_argument("--simulator-only", action="store_true",
                        help="show the simulator's counters of each lab's last case")
    parser.add_argument("--self-test", action="store_true")
    return parser.parse_args()


def missing_parts(options):
    wanted = [("tessera", options.tessera, "build it with `make`, or name it with --tessera")]
    if not options.simulator_only:
        wanted.append(("ncu", options.ncu, "install Nsight Compute, or name it with --ncu; "
                       "--simulator-only does without"))
    return [f"{name} is missing: {advice}" for name, path, advice in wanted
            if not path or not shutil.which(path)]


def compare_all(options, folder):
    copy_labs(folder)
    result, simulated = Result(), []
    for kernel in find_kernels(options.only):
        print(kernel.name, file=sys.stderr, flush=True)
        try:
            cases = simulate(options, kernel, folder)
            simulated.append((kernel.name, cases))
            if not options.simulator_only:
                compare(kernel, cases, profile(options, kernel, folder), result)
        except Failure as failure:
            result.failures.append(f"{kernel.name}: {failure}")
    if options.simulator_only:
        text = simulated_table(simulated) + "".join(f"\n- {f}\n" for f in result.failures)
    else:
        text = write_up(result, machine_line(options))
    if options.out:
        Path(options.out).write_text(text)
    else:
        print(text)
    if result.failures or not simulated:
        return 2
    return 1 if result.unexplained else 0


def main():
    options = parse_options()
    if options.self_test:
        self_test()
        return 0
    missing = missing_parts(options)
    if missing:
        print("\n".join(missing), file=sys.stderr)
        return 2
    options.tessera = str(Path(options.tessera).resolve())
    with tempfile.TemporaryDirectory(prefix="tessera-counters-") as folder:
        return compare_all(options, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
