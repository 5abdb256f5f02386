#!/usr/bin/env -S python3 -B
"""Looks at pages in headless Chromium as people see them: light and dark, wide and narrow, on paper, with the keyboard.

    tests/cli/look.py [--shots FOLDER] PAGE.html...

Prints what is wrong and ends with status 1. Exit status 77: no Chromium here.
"""
import argparse
import base64
import os
import pathlib
import shutil
import sys

sys.dont_write_bytecode = True  # nor where another Python than its own runs it
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import library  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
PAPER = 703  # pixels: A4 without margins of 12 mm
VIEWS = [("dark", "dark", 1280, "screen"), ("light", "light", 1280, "screen"), ("tablet", "light", 768, "screen"),
         ("narrow", "light", 380, "screen"), ("print", "dark", PAPER, "print")]
# Each spoils the page in one way, and what must then be complained of: a look that sees nothing wrong is worth nothing otherwise.
SPOILERS = [
    ("document.querySelector('p').style.width = '3000px'; document.querySelector('p').style.maxWidth = 'none'", "wide on"),
    ("document.querySelector('figure .note').style.marginBottom = '-60px'", "lies on what follows"),
    ("document.querySelector('figure .table table').style.minWidth = '1500px'", "is cut"),
    ("document.querySelector('figure svg').style.width = document.querySelector('figure svg').style.minWidth = '1500px'", "a picture reaches"),
    ("document.querySelector('.side').style.width = '500px'", "an empty right half"),
    ("document.querySelector('svg text').setAttribute('font-size', 4)", "letters 4"),
    ("const t = document.querySelector('svg text'); t.parentNode.appendChild(t.cloneNode(true))", "lies on"),
    ("document.querySelector('svg text').parentNode.setAttribute('transform', 'translate(-90,50)')", "outside its picture"),
    ("document.querySelector('svg desc').textContent = ''", "without its words"),
    ("document.querySelector('figure table').remove()", "without its table"),
    ("document.documentElement.style.setProperty('--muted', '#aaaaaa')", "contrast"),
    ("document.documentElement.style.setProperty('--c2', '#eeeeee')", "contrast"),
    ("document.querySelector('h2').id = document.querySelectorAll('h2')[1].id", "more than once"),
    ("document.querySelector('a').setAttribute('href', '#nothing')", "leads nowhere"),
    ("document.querySelector('a').tabIndex = 3", "order of keys"),
    ("document.body.appendChild(document.createElement('script'))", "that runs"),
]


def browser():
    webdriver = library("selenium.webdriver")
    driver = shutil.which("chromedriver")
    if driver is None or shutil.which("chromium") is None:
        print("no page is looked at: chromium or chromedriver is missing (apt-get install chromium chromium-driver)")
        sys.exit(77)
    options = webdriver.ChromeOptions()
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=library("selenium.webdriver.chrome.service").Service(driver), options=options)


def show(chrome, page, view):
    _, scheme, width, media = view
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia",
                           {"media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]})
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    chrome.get("file://" + os.path.abspath(page))


def shoot(chrome, folder, page, name, width):
    height = min(chrome.execute_script("return document.documentElement.scrollHeight"), 15000)
    shot = chrome.execute_cdp_cmd("Page.captureScreenshot", {
        "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}})
    stem = os.path.splitext(os.path.basename(page))[0]
    with open(os.path.join(folder, f"{stem}-{name}.png"), "wb") as file:
        file.write(base64.b64decode(shot["data"]))


def keys(chrome):
    """Tab goes through links and regions in the page's order."""
    By, Keys = library("selenium.webdriver.common.by").By, library("selenium.webdriver.common.keys").Keys
    body = chrome.find_element(By.TAG_NAME, "body")
    order = []
    for _ in range(12):
        body.send_keys(Keys.TAB) if not order else chrome.switch_to.active_element.send_keys(Keys.TAB)
        order.append(chrome.execute_script(
            "return [...document.querySelectorAll('a[href],[tabindex]')].indexOf(document.activeElement)"))
    return [] if order == list(range(12)) else [f"Tab goes to {order}"]


def paper(chrome):
    """Printed without backgrounds, it is a file of some pages."""
    pdf = base64.b64decode(chrome.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
    pages = pdf.count(b"/Type /Page\n") or pdf.count(b"/Type /Page")
    return [] if pdf.startswith(b"%PDF") and 2 <= pages <= 200 else [f"printed, it has {pages} pages"]


def look(chrome, page, folder, views):
    with open(os.path.join(HERE, "look.js"), encoding="utf-8") as file:
        script = file.read()
    found = []
    for view in views:
        show(chrome, page, view)
        found += [f"{view[0]}: {what}" for what in chrome.execute_script(script)]
        if view[0] == "light":
            found += [f"keys: {what}" for what in keys(chrome)]
        if view[3] == "print":
            found += [f"paper: {what}" for what in paper(chrome)]
        if folder:
            shoot(chrome, folder, page, view[0], view[2])
    found += [f"console: {entry['message']}" for entry in chrome.get_log("browser")]
    return script, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shots", help="folder for screenshots")
    parser.add_argument("--spoil", action="store_true", help="also spoil the first page, and see that it is complained of")
    parser.add_argument("pages", nargs="+")
    options = parser.parse_args()
    chrome = browser()
    failed = 0
    try:
        for page in options.pages:
            # What a theme does to one page it does to all.
            script, found = look(chrome, page, options.shots, VIEWS if page == options.pages[0] or options.shots else VIEWS[1:])
            failed += len(found)
            for what in found[:30]:
                print(f"{os.path.basename(page)}: {what}")
            if len(found) > 30:
                print(f"{os.path.basename(page)}: and {len(found) - 30} more")
        for spoiler, expected in SPOILERS if options.spoil else []:
            show(chrome, options.pages[0], VIEWS[1])
            chrome.execute_script(spoiler)
            if not any(expected in what for what in chrome.execute_script(script)):
                failed += 1
                print(f"not noticed: {spoiler}")
    finally:
        chrome.quit()
    print(f"{len(options.pages)} pages in up to {len(VIEWS)} views: " + (f"{failed} complaints" if failed else "nothing to complain of"))
    sys.exit(1 if failed else 0)


main()
