#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the files of a release from a clean checkout, with checksums, a bill of materials and a statement of origin.

Usage: make_release.py SOURCE OUTPUT [--packages DIRECTORY] [--static DIRECTORY] [--python DIRECTORY] [--tag] [--check] [--dry-run]

OUTPUT receives, with VERSION from include/affix/base/version.hpp:
  affix-VERSION.tar.gz              the sources of the commit
  affix-VERSION-amalgamated.tar.gz  affix.hpp, affix.cpp, affix_wire.hpp and the licence
  affix_VERSION-*.dsc, .debian.tar.xz, affix_VERSION.orig.tar.gz   the Debian source package; the last is affix-VERSION.tar.gz
  *.deb                             copies of the Debian packages in DIRECTORY
  affix-VERSION-linux-*.tar.gz     copies of the archives of static programs in --static's DIRECTORY
  *.whl                             copies of the Python wheels in wheels/ of Python's DIRECTORY
  affix-VERSION-python.tar.gz       copy of the Python sources in its sdist/, which are affix-VERSION.tar.gz to package indexes
  affix-VERSION.spdx.json           bill of materials, SPDX 2.3
  affix-VERSION.intoto.json         statement of origin (in-toto v1, SLSA provenance v1), unsigned
  SHA256SUMS                        of all of the above; `sha256sum --check SHA256SUMS` verifies them
The same commit gives the same bytes, except for packages and wheels, which were built elsewhere.

Refuses a checkout with changes, a version that CHANGELOG.md or debian/changelog does not describe, and a tag that names
another commit, all in one report. --tag also creates the annotated tag vVERSION. --check only reports these faults.
--dry-run is for a version that is not described yet: CHANGELOG.md's section "Unreleased" describes it, and a note says
so. Publishes nothing.
"""

import argparse
import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

# Licence of each artefact that dictionaries/PROVENANCE.md names as a dictionary's source.
LICENCE_OF_SOURCE = {"quickfixj": "LicenseRef-QuickFIX", "fix-standard": "Apache-2.0"}

# Debian package with the development files of each library that affix can link, its name, and its licence.
LIBRARIES = [
    ("libpugixml-dev", "pugixml", "MIT"),
    ("libssl-dev", "OpenSSL", "Apache-2.0"),
    ("libcctz-dev", "cctz", "Apache-2.0"),
    ("liburing-dev", "liburing", "LGPL-2.1-or-later OR MIT"),
    ("nlohmann-json3-dev", "nlohmann-json", "MIT"),
    ("libcli11-dev", "CLI11", "BSD-3-Clause"),
    ("libcpp-httplib-dev", "cpp-httplib", "MIT"),
    ("libzstd-dev", "zstd", "BSD-3-Clause OR GPL-2.0-only"),
    ("zlib1g-dev", "zlib", "Zlib"),
]


def git(source, *arguments):
    return subprocess.run(["git", "-C", source, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def version_of(source):
    text = (source / "include/affix/base/version.hpp").read_text()
    return re.search(r'version = "([0-9.]+)"', text).group(1)


def is_described(source, title):
    return re.search(rf"^## {re.escape(title)}\b", (source / "CHANGELOG.md").read_text(), re.MULTILINE)


def faults_of(source, version, is_dry_run):
    """Every reason not to release this checkout."""
    faults = []
    changes = git(source, "status", "--porcelain")
    if changes:
        faults.append("the checkout has changes that no commit has:\n" + "\n".join("  " + line for line in changes.splitlines()))
    if not is_described(source, version) and not (is_dry_run and is_described(source, "Unreleased")):
        faults.append(f"CHANGELOG.md has no section '## {version}'")
    with open(source / "debian/changelog") as changelog:
        newest = changelog.readline().strip()
    if not newest.startswith(f"affix ({version}-"):
        faults.append(f"debian/changelog begins with '{newest}', not with {version}")
    tagged = subprocess.run(["git", "-C", source, "rev-parse", "--verify", "--quiet", f"v{version}^{{commit}}"],
                            capture_output=True, text=True).stdout.strip()
    if tagged and tagged != git(source, "rev-parse", "HEAD"):
        faults.append(f"the tag v{version} names another commit, {tagged[:12]}")
    return faults


def write_sources(source, output, version, when):
    """The tree of the commit; the compressed file carries no name and no time of its making."""
    tar = subprocess.run(["git", "-C", source, "archive", "--format=tar", f"--prefix=affix-{version}/", "HEAD"], check=True,
                         capture_output=True).stdout
    write_compressed(output / f"affix-{version}.tar.gz", tar, when)


def write_debian_source(output, version):
    """The Debian source package, of the sources just written: dpkg-source -x and dpkg-buildpackage build the packages of it."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copyfile(output / f"affix-{version}.tar.gz", Path(folder) / f"affix_{version}.orig.tar.gz")
        subprocess.run(["tar", "-xzf", output / f"affix-{version}.tar.gz", "-C", folder], check=True)
        subprocess.run(["dpkg-source", "--build", f"affix-{version}"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for path in Path(folder).glob("affix_*"):
            shutil.copyfile(path, output / path.name)


def write_compressed(path, data, when):
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=when) as packed:
        packed.write(data)


def write_amalgamation(source, output, version, when):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, source / "scripts/amalgamate.py", source, folder, version], check=True,
                       stdout=subprocess.DEVNULL)
        shutil.copyfile(source / "LICENSE", Path(folder) / "LICENSE")
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode="w", format=tarfile.PAX_FORMAT) as tar:
            for name in ["LICENSE", "affix.cpp", "affix.hpp", "affix_wire.hpp"]:
                entry = tarfile.TarInfo(f"affix-{version}-amalgamated/{name}")
                entry.size = (Path(folder) / name).stat().st_size
                entry.mtime = when
                with open(Path(folder) / name, "rb") as file:
                    tar.addfile(entry, file)
    write_compressed(output / f"affix-{version}-amalgamated.tar.gz", data.getvalue(), when)


