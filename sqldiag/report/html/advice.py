"""What to do next: the smallest suppression that would pass, the columns whose removal would."""

from __future__ import annotations

from collections.abc import Iterator

from sqldiag.answers import Check, Contribution, Diagnosis, SetFinding
from sqldiag.report import words

# So many sets to choose from are a help; more are a burden.
_MOST = 5


def steps(diagnosis: Diagnosis) -> Iterator[str]:
    check = diagnosis.check
    if check is None:
        yield (
            "Decide what must hold, for example groups of at least 5, and ask again with "
            "--require: then this page says whether it does, and what it would take."
        )
        return
    if check.holds:
        yield from _keep(check)
        return
    yield _suppress(check, diagnosis.allowed_rows)
    yield from _leave_out(diagnosis, check)
    yield from _smaller_sets(diagnosis)
    yield (
        "Say less: release coarser values, such as decades instead of ages or the first digits "
        "of a zip, and diagnose the SELECT that makes them with --query before it is handed out."
    )


def _keep(check: Check) -> Iterator[str]:
    if check.rows_to_suppress:
        rows, rest = words.count(check.rows_to_suppress, "row"), words.count(check.remaining_rows)
        yield (
            f"Suppress the {rows} ({words.percent(check.suppression_needed)}) whose groups miss "
            f"what is required, and release the other {rest}."
        )
    else:
        yield "Nothing has to be suppressed."
    yield "Ask again whenever the table has changed: new rows make new groups."


def _suppress(check: Check, allowed: int) -> str:
    if check.remaining_rows == 0:
        return "Suppression cannot help: no group reaches what is required."
    rows, rest = words.count(check.rows_to_suppress, "row"), words.count(check.remaining_rows)
    against = f", but only {words.count(allowed, 'row')} may go" if check.suppress else ""
    return (
        f"Suppress {rows} ({words.percent(check.suppression_needed)}), the fewest that make it "
        f"hold for the {rest} that remain{against}."
    )


def _leave_out(diagnosis: Diagnosis, check: Check) -> Iterator[str]:
    added = [one for one in diagnosis.measurement.contributions or () if one.without is not None]
    if not added:
        return
    enough = [one for one in added if _need(one) <= diagnosis.allowed_rows]
    if enough:
        named = " or ".join(one.column for one in enough)
        allowance = words.allowance(check.suppress)
        without = "it" if len(enough) == 1 else "one of them"
        yield f"Leave out {named}: without {without}, it holds{allowance}."
        return
    best = min(added, key=_need)
    if _need(best) >= check.rows_to_suppress:
        yield "Leaving out one column does not help."
        return
    assert best.without is not None
    share = words.percent(best.without.suppression_needed or 0)
    yield (
        f"Leaving out one column is not enough. {best.column} matters most: without it, "
        f"{words.count(_need(best), 'row')} ({share}) would still have to be suppressed."
    )


def _need(one: Contribution) -> int:
    return 0 if one.without is None else one.without.rows_to_suppress or 0


def _smaller_sets(diagnosis: Diagnosis) -> Iterator[str]:
    if diagnosis.borders is None:
        return
    asked = set(diagnosis.measurement.quasi_identifiers)
    safe = [found for found in diagnosis.borders.safe if asked & set(found.quasi_identifiers)]
    if not safe:
        if diagnosis.borders.searched.complete:
            yield "No set of these columns is safe, not even one of them alone."
        return
    ordered = sorted(safe, key=lambda found: -len(asked & set(found.quasi_identifiers)))
    named = "; ".join(_names(found) for found in ordered[:_MOST])
    more = f"; and {len(safe) - _MOST:,} more" if len(safe) > _MOST else ""
    yield f"Release fewer columns together. The largest sets that are safe: {named}{more}."


def _names(found: SetFinding) -> str:
    return ", ".join(found.quasi_identifiers)
