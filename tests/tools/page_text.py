#!/usr/bin/env -S python3 -B
"""What a page of `report` says, as text. Headings, captions and paragraphs are a line each, entries of lists begin
with *; tables have aligned columns and a blank line behind them; code keeps its lines. Of charts the tables are left: they have the figures. A table in several blocks is one.
    tests/tools/page_text.py PAGE.html"""
import html.parser
import pathlib
import re
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import begin  # noqa: E402

begin(__doc__)

LINES = {"h1", "h2", "h3", "p", "caption", "figcaption", "summary", "pre", "title", "li", "div"}

HIDDEN = {"svg", "style", "figcaption"}


class Text(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.text, self.hidden, self.code, self.contents, self.rows = "", 0, 0, 0, []
        self.begin, self.end, self.last = 0, 0, (0, "", [])  # where a table begins; of the one before it text before it, caption, rows

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in HIDDEN or ("class", "note") in attrs
        self.code += tag == "pre"
        self.contents += tag == "nav"
        if tag == "table":
            self.begin = len(self.text)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        self.text += "\n* " if tag == "li" and not self.contents else "\n" if tag in LINES else ""

    def handle_endtag(self, tag):
        self.contents -= tag == "nav"
        self.hidden -= tag in HIDDEN or (tag == "p" and self.hidden > 0)
        self.code -= tag == "pre"
        self.text += "\n" if tag in LINES else ""
        if tag == "table" and self.rows:
            self.rows = [[cell.strip() for cell in row] for row in self.rows]
            self.join()
            widths = [max(map(len, column)) for column in zip(*self.rows)]
            for first, *rest in self.rows:
                cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(rest, widths[1:]))]
                self.text += "  ".join(cells).rstrip() + "\n"
            self.text, self.rows = self.text + "\v\n", []
            self.end = len(self.text)

    def join(self):
        """Puts the columns of a further block of a table behind those before it."""
        begin, caption, rows = self.last
        if self.text[self.begin:].strip() == caption and not self.text[self.end:self.begin].strip() and \
                [row[0] for row in rows] == [row[0] for row in self.rows]:
            self.rows = [row + more[1:] for row, more in zip(rows, self.rows)]
            self.begin, self.text = begin, self.text[:begin] + "\n" + caption + "\n"
        self.last = (self.begin, self.text[self.begin:].strip(), self.rows)

    def handle_data(self, data):
        if not self.hidden:
            said = data if self.code else re.sub(r"\s+", " ", data)
            if self.rows and self.rows[-1]:
                self.rows[-1][-1] += said
            else:
                self.text += said


signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # who has read enough is no mistake
page = Text()
page.feed(open(sys.argv[1], encoding="utf-8").read())
print("\n".join(line.rstrip() for line in page.text.split("\n") if line.strip(" ")).replace("\v", ""))
