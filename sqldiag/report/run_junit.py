"""JUnit XML: a suite per connection, a test per requirement, so that CI systems list them."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from sqldiag.outcomes import FAILS, WARNS, Result, Run
from sqldiag.report.run_json import moment
from sqldiag.report.run_words import about, broken

# What XML cannot hold, even escaped.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(run: Run) -> str:
    root = ElementTree.Element("testsuites", name=_text(run.policy), time=f"{run.seconds:.3f}")
    for connection in dict.fromkeys(result.entry.connection for result in run.results):
        mine = [result for result in run.results if result.entry.connection == connection]
        suite = ElementTree.SubElement(root, "testsuite", name=_text(connection))
        suite.set("timestamp", moment(run.at).rstrip("Z"))
        suite.set("time", f"{sum(result.seconds for result in mine):.3f}")
        for result in mine:
            _cases(suite, result)
        _count(suite)
    if run.problems:
        suite = ElementTree.SubElement(root, "testsuite", name="sqldiag")
        for problem in run.problems:
            case = ElementTree.SubElement(suite, "testcase", name="history", classname="sqldiag")
            ElementTree.SubElement(case, "error", message=_text(problem))
        _count(suite)
    _count(root)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _cases(suite: ElementTree.Element, result: Result) -> None:
    if result.check is None:
        case = _case(suite, result, "check")
        ElementTree.SubElement(case, "error", message=_text(result.error or ""))
        return
    sentences = dict(broken(result))
    required = [str(verdict.requirement) for verdict in result.check.requirements]
    for name in dict.fromkeys([*required, *sentences]):
        case = _case(suite, result, name)
        if name in sentences:
            _put(case, result, sentences[name])


def _case(suite: ElementTree.Element, result: Result, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(
        suite,
        "testcase",
        name=_text(name),
        classname=_text(result.entry.name),
        time=f"{result.seconds:.3f}",
    )


def _put(case: ElementTree.Element, result: Result, sentence: str) -> None:
    """A warning does not fail the test, but is written beside it."""
    if result.status == FAILS:
        failure = ElementTree.SubElement(case, "failure", message=_text(sentence))
        failure.text = _text(about(result)) or None
    elif result.status == WARNS:
        ElementTree.SubElement(case, "system-out").text = _text(f"warning: {sentence}")


def _count(element: ElementTree.Element) -> None:
    element.set("tests", str(len(list(element.iter("testcase")))))
    element.set("failures", str(len(list(element.iter("failure")))))
    element.set("errors", str(len(list(element.iter("error")))))


def _text(text: str) -> str:
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)
