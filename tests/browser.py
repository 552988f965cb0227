"""A real browser without a window, and what it saw of a page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

# As wide as a sheet of A4 between the margins that the page asks for.
PAPER = 673
PHONE = 360
DESK = 1000


class BrowserMissing(Exception):
    """There is no chromium; a test that needs it fails."""


@contextmanager
def started() -> Iterator[Browser]:
    program = shutil.which("chromium")
    if program is None:
        raise BrowserMissing("chromium is missing; .ci/setup chromium installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        yield browser
        browser.close()


@dataclass
class Seen:
    """An open page, and everything that happened to it."""

    page: Page
    said: list[str] = field(default_factory=list)
    requested: list[str] = field(default_factory=list)

    def texts(self, selector: str) -> list[str]:
        return [text.strip() for text in self.page.locator(selector).all_text_contents()]


def look(
    browser: Browser, path: Path, *, width: int = DESK, dark: bool = False, paper: bool = False
) -> Seen:
    """Open a file and listen: to messages, errors, dialogs and requests."""
    page = browser.new_page(
        viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
    )
    seen = Seen(page)
    page.on("console", lambda message: seen.said.append(message.text))
    page.on("pageerror", lambda error: seen.said.append(str(error)))
    page.on("request", lambda request: seen.requested.append(request.url))

    def dismiss(dialog: object) -> None:
        seen.said.append(f"dialog {dialog}")

    page.on("dialog", dismiss)
    if paper:
        page.emulate_media(media="print")
    page.goto(path.as_uri())
    return seen
