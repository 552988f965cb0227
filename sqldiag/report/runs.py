"""A run of a policy, in the formats that people and CI systems read."""

from __future__ import annotations

from sqldiag.outcomes import Run
from sqldiag.report.formats import RunFormat


def render_run(run: Run, form: RunFormat, *, terminal: bool = False, width: int = 100) -> str:
    if form is RunFormat.JSON:
        from sqldiag.report.json import written
        from sqldiag.report.run_json import run_object

        return written(run_object(run))
    if form is RunFormat.JUNIT:
        from sqldiag.report.run_junit import to_junit

        return to_junit(run)
    if form is RunFormat.SARIF:
        from sqldiag.report.json import written
        from sqldiag.report.run_sarif import sarif_object

        return written(sarif_object(run))
    from sqldiag.report.run_sheet import run_blocks

    if form is RunFormat.MARKDOWN:
        from sqldiag.report.markdown import markdown_of

        return markdown_of(run_blocks(run))
    from sqldiag.report.text import text_of

    return text_of(run_blocks(run), terminal=terminal, width=width)
