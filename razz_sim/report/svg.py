"""A matplotlib figure as SVG inside a page: sharp at any size, text as text, colours from the page's CSS."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
from markupsafe import Markup
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from razz_sim.report.numbers import plain
from razz_sim.report.palette import VARIABLES

_SETTINGS: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "razz_sim"}
_NO_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}
_NOT_FOR_PAGES = {"metadata", "style"}
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_DECIMALS = re.compile(r"-?\d+\.\d{2,}")
_REFERENCE = re.compile(r"#([\w.]+)")
_FONT_FAMILY = re.compile(r"font-family: [^;]*;? ?")
_FONT = re.compile(r"font: ([\d.]+)px [^;]*")


class Styles(dict[str, str]):
    """The looks of a page's drawings, each with the class that stands for it: they are few, and said once."""

    def __missing__(self, look: str) -> str:
        return self.setdefault(look, f"d{len(self) + 1}")

    def css(self) -> str:
        """The rules of all classes."""
        return "\n".join(f".{name} {{ {look} }}" for look, name in self.items())


def inline_svg(figure: Figure, name: str, title: str, description: str, styles: Styles) -> Markup:
    """The figure as an `<svg>` element for a page in which no other has this name and that has these styles.

    The same figure gives the same text: no date, no random ids. Whatever its texts are, they are escaped.
    """
    width, height = (float(size) * 72 for size in figure.get_size_inches())
    told = {"role": "img", "aria-labelledby": f"{name}-title {name}-desc"}
    svg = ElementTree.Element("svg", {"viewBox": f"0 0 {width:g} {height:g}", **told})
    for tag, text in (("title", title), ("desc", description)):
        ElementTree.SubElement(svg, tag, {"id": f"{name}-{tag}"}).text = plain(text)
    drawing = ElementTree.fromstring(_drawn(figure))
    wanted = {found for one in drawing.iter() for value in one.attrib.values() for found in _REFERENCE.findall(value)}
    svg.extend(_for_page(drawing, name, wanted, styles))
    return Markup(ElementTree.tostring(svg, encoding="unicode"))


def _drawn(figure: Figure) -> str:
    """What matplotlib makes of the figure; a letter that its fonts lack is drawn by the browser's."""
    out = io.StringIO()
    with mpl.rc_context(_SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(out, metadata=_NO_METADATA)
    return out.getvalue()


def _for_page(
    parent: ElementTree.Element, name: str, wanted: set[str], styles: Styles
) -> Iterator[ElementTree.Element]:
    """What is inside an element, without groups that say nothing and paths that nobody sees."""
    for one in parent:
        tag = str(one.tag).rpartition("}")[2]
        if tag in _NOT_FOR_PAGES:
            continue
        kept = ElementTree.Element(tag, dict(_attributes(one, name, wanted, styles)))
        kept.text = one.text if tag == "text" else None
        kept.extend(_for_page(one, name, wanted, styles))
        if tag == "g" and not (len(kept) and kept.attrib):
            yield from kept
        elif not _is_unseen(kept):
            yield kept


def _is_unseen(one: ElementTree.Element) -> bool:
    if one.tag == "path":
        return one.get("class") == "unseen" and "id" not in one.attrib
    return one.tag == "defs" and not len(one)


def _attributes(one: ElementTree.Element, name: str, wanted: set[str], styles: Styles) -> Iterator[tuple[str, str]]:
    """An element's attributes, with ids of its own page, shorter numbers, and CSS variables for colours."""
    for key, value in one.attrib.items():
        key = key.rpartition("}")[2]
        if key == "id":
            if value in wanted:
                yield key, f"{name}-{value}"
            continue
        if key == "transform" and value.startswith("rotate(-0 "):
            continue
        value = _DECIMALS.sub(lambda number: f"{float(number.group()):.1f}".removesuffix(".0"), value)
        if key == "d":
            value = " ".join(value.split())
        if key == "style":
            value = _FONT.sub(r"font-size: \1px", _FONT_FAMILY.sub("", value)).strip(" ;")
            value = _COLOUR.sub(lambda found: _variable(found.group()), value)
            yield "class", "unseen" if value == "fill: none" else styles[value]
        else:
            yield key, _REFERENCE.sub(rf"#{name}-\1", value)


def _variable(colour: str) -> str:
    return f"var({VARIABLES[colour]})" if colour in VARIABLES else colour
