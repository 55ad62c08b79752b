"""The HTML report in a real browser: nothing fails, nothing is fetched, all fits and can be read and reached."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from report_pages import BROKEN, EVIL, LINEUP, SECTIONS, STAKES, agrees, played

import razz_sim
from razz_sim.report import figures
from razz_sim.report.page import page
from razz_sim.store import Run

sync_api = pytest.importorskip("playwright.sync_api", reason="the report's browser tests need playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="the report's browser tests need Chromium: apt-get install chromium"
)

WIDTHS = (360, 800, 1400)
SCHEMES = ("light", "dark")
PAGES = ("one", "swept", "hostile")
LEAST_CONTRAST = 4.5
CONTRASTS = """(least) => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const drawn = new Map();
  const rgba = (colour) => {
    if (!drawn.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      drawn.set(colour, [...canvas.getImageData(0, 0, 1, 1).data]);
    }
    return drawn.get(colour);
  };
  const light = (colour) => colour.slice(0, 3)
    .map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
  const papers = new Map([[null, rgba("white")]]);
  const behind = (element) => {
    if (!papers.has(element)) {
      const colour = rgba(getComputedStyle(element).backgroundColor);
      if (![0, 255].includes(colour[3])) throw new Error("half transparent: " + element.outerHTML.slice(0, 80));
      papers.set(element, colour[3] === 255 ? colour : behind(element.parentElement));
    }
    return papers.get(element);
  };
  const poor = [];
  let seen = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || element.closest("script, title, desc")) continue;
    const style = getComputedStyle(element);
    const inSvg = element.closest("svg") !== null;
    const [one, other] = [light(rgba(inSvg ? style.fill : style.color)), light(behind(element))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (!(contrast >= least)) poor.push([contrast, element.outerHTML.slice(0, 80)]);
    seen += 1;
  }
  return [seen, poor];
}"""
"""How many texts there are, and those that stand out from what is behind them by less than `least`."""

NAMED = {"table", "heading", "image", "link", "navigation", "region", "rowheader", "columnheader", "DisclosureTriangle"}
WRONG = """() => {
  const all = (what) => [...document.querySelectorAll(what)];
  const told = (element) => element.outerHTML.slice(0, 80);
  const look = (element) => {
    const style = getComputedStyle(element);
    return [style.outlineStyle, style.outlineWidth, style.boxShadow].join();
  };
  const references = ["aria-labelledby", "aria-describedby"];
  const dangling = all("*").filter((one) => references.some((name) =>
    (one.getAttribute(name) ?? "").split(" ").some((id) => id && !document.getElementById(id))));
  const bare = all("tbody td:not(.blank)").filter((one) => !one.parentElement.querySelector("th[scope=row]"));
  const ragged = all("table").filter((one) =>
    new Set([...one.rows].map((row) => [...row.cells].reduce((sum, cell) => sum + cell.colSpan, 0))).size > 1);
  const small = all("a, summary").filter((one) => one.checkVisibility() && !one.classList.contains("skip"))
    .filter((one) => one.getBoundingClientRect().height < 24);
  const unseen = all("a, summary, [tabindex='0']").filter((one) => one.checkVisibility()).filter((one) => {
    document.activeElement.blur();
    const before = look(one);
    one.focus({focusVisible: true});
    return look(one) === before;
  });
  return [dangling, bare, ragged, small, unseen].map((found, rule) => found.map((one) => [rule, told(one)])).flat();
}"""
"""References that lead nowhere, cells without a row's head, rows of other lengths, links too small to touch, focus
that is not seen."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    out = tmp_path_factory.mktemp("runs")
    (out / "broken.py").write_text(BROKEN)
    hostile = [
        {"name": EVIL, "strategy": "broken.py:bot"},
        {"name": "a name of sixty characters, and_one_word_of_it_is_rather_long"[:60], "strategy": "tight"},
    ]
    stakes = [{**STAKES, "name": "<script>document.title = 'taken'</script>"}, {**STAKES, "name": "other", "ante": 1}]
    eight = [{"name": f"player_{number}", "strategy": "stealer"} for number in range(8)]
    swept = {"stack": [10, 20, 40, 60, 80, 100], "baseline": "stack 100"}
    return {
        "one": played(out),
        "swept": played(out, name="swept", hands=300, sweep=swept, lineup=LINEUP),
        "eight": played(out, name="eight", hands=2000, lineup=eight, stakes=[{**STAKES, "name": "one"}, STAKES]),
        "hostile": played(out, name="hostile", hands=400, lineup=hostile, stakes=stakes, on_error="fold"),
    }


