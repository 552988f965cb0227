"""`make picture`: the README's picture of a report, taken of the demo's report as it is now."""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path

from fixtures import demo, generator, hospital
from tests.browser import look, started
from tests.command import sqldiag

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "report.png"
_WIDTH, _HEIGHT = 640, 836
_SIDE = """
<body style="margin:0; display:flex; gap:12px; background:#9aa5b1; padding:12px; width:max-content">
<img src="data:image/png;base64,{}"><img src="data:image/png;base64,{}"></body>
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name, started() as browser:
        directory = Path(name)
        database, report = directory / "hospital.duckdb", directory / "report.html"
        generator.run(f"duckdb:///{database}", hospital.create_sql(demo.ROWS))
        sqldiag(
            *("report", str(database), "hospital", "--qi", "age,sex,zip", "--quiet"),
            *("--entity", "patient_id", "--require", "k >= 5", "--suppress", "1%"),
            *("--among", "age,sex,zip,admission_date,ward", "--output", report),
        )
        page = look(browser, report, width=_WIDTH).page
        shots = []
        for target in (".over", "figure.chart-lines"):
            top = page.locator(target).first.bounding_box()
            assert top is not None
            clip = {"x": 0, "y": max(top["y"] - 20, 0), "width": _WIDTH, "height": _HEIGHT}
            shot = page.screenshot(clip=clip, full_page=True)  # type: ignore[arg-type]
            shots.append(base64.b64encode(shot).decode())
        both = browser.new_page(viewport={"width": 2 * _WIDTH + 36, "height": _HEIGHT + 24})
        both.set_content(_SIDE.format(*shots))
        both.screenshot(path=PICTURE)
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
