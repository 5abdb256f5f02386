#!/usr/bin/env -S python3 -B
"""Judges the pictures and tables of `report` by their text, without a browser.

    tests/cli/drawn.py names PAGE RESULT.json...        each picture tells title, device, driver, type, date and version, in the drawing and in its description
    tests/cli/drawn.py first PAGE PICTURE.svg           the page's first picture is this one
    tests/cli/drawn.py fields PAGE MARK...              no field of a heat map is empty, the legend has its marks and letters, and these marks are there
    tests/cli/drawn.py ties PAGE                        where all strategies take the same time, nobody alone is called the fastest
    tests/cli/drawn.py letters PAGE                     what a file's letter stands for is said before the letter is used, and strategies have others
    tests/cli/drawn.py once PAGE                        no device is told twice, in "In short", how many times as fast something is
    tests/cli/drawn.py widths PAGE                      tables beside pictures have lines that fit
    tests/cli/drawn.py powers PAGE                      no number from 1000 on is told in powers of ten
PAGE is a page as HTML, or pictures alone as SVG.
"""
import json
import pathlib
import re
import sys
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import begin  # noqa: E402

begin(__doc__)

SVG = "{http://www.w3.org/2000/svg}"
LINE = 84  # characters of a table beside a picture: tests/cli/look.py sees that they fit


class Picture:
    def __init__(self, element):
        self.title, self.description = (element.find(SVG + name).text for name in ("title", "desc"))
        self.texts = ["".join(text.itertext()) for text in element.iter(SVG + "text")]
        self.said = " ".join(self.texts)
        self.fields = [tuple(rect.get(name) for name in "xy") for rect in element.iter(SVG + "rect")
                       if float(rect.get("height")) > 20 and "hatch" not in rect.get("fill")]
        # those of fields have a size of their own, and what is not a number is a mark
        self.marks = [text for group in element.iter(SVG + "g") if group.get("text-anchor") == "middle" and group.get("font-size")
                      for text in ("".join(found.itertext()) for found in group.iter(SVG + "text"))]
        self.hatched = any(found.get("fill", "").startswith("url(") for found in element.iter(SVG + "rect"))


def pictures(text):
    """All pictures of a page, or of an SVG file, which may have several in one."""
    roots = [xml.etree.ElementTree.fromstring(found) for found in
             ([text] if text.startswith("<svg") else re.findall(r"<svg .*?</svg>", text, re.S))]
    found = [Picture(element) for root in roots for element in root.iter(SVG + "svg") if element.get("role") == "img"]
    assert found, "no picture"
    return found


def names(text, *paths):
    runs = [json.load(open(path, encoding="utf-8")) for path in paths]
    for picture in pictures(text):
        for where in (picture.said, picture.title + ". " + picture.description):
            told = [run for run in runs for device in run["devices"] if device["kind"] != "host" and device["name"] in where and
                    device["driver"] in where and run["started"][:10] in where and f"clreduce {run['suite']['version']}" in where]
            of_all = all(device["driver"] in where for run in runs for device in run["devices"] if device["kind"] != "host")
            assert told or of_all, (picture.title, where)
            assert re.search(r"\bof (f32|i32|u32|u8)\b", where), (picture.title, where)
        assert picture.title in picture.said, (picture.title, picture.said)


def first(text, path):
    of_page, alone = pictures(text)[0], pictures(open(path, encoding="utf-8").read())[0]

    def shapes(picture):
        return [word for word in picture.texts if re.fullmatch(r"\w+ : \w+|2\^\d+|[\d.,]+x", word)]
    assert shapes(of_page) == shapes(alone) and shapes(alone), (of_page.texts, alone.texts)
    # the counts of points, which the device alone has
    assert of_page.description.split("On ")[1].split(" (~)")[0] == alone.description.split("On ")[1].split(" (~)")[0]


