"""The outcomes of tests as JUnit XML, which CI systems read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from gpucc.check.execute import Outcome

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(outcomes: Sequence[Outcome], root: Path) -> str:
    """Return the XML; tests are named relative to ``root`` where they lie in it."""
    suite = ElementTree.Element(
        "testsuite",
        name="gpucc check",
        tests=str(len(outcomes)),
        failures=str(sum(outcome.status == "failed" for outcome in outcomes)),
        skipped=str(sum(outcome.status == "no RUN line" for outcome in outcomes)),
        time=f"{sum(outcome.seconds for outcome in outcomes):.3f}",
    )
    for outcome in outcomes:
        path = outcome.path
        shown = path.relative_to(root) if path.is_relative_to(root) else path
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=shown.parent.as_posix().replace("/", "."),
            name=shown.name,
            file=str(shown),
            time=f"{outcome.seconds:.3f}",
        )
        if outcome.failure is not None:
            report, command = outcome.failure.report, outcome.failure.command
            failure = ElementTree.SubElement(
                case, "failure", message=_NOT_XML.sub("?", report.partition("\n")[0])
            )
            failure.text = _NOT_XML.sub("?", f"{report}\n{command or ''}")
        elif outcome.status == "no RUN line":
            ElementTree.SubElement(case, "skipped", message="no RUN line")
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
