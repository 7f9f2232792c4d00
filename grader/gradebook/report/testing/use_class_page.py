#!/usr/bin/env python3
"""Uses a report on a class as its reader does, and says how long the page takes.

    use_class_page.py PAGE

In headless Chromium: everything is there without scripts; every column sorts both ways, by mouse and by
keyboard; search and choices leave the rows that they say; tables are tables to a screen reader.

Ends with 0, with 1 and what is wrong, or with 77 if Chromium is missing.
"""
import pathlib
import sys
import time

KIT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(KIT / "grader" / "report" / "html" / "testing"))
import browser  # pylint: disable=wrong-import-position

ACTIONS = pathlib.Path(__file__).with_name("actions.js").read_text()
SKIPPED = 77
PATIENCE_S = 20  # for what the browser does beside its answers


def read_without_scripts(window, page):
    window.call("Emulation.setScriptExecutionDisabled", value=True)
    window.open(page)
    # What stands in the page is counted through the DOM domain: no script runs.
    root = window.call("DOM.getDocument", depth=0)["root"]["nodeId"]

    def count(selector):
        found = window.call("DOM.querySelectorAll", nodeId=root, selector=selector)
        return len(found["nodeIds"])

    problems = []
    if count("table.sortable tbody tr[hidden]") > 0 or count("table.sortable tbody tr") == 0:
        problems.append("rows cannot be read without scripts")
    if count("table.sortable button") > 0 or count("form:not([hidden])") > 0:
        problems.append("controls that do nothing without scripts are shown")
    window.call("Emulation.setScriptExecutionDisabled", value=False)
    return problems


def press_enter_on_a_heading(window):
    window.evaluate("document.querySelector('#students-table th button').focus()")
    for kind in ("rawKeyDown", "char", "keyUp"):
        window.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r",
                    windowsVirtualKeyCode=13)
    order = window.evaluate("document.querySelector('#students-table th').getAttribute('aria-sort')")
    return [] if order == "ascending" else [f"Enter on a heading sorts '{order}'"]


def hear_a_row(window):
    """Which roles a screen reader lacks in a long table's first row, once the browser has followed the last sort."""
    node = window.call("Runtime.evaluate", expression="document.querySelector('#students-table tbody tr')")
    end = time.monotonic() + PATIENCE_S
    missing = None
    while missing is None or (missing and time.monotonic() < end):
        nodes = window.call("Accessibility.getPartialAXTree", objectId=node["result"]["objectId"],
                            fetchRelatives=True)["nodes"]
        roles = {entry["role"]["value"] for entry in nodes if not entry.get("ignored") and "role" in entry}
        missing = {"table", "row", "rowheader"} - roles
    return [f"a screen reader gets no {role}" for role in sorted(missing)]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = browser.find()
    if not program:
        print("skipped: Chromium is not here; ./setup.sh --dev installs it, TESSERA_CHROMIUM names one")
        return SKIPPED
    page = pathlib.Path(sys.argv[1])
    with browser.Browser(program) as window:
        window.look(1280, 900)
        problems = read_without_scripts(window, page)
        window.open(page)
        loaded = window.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
        used = window.evaluate(ACTIONS)
        problems += used["problems"] + press_enter_on_a_heading(window) + hear_a_row(window)
        problems += window.complaints()
    print(f"{page.name}: {page.stat().st_size / 1e6:.1f} MB, loaded in {loaded:.0f} ms")
    for name, milliseconds in used["slowest"].items():
        print(f"  {name}: {milliseconds:.0f} ms at most, with layout")
    for problem in problems:
        print(f"  {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
