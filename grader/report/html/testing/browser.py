"""Headless Chromium through its DevTools protocol, over two pipes; needs only Python."""
import base64
import json
import os
import shutil
import subprocess
import tempfile

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")


def find():
    """Chromium's path, or nothing. TESSERA_CHROMIUM names another program."""
    for name in (os.environ.get("TESSERA_CHROMIUM", ""), *NAMES):
        if name and (path := shutil.which(name)):
            return path
    return None


class Browser:
    """A browser window, for use in a `with` statement, which ends the browser and removes its profile."""

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory()
        to_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()
        # By definition the protocol's pipes are descriptors 3 and 4.
        script = f"exec 3<&{to_browser} 4>&{from_browser}; exec \"$@\""
        arguments = [program, "--headless", "--remote-debugging-pipe", "--disable-gpu",
                     "--hide-scrollbars", "--no-first-run", "--disable-dev-shm-usage",
                     f"--user-data-dir={self.profile.name}"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")  # Chromium has none for root
        self.process = subprocess.Popen(
            ["bash", "-c", script, "bash", *arguments], pass_fds=(to_browser, from_browser),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        shutil.rmtree(self.profile.name, ignore_errors=True)

    def _next(self):
        while b"\0" not in self.buffer:
            data = os.read(self.answers, 1 << 20)
            if not data:
                raise RuntimeError("Chromium has ended")
            self.buffer += data
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        """Returns the answer to a command; events that come meanwhile are kept in `events`."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for_load(self, loader):
        """Waits until this navigation's page is loaded: late events of the page before are ignored."""
        def loaded(event):
            data = event.get("params", {})
            return (event.get("method") == "Page.lifecycleEvent" and data["name"] == "load" and
                    data["loaderId"] == loader)
        while not any(loaded(event) for event in self.events):
            self.events.append(self._next())

    def look(self, width, height, scheme="light", media="screen"):
        """Sets how the page is shown: CSS pixels, light or dark, screen or print."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, path):
        self.events.clear()
        self.wait_for_load(self.call("Page.navigate", url=path.resolve().as_uri())["loaderId"])

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def press_tab(self):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab",
                      windowsVirtualKeyCode=9)

    def screenshot(self, path, clip=None):
        options = {"clip": {**clip, "scale": 1}} if clip else {}
        image = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                          **options)
        path.write_bytes(base64.b64decode(image["data"]))

    def pdf(self, path):
        self.call("Emulation.setEmulatedMedia", media="")
        page = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True,
                         paperWidth=8.27, paperHeight=11.69)
        path.write_bytes(base64.b64decode(page["data"]))

    def complaints(self):
        """Returns what the console says and what the page tried to load."""
        found = []
        for event in self.events:
            method, data = event.get("method", ""), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append("exception: " + data["exceptionDetails"]["text"])
            elif method == "Log.entryAdded" and data["entry"]["level"] in ("error", "warning"):
                found.append("console: " + data["entry"]["text"])
            elif method == "Runtime.consoleAPICalled":
                found.append("console: " + str(data["args"]))
            elif method == "Network.requestWillBeSent":
                url = data["request"]["url"]
                if not url.startswith("file://"):
                    found.append("request: " + url[:200])
        return found