@pytest.fixture(scope="module")
def files(runs: dict[str, Run], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    out = tmp_path_factory.mktemp("pages")
    made = {}
    for name, run in runs.items():
        made[name] = out / f"{name}.html"
        made[name].write_text(page(run), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        # As root, as in CI's containers, Chromium has no sandbox; the page is ours.
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


class Opened:
    """A page that was opened, with what went wrong and what it asked for."""

    def __init__(self, browser: Any, path: Path, width: int = 1400, scheme: str = "light") -> None:
        self.context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.route("**/*", self._abort)
        self.page.goto(path.as_uri())

    def _abort(self, route: Any) -> None:
        if route.request.url.startswith("file:") and route.request.is_navigation_request():
            route.continue_()
        else:
            self.asked.append(route.request.url)
            route.abort()

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *error: object) -> None:
        self.context.close()


def unfold(page: Any) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")


def check_sound(opened: Opened, width: int) -> None:
    """Nothing failed, was fetched, scrolls sideways, fades into what is behind it or is kept from a screen reader."""
    assert opened.page.evaluate("document.documentElement.scrollWidth") == width
    _, poor = opened.page.evaluate(CONTRASTS, LEAST_CONTRAST)
    assert (opened.complaints, opened.asked, poor) == ([], [], [])
    assert opened.page.evaluate(WRONG) == []


@pytest.mark.parametrize("name", PAGES)
def test_nothing_fails_and_nothing_is_fetched(browser: Any, files: dict[str, Path], name: str) -> None:
    with Opened(browser, files[name]) as opened:
        unfold(opened.page)
        opened.page.mouse.wheel(0, 20_000)
        opened.page.wait_for_timeout(100)
        assert opened.complaints == []
        assert opened.asked == []
        assert opened.page.title() == f"{'asked' if name == 'one' else name} – razz-sim"  # noqa: RUF001


@pytest.mark.parametrize("name", PAGES)
def test_every_section_is_seen_and_the_navigation_leads_there(browser: Any, files: dict[str, Path], name: str) -> None:
    with Opened(browser, files[name]) as opened:
        for section in SECTIONS:
            assert opened.page.locator(f"#{section}").is_visible()
            link = opened.page.locator(f"nav a[href='#{section}']")
            # Nothing covers it. Followed by the keyboard: a page that still glides to the last section moves from
            # under a mouse.
            link.click(trial=True)
            link.press("Enter")
            opened.page.wait_for_function("hash => location.hash === hash", arg=f"#{section}")
        assert opened.page.locator("#compared").count() == (name != "one")


def test_figures_are_the_summary_s(browser: Any, files: dict[str, Path], runs: dict[str, Run]) -> None:
    (scenario,) = runs["one"].summary["scenarios"]
    with Opened(browser, files["one"]) as opened:

        def cell(section: str, row: str, column: int) -> str:
            found = opened.page.locator(
                f"#{section} tbody tr", has=opened.page.locator(f"th bdi:text-is('{row}')")
            ).first
            return str(found.locator("td").nth(column).inner_text())

        for place, one in enumerate(scenario["entrants"]):
            assert agrees(cell("ranking", one["name"], 0), one["bb_per_100"])
            for play, share in one["plays"].items():
                shown = cell("plays", figures.PLAYS[play][0], place).replace("\u00a0", " ")
                assert f"{share['count']:,} of {share['of']:,}" in shown
                assert not share["of"] or agrees(shown, 100 * share["fraction"])
            for rank, found in one["by_door"].items():
                assert agrees(cell("doors", rank, place), found["bb_per_100"])


@pytest.mark.parametrize("name", PAGES)
def test_no_width_makes_the_page_scroll_sideways(browser: Any, files: dict[str, Path], name: str) -> None:
    with Opened(browser, files[name]) as opened:
        unfold(opened.page)
        for width in WIDTHS:
            opened.page.set_viewport_size({"width": width, "height": 900})
            assert opened.page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [width, width]


@pytest.mark.parametrize(("width", "section"), [(800, "ranking"), (1400, "compared"), (1400, "plays")])
def test_the_main_tables_are_seen_whole_where_there_is_room(
    browser: Any, files: dict[str, Path], width: int, section: str
) -> None:
    with Opened(browser, files["eight"], width) as opened:
        boxes = f"[...document.querySelectorAll('#{section} > .scroll')]"
        assert max(opened.page.evaluate(f"{boxes}.map((box) => box.scrollWidth - box.clientWidth)")) <= 0


@pytest.mark.parametrize("name", PAGES)
def test_all_text_stands_out_from_what_is_behind_it(browser: Any, files: dict[str, Path], name: str) -> None:
    with Opened(browser, files[name]) as opened:
        unfold(opened.page)
        for scheme in SCHEMES:
            opened.page.emulate_media(color_scheme=scheme)
            seen, poor = opened.page.evaluate(CONTRASTS, LEAST_CONTRAST)
            assert seen > 1000
            assert poor == []
            dark = opened.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
            paper = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (dark, paper == "rgb(255, 255, 255)") == (scheme == "dark", scheme == "light")


def test_drawings_follow_the_reader_s_scheme(browser: Any, files: dict[str, Path]) -> None:
    seen = {}
    with Opened(browser, files["one"]) as opened:
        for scheme in SCHEMES:
            opened.page.emulate_media(color_scheme=scheme)
            bar = "document.querySelector('#pots svg path[class]')"
            seen[scheme] = opened.page.evaluate(f"getComputedStyle({bar}).stroke + getComputedStyle({bar}).fill")
    assert seen["light"] != seen["dark"]


def test_a_starting_hand_is_told_in_full_by_mouse_and_by_keyboard(browser: Any, files: dict[str, Path]) -> None:
    with Opened(browser, files["one"]) as opened:
        page, tip = opened.page, opened.page.locator("#tip")
        assert not tip.is_visible()
        eights = page.locator("#starts details[open] .panel", has=page.locator("caption:text-is('Eight high')"))
        eights.locator("tbody tr").first.locator("td").nth(1).hover()
        assert tip.inner_text().startswith("A-2-8: ")
        assert "hand" in tip.inner_text()
        eights.locator("td[tabindex='0']").focus()
        assert tip.inner_text().startswith("A-A-8: ")
        seen = []
        for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"):
            page.keyboard.press(key)
            seen.append(tip.inner_text()[:5])
        assert seen == ["A-2-8", "2-2-8", "2-2-8", "2-3-8", "A-3-8", "A-2-8"]
        assert eights.locator("td[tabindex='0']").count() == 1
        page.keyboard.press("Escape")
        assert not tip.is_visible()


def test_the_first_tab_stop_skips_to_the_answer(browser: Any, files: dict[str, Path]) -> None:
    with Opened(browser, files["one"]) as opened:
        opened.page.keyboard.press("Tab")
        skip = opened.page.locator(".skip")
        assert opened.page.evaluate("document.activeElement.className") == "skip"
        assert skip.bounding_box()["x"] >= 0
        opened.page.keyboard.press("Enter")
        assert opened.page.evaluate("document.activeElement.id") == "answer"


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [360, 1400] if "RAZZ_SIM_LONG" in os.environ else [360])
def test_a_screen_reader_is_told_what_each_thing_is(
    browser: Any, files: dict[str, Path], name: str, width: int
) -> None:
    """What the rules of axe ask, of the tree that the browser gives to a screen reader."""
    with Opened(browser, files[name], width) as opened:
        unfold(opened.page)
        opened.page.wait_for_timeout(200)
        nodes = opened.context.new_cdp_session(opened.page).send("Accessibility.getFullAXTree")["nodes"]
        seen: dict[str, int] = {}
        for node in nodes:
            if node["ignored"]:
                continue
            role, called = node["role"]["value"], node.get("name", {}).get("value", "")
            properties = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
            seen[role] = seen.get(role, 0) + 1
            assert called or role not in NAMED, node
            assert called or not properties.get("focusable"), node
        assert {"banner": 1, "main": 1, "navigation": 1}.items() <= seen.items()
        assert seen["image"] > 3
        assert opened.page.evaluate("document.documentElement.lang") == "en"
        assert opened.page.evaluate(WRONG) == []


