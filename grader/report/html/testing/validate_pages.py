#!/usr/bin/env python3
"""Checks pages against the HTML standard, with the Nu Html Checker (vnu.jar).

    validate_pages.py FOLDER

Every error and every warning counts. Ends with 0, with 1 and what is wrong, or with 77 where the checker
or Java is missing. TESSERA_VNU names another vnu.jar.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77

# Complaints to ignore: the checker computes no hashes of scripts and knows no CSS of SVG 2.
WRONG_COMPLAINTS = ("Inline script violates Content Security Policy (meta tag): blocked by “script-src” "
                    "directive (missing “‘unsafe-inline’” or nonce/hash).",
                    "CSS: “paint-order”: Property “paint-order” doesn't exist.")


def find_checker():
    """The path of vnu.jar, or nothing. In the npm package it lies beside build/dist/."""
    named = os.environ.get("TESSERA_VNU", "")
    if named:
        return pathlib.Path(named)
    program = shutil.which("vnu")
    jar = pathlib.Path(program).resolve().parent / "build" / "dist" / "vnu.jar" if program else None
    return jar if jar and jar.exists() else None


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    pages = sorted(pathlib.Path(sys.argv[1]).glob("*.html"))
    if not pages:
        sys.exit(f"{sys.argv[1]} holds no page")
    java, checker = shutil.which("java"), find_checker()
    missing = [name for name, found in (("Java", java), ("vnu-jar", checker)) if not found]
    if missing:
        print(f"skipped: no {' and no '.join(missing)} here; ./setup.sh --dev installs them")
        return SKIPPED
    checked = subprocess.run([java, "-jar", checker, "--format", "json", "--exit-zero-always",
                              *pages], capture_output=True, text=True, check=True)
    messages = [message for message in json.loads(checked.stderr)["messages"]
                if message["message"] not in WRONG_COMPLAINTS]
    for message in messages:
        page = message.get("url", "").rsplit("/", 1)[-1]
        print(f"{page}:{message.get('lastLine', 0)}: {message['type']}: {message['message']}"
              f" ... {message.get('extract', '')!r}")
    print(f"{len(pages)} pages, {len(messages)} problems")
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
