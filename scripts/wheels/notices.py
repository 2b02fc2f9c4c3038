# SPDX-License-Identifier: MIT
"""Writes a wheel's notices of the libraries inside it: their licences, and a bill of materials (SPDX 2.3, PEP 770)."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Library:
    """A library that is linked into the module, from a package of that name and version."""

    name: str
    licence: str
    version: str
    package_url: str
    text: Path

    def described(self):
        return {"SPDXID": f"SPDXRef-{self.name}", "name": self.name, "versionInfo": self.version,
                "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "copyrightText": "NOASSERTION",
                "licenseConcluded": self.licence, "licenseDeclared": self.licence,
                "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                  "referenceLocator": self.package_url}]}


def write_notices(place, libraries):
    """Makes `place` anew: folders that belong into the wheel's .dist-info."""
    shutil.rmtree(place, ignore_errors=True)
    for folder in ("licenses/libraries", "sboms"):
        (place / folder).mkdir(parents=True)
    for library in libraries:
        shutil.copyfile(library.text, place / "licenses" / "libraries" / library.name)
    bill = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "affix-libraries",
            "documentNamespace": "https://affix.invalid/spdx/wheel-libraries",
            "creationInfo": {"created": "1970-01-01T00:00:00Z", "creators": ["Tool: scripts/python_package.py"]},
            "packages": [library.described() for library in libraries],
            "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                               "relatedSpdxElement": f"SPDXRef-{library.name}"} for library in libraries]}
    (place / "sboms" / "libraries.spdx.json").write_text(json.dumps(bill, indent=1) + "\n")