def test_wide_tables_can_be_scrolled_from_the_keyboard(browser: Any, files: dict[str, Path]) -> None:
    with Opened(browser, files["one"], 360) as opened:
        unfold(opened.page)
        opened.page.wait_for_timeout(200)
        stuck = opened.page.evaluate(
            """() => [...document.querySelectorAll('main *')]
              .filter((one) => getComputedStyle(one).overflowX === 'auto' && one.scrollWidth > one.clientWidth + 1)
              .filter((one) => one.tabIndex < 0 && !one.querySelector('[tabindex="0"]'))
              .map((one) => one.outerHTML.slice(0, 80))"""
        )
        assert stuck == []
        assert opened.page.locator(".scroll[tabindex='0']").count() > 0
        assert opened.page.locator(".scroll[tabindex='-1']").count() > 0


def test_a_printed_page_is_light_and_shows_what_was_folded(browser: Any, files: dict[str, Path]) -> None:
    with Opened(browser, files["one"], 1400, "dark") as opened:
        opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert opened.page.locator("details:not([open])").count() == 0
        opened.page.emulate_media(media="print")
        assert opened.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert not opened.page.locator("nav").is_visible()
        opened.page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert opened.page.locator("details:not([open])").count() > 0


@pytest.mark.parametrize(("form", "tables"), [("round_robin", 2), ({"kind": "population", "seats": 3, "tables": 4}, 3)])
def test_who_beats_whom_is_seen_at_all_widths_and_readable(
    browser: Any, tmp_path: Path, form: object, tables: int
) -> None:
    lineup = [{"strategy": name} for name in ("tight", "caller", "best", "rock", "maniac")]
    made = tmp_path / "met.html"
    made.write_text(page(played(tmp_path, hands=1800, lineup=lineup, format=form)), encoding="utf-8")
    for width, scheme in ((360, "dark"), (1400, "light")):
        with Opened(browser, made, width, scheme) as opened:
            assert opened.page.locator("#meetings table").count() == tables
            assert opened.page.locator("nav a[href='#meetings']").is_visible()
            check_sound(opened, width)


