#!/usr/bin/env python3
"""What a page says, as lines: page_text.py PAGE.html. Headings, captions and paragraphs are a line each, and so is each row of a table,
its cells two blanks apart; code keeps its lines. Charts are left out: their tables have the figures."""
import html.parser
import re
import sys

LINES = {"h1", "h2", "h3", "p", "caption", "figcaption", "summary", "tr", "pre", "title", "li", "div"}


class Text(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.text, self.hidden, self.code = "", 0, 0

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in ("svg", "style")
        self.code += tag == "pre"
        self.text += "\n" if tag in LINES else "  " if tag in ("td", "th") else ""

    def handle_endtag(self, tag):
        self.hidden -= tag in ("svg", "style")
        self.code -= tag == "pre"
        self.text += "\n" if tag in LINES else ""

    def handle_data(self, data):
        self.text += "" if self.hidden else data if self.code else re.sub(r"\s+", " ", data)


page = Text()
page.feed(open(sys.argv[1], encoding="utf-8").read())
print("\n".join(line.strip() for line in page.text.split("\n") if line.strip()))
