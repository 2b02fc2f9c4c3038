# SPDX-License-Identifier: MIT
"""Packages and sources of a release of Debian for any processor, by an apt of our own that leaves this machine's alone.

apt checks the signature of the release, and by it the checksum of each file.
"""

import os

from wheels.environments import run

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
CONFIGURATION = """
Dir::State "{place}/state";
Dir::State::status "{place}/status";
Dir::Cache "{place}/cache";
Dir::Etc::SourceList "{place}/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
APT::Architecture "{architecture}";
APT::Architectures {{ "{architecture}"; }};
APT::Sandbox::User "root";
"""


def mirrors():
    """{"": address, "-security": address} of the archives from which this machine has its own packages."""
    with open("/etc/os-release") as release:
        codename = next((line.split("=")[1].strip() for line in release if line.startswith("VERSION_CODENAME=")), "")
    found = {}
    for line in run("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)",
                    "Created-By: Packages").splitlines():
        address, release, component = line.split()
        for part in ("", "-security"):
            if release == codename + part and component == "main":
                found.setdefault(part, address)
    if set(found) != {"", "-security"}:
        raise SystemExit("wheels are built on Debian: apt knows no archive of this release and its security updates")
    return found


class Debian:
    """One release for one processor, in `place`."""

    def __init__(self, place, release, processor):
        self.place = place
        for folder in ("state/lists/partial", "cache/archives/partial"):
            (place / folder).mkdir(parents=True, exist_ok=True)
        (place / "status").touch()
        (place / "sources.list").write_text("".join(
            f"{kind} [signed-by={KEYRING}] {address} {release}{part} main\n"
            for part, address in mirrors().items() for kind in ("deb", "deb-src")))
        (place / "apt.conf").write_text(CONFIGURATION.format(place=place, architecture=ARCHITECTURES[processor]))
        self.environ = {**os.environ, "APT_CONFIG": str(place / "apt.conf")}
        run("apt-get", "update", "--error-on=any", env=self.environ)

    def unpack_packages(self, target, *names):
        """Unpacks these packages, without what they depend on, as they would be installed in a root at `target`.

        Returns {name: version}.
        """
        place = self.place / "packages"
        place.mkdir(exist_ok=True)
        run("apt-get", "download", *names, cwd=place, env=self.environ)
        return self._unpack(place, target)

    def unpack_closure(self, target, *names):
        """The same with what they depend on."""
        run("apt-get", "install", "--download-only", "--yes", "--no-install-recommends", *names, env=self.environ)
        self._unpack(self.place / "cache" / "archives", target)
        if not (target / "lib").exists():
            (target / "lib").symlink_to("usr/lib")  # From Debian 13 on no package has it.

    @staticmethod
    def _unpack(place, target):
        target.mkdir(parents=True, exist_ok=True)
        versions = {}
        for package in sorted(place.glob("*.deb")):
            run("dpkg-deb", "--extract", package, target)
            name, version = run("dpkg-deb", "--show", "--showformat", "${Package} ${Version}", package).split()
            versions[name] = version
        return versions

    def unpack_source(self, target, name):
        """Unpacks the sources of a package, with Debian's changes, as `target`. Returns their version."""
        target.parent.mkdir(parents=True, exist_ok=True)
        place = self.place / "sources"
        place.mkdir(exist_ok=True)
        run("apt-get", "source", "--download-only", "--only-source", name, cwd=place, env=self.environ)
        (description,) = place.glob(f"{name}_*.dsc")
        run("dpkg-source", "--extract", description, target)
        return next(line.split()[1] for line in description.read_text().splitlines() if line.startswith("Version:"))

    def unpack_upstream(self, target, name):
        """Unpacks the sources of a package as upstream has them, without Debian's changes, as `target`."""
        place = self.place / "upstream"
        place.mkdir(exist_ok=True)
        run("apt-get", "source", "--download-only", "--only-source", "--tar-only", name, cwd=place, env=self.environ)
        (archive,) = place.glob(f"{name}_*.orig.tar.*")
        unpacked = place / name
        unpacked.mkdir()
        run("tar", "--extract", "--file", archive, "--directory", unpacked)
        # Most archives have one folder, others the files themselves.
        inside = list(unpacked.iterdir())
        target.parent.mkdir(parents=True, exist_ok=True)
        (inside[0] if len(inside) == 1 else unpacked).rename(target)
