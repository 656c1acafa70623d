"""Opens pages in a headless browser, at two widths and in both colour schemes: no error, nothing wider
than the page but in a box that scrolls, no text of a drawing cut off or on top of another.

usage: browser_test.py WRITE_PAGES FOLDER [PAGE...]

WRITE_PAGES writes pages into the folder that it is given; those named beside it are opened too, if they
are there. Screenshots are left in FOLDER. The exit status is 77 if there is no browser.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

WIDTHS = [1280, 390]
SCHEMES = ["light", "dark"]
HIGHEST = 8000  # of a screenshot, in pixels

# Returns what is wrong as a list of texts.
FAULTS = """
(() => {
    const faults = [];
    const width = document.documentElement.clientWidth;
    const name = element => element.tagName + '.' + (element.getAttribute('class') || '') + ' "' +
        element.textContent.trim().slice(0, 40) + '"';
    if (document.documentElement.scrollWidth > width) {
        faults.push('the page is ' + document.documentElement.scrollWidth + ' wide');
    }
    for (const element of document.body.querySelectorAll('*')) {
        if (element.closest('.scroll, details:not([open]), svg *')) continue;
        const box = element.getBoundingClientRect();
        if (box.width > 0 && (box.right > width + 1 || box.left < -1)) {
            faults.push(name(element) + ' reaches from ' + box.left + ' to ' + box.right);
        }
    }
    for (const drawing of document.querySelectorAll('svg')) {
        const frame = drawing.getBoundingClientRect();
        const texts = [...drawing.querySelectorAll('text')].map(
            text => ({text, box: text.getBoundingClientRect()}));
        for (const {text, box} of texts) {
            if (box.left < frame.left - 1 || box.right > frame.right + 1 ||
                box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
                faults.push(name(text) + ' is cut off in ' + name(drawing));
            }
        }
        for (let i = 0; i < texts.length; i++) {
            for (let k = 0; k < i; k++) {
                const a = texts[i].box, b = texts[k].box;
                const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                if (across > 2 && down > 0.4 * Math.min(a.height, b.height)) {
                    faults.push(name(texts[i].text) + ' is on ' + name(texts[k].text));
                }
            }
        }
    }
    return faults;
})()
"""


class Browser:
    """One browser with one page, by the DevTools protocol through a pair of pipes."""

    def __init__(self, program, folder):
        from_us, self.to_browser = os.pipe()
        self.from_browser, from_it = os.pipe()
        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                   "--no-first-run", "--disable-dev-shm-usage", "--remote-debugging-pipe",
                   f"--user-data-dir={folder}", "about:blank"]
        # The browser reads from 3 and writes to 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{from_us} 4>&{from_it}', "browser", *command],
            pass_fds=[from_us, from_it], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(from_it)
        self.read, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def message(self):
        while b"\0" not in self.read:
            some = os.read(self.from_browser, 1 << 16)
            if not some:
                raise EOFError("the browser has ended")
            self.read += some
        text, self.read = self.read.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(request).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def wait_for(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.message())

    def open(self, path, width, scheme):
        self.events = []
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=path.resolve().as_uri())
        self.wait_for("Page.loadEventFired")

    def faults(self):
        found = self.call("Runtime.evaluate", expression=FAULTS, returnByValue=True)
        faults = list(found["result"]["value"])
        for event in self.events:
            of = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                faults.append(f"exception: {of}")
            if event.get("method") == "Log.entryAdded" and of["entry"]["level"] == "error":
                faults.append(f"error: {of['entry']['text']}")
            if event.get("method") == "Runtime.consoleAPICalled" and of["type"] == "error":
                faults.append(f"error: {of['args']}")
        return faults

    def screenshot(self, path):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"],
                "height": min(size["height"], HIGHEST), "scale": 1}
        shot = self.call("Page.captureScreenshot", format="png", clip=clip,
                         captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def close(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait(timeout=30)


def check_that_faults_are_found(browser, folder):
    page = folder / "faulty.html"
    page.write_text('<!DOCTYPE html><html><body><p style="width: 3000px">wide</p><svg width="90" '
                    'height="20"><text x="-30" y="12">cut off</text><text x="40" y="12">one</text>'
                    '<text x="42" y="12">two</text></svg></body></html>')
    browser.open(page, WIDTHS[0], SCHEMES[0])
    found = "\n".join(browser.faults())
    for fault in ("wide", "cut off", '"two" is on'):
        assert fault in found, (fault, found)
    page.unlink()


def main(write_pages, folder, *others):
    program = next(filter(None, map(shutil.which, ["chromium", "chromium-browser",
                                                   "google-chrome"])), None)
    if program is None:
        print("skipped: there is no browser; tools/bootstrap installs Debian's chromium")
        return 77
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subprocess.run([write_pages, folder], check=True)
    pages = [*sorted(folder.glob("*.html")), *filter(pathlib.Path.exists, map(pathlib.Path, others))]
    faults = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        check_that_faults_are_found(browser, folder)
        for page in pages:
            for width in WIDTHS:
                for scheme in SCHEMES:
                    browser.open(page, width, scheme)
                    faults += [f"{page.name}, {width}, {scheme}: {fault}"
                               for fault in browser.faults()]
                    browser.screenshot(folder / f"{page.stem}-{width}-{scheme}.png")
        browser.close()
    print(*faults, sep="\n")
    print(f"{len(pages)} pages, screenshots in {folder}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
