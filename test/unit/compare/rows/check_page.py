"""Checks a page of the comparison: well-formed as XML and as HTML, and sufficient in itself.

usage: check_page.py PAGE

Prints one line per fault; the exit status is 1 if there is one.
"""

import html.parser
import pathlib
import re
import sys
import xml.etree.ElementTree

# Elements of HTML that have no end.
VOID = {"meta", "br", "hr", "img", "link", "input"}
# Attributes through which a page asks for something else.
REFERENCES = {"src", "href", "xlink:href", "action", "data", "poster", "srcset", "background"}


class Page(html.parser.HTMLParser):
    """Counts elements, matches ends with beginnings, and looks at every reference."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open = []
        self.ids = []
        self.links = []
        self.faults = []

    def handle_starttag(self, tag, attrs):
        self.look_at(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.look_at(tag, attrs)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"line {self.getpos()[0]}: </{tag}> ends {self.open[-1:]}")
        else:
            self.open.pop()

    def look_at(self, tag, attrs):
        if tag in ("script", "link", "iframe", "object", "embed", "img", "base"):
            self.faults.append(f"line {self.getpos()[0]}: there is a <{tag}>")
        for name, value in attrs:
            if name.startswith("on"):
                self.faults.append(f"line {self.getpos()[0]}: attribute {name} is a script")
            if name == "id":
                self.ids.append(value)
            if name in REFERENCES:
                if value.startswith("#"):
                    self.links.append(value[1:])
                else:
                    self.faults.append(f"line {self.getpos()[0]}: reference to {value!r}")


def faults_of(text):
    faults = []
    try:
        xml.etree.ElementTree.fromstring(text.encode())
    except xml.etree.ElementTree.ParseError as error:
        faults.append(f"not well-formed XML: {error}")
    page = Page()
    page.feed(text)
    page.close()
    faults += page.faults
    faults += [f"<{tag}> never ends" for tag in page.open]
    faults += [f"id {name!r} comes twice" for name in set(page.ids) if page.ids.count(name) > 1]
    faults += [f"link to {name!r}, which is nowhere" for name in page.links
               if name not in page.ids]
    style = "".join(re.findall(r"<style>(.*?)</style>", text, re.S))
    faults += [f"the style asks for {found!r}" for found in re.findall(r"@import|url\(", style)]
    if "prefers-color-scheme: dark" not in style:
        faults.append("there is no dark style")
    return faults


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    faults = faults_of(pathlib.Path(arguments[1]).read_text(encoding="utf-8"))
    print(*faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