def test_a_search_is_seen_at_all_widths_and_readable(browser: Any, tmp_path: Path) -> None:
    over = {"lineup[0].params.limit": {"low": 5, "high": 12}, "stack": [5, 50]}
    lineup = [{"name": "hero", "strategy": "tight"}, {"strategy": "caller"}]
    asked = {"name": "s", "seed": 3, "hands": 1600, "stakes": STAKES, "lineup": lineup}
    run = razz_sim.run({**asked, "search": {"best": "hero", "over": over, "points": 12}}, out=tmp_path, runner="local")
    made = tmp_path / "search.html"
    made.write_text(page(run), "utf-8")
    for width, scheme in ((400, "dark"), (800, "light"), (1400, "dark"), (1400, "light")):
        with Opened(browser, made, width, scheme) as opened:
            unfold(opened.page)
            assert opened.page.locator("#search svg").count() == 1
            assert opened.page.locator("nav a[href='#search']").is_visible()
            check_sound(opened, width)


def test_when_it_stopped_is_seen_at_all_widths_and_readable(browser: Any, tmp_path: Path) -> None:
    lineup = [{"name": name, "strategy": name} for name in ("tight", "caller")]
    stop = {"test": ["tight", "caller"], "h0": 0, "h1": 5}
    made = tmp_path / "stopped.html"
    made.write_text(page(played(tmp_path, hands=2000, lineup=lineup, format="round_robin", stop=stop)), "utf-8")
    for width, scheme in ((360, "dark"), (800, "light"), (1400, "dark")):
        with Opened(browser, made, width, scheme) as opened:
            unfold(opened.page)
            assert opened.page.locator("#stopping svg").count() == 2
            assert opened.page.locator("nav a[href='#stopping']").is_visible()
            check_sound(opened, width)
