"""Reads the report that a page of hearsay embeds."""

import json
import re


def report_in(path):
    """The report in the HTML page at ``path``."""
    page = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'<script id="report" type="application/json">(.*?)</script>', page, re.DOTALL).group(1))