def python_files_of(place, version):
    """{name in the release: path}; the sources have the name that the release's own sources have, so they take another."""
    files = {path.name: path for path in sorted(place.glob(f"wheels/affix-{version}-*.whl"))}
    files |= {f"affix-{version}-python.tar.gz": path for path in place.glob(f"sdist/affix-{version}.tar.gz")}
    return files


def sha256_of(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def version_of_package(name):
    """Version of a Debian package on this machine; none where it is not installed."""
    answer = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True)
    return answer.stdout if answer.returncode == 0 and answer.stdout else None


def bill_of_materials(source, output, version, commit, when):
    """SPDX 2.3: affix, the files of the release, the dictionaries, and the libraries that a build can link."""
    packages, relations, documents = [], [], []

    def add(identifier, name, licence, relation, **further):
        packages.append({"SPDXID": f"SPDXRef-{identifier}", "name": name, "downloadLocation": "NOASSERTION",
                         "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
                         "copyrightText": "NOASSERTION", **further})
        relations.append({"spdxElementId": relation[0], "relationshipType": relation[1],
                          "relatedSpdxElement": f"SPDXRef-{identifier}"})

    add("affix", "affix", "MIT", ("SPDXRef-DOCUMENT", "DESCRIBES"), versionInfo=version,
        sourceInfo=f"git commit {commit}", supplier="Organization: The affix project")
    for path in sorted(source.glob("dictionaries/*.xml")):
        add(f"dictionary-{path.stem}", path.name, licence_of_dictionary(source, path.name), ("SPDXRef-affix", "CONTAINS"),
            checksums=[{"algorithm": "SHA256", "checksumValue": sha256_of(path)}])
    whole = " AND ".join(sorted({package["licenseDeclared"] for package in packages}))
    for package, name, licence in LIBRARIES:
        found = version_of_package(package)
        add(f"library-{name}", name, licence, ("SPDXRef-affix", "DEPENDS_ON"),
            **({"versionInfo": found,
                "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                  "referenceLocator": f"pkg:deb/debian/{package}@{found}"}]} if found else {}))
    for path in sorted(output.iterdir()):
        # The dictionaries, or messages generated from them, are in every file but the two of the amalgamation.
        licence = "MIT" if path.name.endswith("-amalgamated.tar.gz") else whole
        add("file-" + re.sub(r"[^A-Za-z0-9.-]", "-", path.name), path.name, licence, ("SPDXRef-affix", "GENERATES"),
            packageFileName=path.name, checksums=[{"algorithm": "SHA256", "checksumValue": sha256_of(path)}])
    documents.append({"licenseId": "LicenseRef-QuickFIX", "name": "QuickFIX Software License",
                      "extractedText": (source / "dictionaries/LICENSE.QuickFIX").read_text()})
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"affix-{version}",
            "documentNamespace": f"https://affix.invalid/spdx/{version}/{commit}",
            "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when)),
                             "creators": ["Tool: scripts/make_release.py"]},
            "packages": packages, "relationships": relations, "hasExtractedLicensingInfos": documents}


def licence_of_dictionary(source, dictionary):
    """The SPDX name of a dictionary's licence, from the row of PROVENANCE.md that names its source."""
    for line in (source / "dictionaries/PROVENANCE.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 2 and cells[1] == f"`{dictionary}`":
            return LICENCE_OF_SOURCE[cells[2].split()[0]]
    raise SystemExit(f"make_release: dictionaries/PROVENANCE.md names no source of {dictionary}")


def statement_of_origin(output, version, commit, when):
    """An in-toto statement with SLSA's provenance: which bytes came from which commit by which command."""
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when))
    return {"_type": "https://in-toto.io/Statement/v1",
            "subject": [{"name": path.name, "digest": {"sha256": sha256_of(path)}} for path in sorted(output.iterdir())],
            "predicateType": "https://slsa.dev/provenance/v1",
            "predicate": {
                "buildDefinition": {
                    "buildType": "https://affix.invalid/dev-release/v1",
                    "externalParameters": {"command": "./dev release", "version": version},
                    "resolvedDependencies": [{"uri": "git+https://affix.invalid/affix", "digest": {"gitCommit": commit}}]},
                "runDetails": {"builder": {"id": "https://affix.invalid/dev-release/local"},
                               "metadata": {"startedOn": moment}}}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--packages", type=Path, metavar="DIRECTORY", help="Debian packages to add")
    parser.add_argument("--static", type=Path, metavar="DIRECTORY", help="archives of static programs to add")
    parser.add_argument("--python", type=Path, metavar="DIRECTORY", help="what `./dev python` built, to add")
    parser.add_argument("--tag", action="store_true", help="create the tag vVERSION as well")
    parser.add_argument("--check", action="store_true", help="only report what forbids a release; OUTPUT is left alone")
    parser.add_argument("--dry-run", action="store_true", help="CHANGELOG.md may describe the version as unreleased")
    arguments = parser.parse_args()
    source, output = arguments.source.resolve(), arguments.output.resolve()

    version = version_of(source)
    faults = faults_of(source, version, arguments.dry_run)
    packages = []
    if arguments.packages:
        packages = sorted(arguments.packages.glob("*.deb"))
        if not packages:
            faults.append(f"{arguments.packages} holds no Debian package")
    archives = []
    if arguments.static:
        archives = sorted(arguments.static.glob(f"affix-{version}-linux-*.tar.gz"))
        if not archives:
            faults.append(f"{arguments.static} holds no static program of {version}")
    python_files = {}
    if arguments.python:
        python_files = python_files_of(arguments.python, version)
        for ending, what in ((".whl", "wheel"), (".tar.gz", "sdist")):
            if not any(name.endswith(ending) for name in python_files):
                faults.append(f"{arguments.python} holds no {what} of {version}")
    if not arguments.check and output.exists() and any(output.iterdir()):
        faults.append(f"{output} is not empty")
    if faults:
        for fault in faults:
            print(f"make_release: {fault}", file=sys.stderr)
        return 1
    if not is_described(source, version):
        print(f"make_release: before the release, '## Unreleased' of CHANGELOG.md becomes '## {version}'")
    if arguments.check:
        return 0

    commit = git(source, "rev-parse", "HEAD")
    when = int(git(source, "log", "-1", "--format=%ct"))
    output.mkdir(parents=True, exist_ok=True)
    write_sources(source, output, version, when)
    write_amalgamation(source, output, version, when)
    write_debian_source(output, version)
    for path in packages + archives:
        shutil.copyfile(path, output / path.name)
    for name, path in python_files.items():
        shutil.copyfile(path, output / name)
    bill = bill_of_materials(source, output, version, commit, when)
    (output / f"affix-{version}.spdx.json").write_text(json.dumps(bill, indent=1) + "\n")
    origin = statement_of_origin(output, version, commit, when)
    (output / f"affix-{version}.intoto.json").write_text(json.dumps(origin, indent=1) + "\n")
    sums = "".join(f"{sha256_of(path)}  {path.name}\n" for path in sorted(output.iterdir()))
    (output / "SHA256SUMS").write_text(sums)
    if arguments.tag:
        git(source, "tag", "--annotate", "--message", f"affix {version}", f"v{version}")
    print(f"affix {version} of commit {commit[:12]}, in {output}:")
    print(sums, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
