#!/usr/bin/env python3
"""Writes what an image holds as an SPDX 2.3 document: every installed Debian package, bindery among
them. sbom.py DPKG_STATUS"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import sys
import urllib.parse

NONE = "NOASSERTION"


def installed(status):
    """[{field: value}] of the packages that dpkg's status file calls installed."""
    for paragraph in status.split("\n\n"):
        fields = dict(re.findall(r"^([A-Za-z-]+): (.*)$", paragraph, re.MULTILINE))
        if fields.get("Status") == "install ok installed":
            yield fields


def spdx_package(fields):
    name, version, architecture = fields["Package"], fields["Version"], fields["Architecture"]
    quoted = urllib.parse.quote(version, safe="")
    return {
        "SPDXID": "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.-]", "-", name),
        "name": name,
        "versionInfo": version,
        "supplier": "Organization: bindery" if name == "bindery" else "Organization: Debian",
        "downloadLocation": NONE,
        "filesAnalyzed": False,
        "licenseConcluded": "Apache-2.0" if name == "bindery" else NONE,
        "licenseDeclared": "Apache-2.0" if name == "bindery" else NONE,
        "copyrightText": NONE,
        "externalRefs": [
            {
                "referenceCategory": "PACKAGE-MANAGER",
                "referenceType": "purl",
                "referenceLocator": f"pkg:deb/debian/{name}@{quoted}?arch={architecture}&distro=bookworm",
            }
        ],
    }


def made():
    """When: of the commit, where that is told."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.datetime.now(datetime.timezone.utc)
    return datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc) if epoch else now


def document(name, packages, relationships, when):
    """The SPDX document of these packages. Relationships are (package, type, package), as SPDXIDs."""
    packages = sorted(packages, key=lambda package: package["SPDXID"])
    digest = hashlib.sha256(json.dumps(packages, sort_keys=True).encode()).hexdigest()
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"https://github.com/bindery/bindery/sbom/{digest}",
        "creationInfo": {"created": when.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: bindery-sbom"]},
        "packages": packages,
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
            for one, kind, other in relationships
        ],
    }


def describes(packages):
    """The relationships of a document that is about all of these packages."""
    return [("SPDXRef-DOCUMENT", "DESCRIBES", package["SPDXID"]) for package in packages]


def main():
    status = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    packages = sorted((spdx_package(fields) for fields in installed(status)), key=lambda package: package["name"])
    json.dump(document("bindery-image", packages, describes(packages), made()), sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    sys.exit(main())