def fields(text, *wanted):
    found = set()
    maps = [picture for picture in pictures(text) if picture.marks]
    assert maps, "no heat map"
    for picture in maps:
        columns, rows = ({field[i] for field in picture.fields} for i in range(2))
        assert len(set(picture.fields)) == len(columns) * len(rows) == len(picture.marks), \
            (picture.title, len(picture.fields), len(columns), len(rows), len(picture.marks))
        marks = {mark for text in picture.marks if not re.fullmatch(r"[\d.]+\d~?", text) for mark in text if mark != "+"}
        legend = {text[0] for text in picture.texts if re.fullmatch(r"\S \S.*", text)}
        assert marks <= legend, (picture.title, marks, legend)
        found |= marks
    assert set(wanted) <= found, (wanted, found)


def ties(text):
    maps = [picture for picture in pictures(text) if picture.marks and "the fastest strategy" in picture.title]
    assert maps, "no map of the fastest"
    for picture in maps:
        assert "tied (+: with more)" in picture.texts
        assert picture.hatched and all(len(text) > 1 for text in picture.marks), (picture.title, picture.marks)
    page = re.sub(r"<[^>]*>", " ", re.sub(r"<(svg|style).*?</\1>", " ", text, flags=re.S))
    named = re.findall(r"(?:Fastest: |, )?\b\w+(?: ~ [\w ]+)? at 2\^\d+(?:: | \()[\d.]+ us", page)
    assert named and all(" ~ " in name for name in named), named
    assert " slower than the best" not in page and "x faster than the best" not in page


def letters(text):
    text = re.sub(r"<style>.*?</style>", "", text, flags=re.S)
    for letter in "AB":
        told = re.search(rf"<li>{letter}: [^<]*\.json, measured \d{{4}}-\d\d-\d\d on ", text)
        used = re.search(rf">{letter} \w|[ (]{letter} (pocl|intel|nvidia)|<p>{letter}: ", text)
        assert told and used and told.start() < used.start(), (letter, told, used)
    for picture in pictures(text):
        assert not any(re.match(r"[A-Z] \w", text) for text in picture.texts if not re.match(r"[A-Z] (pocl|intel|nvidia)\b", text)), picture.texts


def once(text):
    short = text[text.index('id="in-short"'):text.index("</section>")]
    heads = re.findall(r"On (\w+) \([^:]*: *</p>", short)
    rows = re.findall(r'<th scope="row">[^<]*</th><td>(?:\w )?(\w+)</td>', short)
    assert heads and sorted(heads) == sorted(set(heads)) and rows == heads, (heads, rows)
    assert "further runs of a device above" in short
    assert not re.search(r"OpenMP on the host is faster below [^:]*\([\d.]+x", text), "a factor of all runs beside those of one"


def widths(text):
    seen = 0
    for figure in re.findall(r"<figure>.*?</figure>", text, re.S):
        for table in re.findall(r"<table>.*?</table>", figure, re.S):
            rows = [re.findall(r'<t[hd](?: class="(n)")?(?: scope="\w+")?>([^<]*)<', row) for row in re.findall(r"<tr>.*?</tr>", table)]
            # of a text the longest word, since it is wrapped, and of headings nothing
            width = [max((len(value) if right else max(map(len, value.split()), default=0)) for right, value in column) for column in zip(*rows[1:])]
            seen += 1
            assert sum(width) + 2 * (len(width) - 1) <= LINE or len(width) == 2, (sum(width), rows[0])
    assert seen, "no table"


def powers(text):
    for where in re.findall(r">([^<]*)<", re.sub(r"<style>.*?</style>", "", text, flags=re.S)):
        assert not re.search(r"\de\+\d", where), where


{"names": names, "first": first, "fields": fields, "ties": ties, "letters": letters, "once": once, "widths": widths, "powers": powers}[sys.argv[1]](
    open(sys.argv[2], encoding="utf-8").read(), *sys.argv[3:])
