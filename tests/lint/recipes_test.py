#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The recipes for package managers say what the build says, and keep the rules of their formats.

vcpkg's are those of its manifest: names are lower-case words joined by hyphens and no reserved ones, a port has exactly one
version field, every feature is described, default features exist, and a dependency is a name or an object with one.
"""

import ast
import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PORT = ROOT / "packaging" / "vcpkg" / "ports" / "affix"
CONAN = ROOT / "packaging" / "conan" / "conanfile.py"
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
PORT_KEYS = {"name", "version", "port-version", "description", "homepage", "license", "supports", "dependencies",
             "default-features", "features"}
DEPENDENCY_KEYS = {"name", "host", "features", "default-features", "platform", "version>="}


def project_version():
    header = (ROOT / "include/affix/base/version.hpp").read_text()
    return re.search(r'version = "([^"]+)"', header).group(1)


def layers_of_build():
    """Layer -> those it uses, as CMakeLists.txt declares them."""
    text = (ROOT / "CMakeLists.txt").read_text()
    found = {}
    for name, rest in re.findall(r"^ *affix_layer\(\s*(\w+)([^)]*)\)", text, re.MULTILINE):
        uses = re.search(r"\bUSES((?:\s+[a-z]\w*)*)", rest)
        found[name] = sorted(uses.group(1).split()) if uses else []
    return found


def options_of_build():
    return set(re.findall(r"^option\((AFFIX_\w+)", (ROOT / "cmake" / "affix_options.cmake").read_text(), re.MULTILINE))


class Versions(unittest.TestCase):
    def test_the_python_package_has_the_project_s(self):
        package = ROOT / "python" / "affix-admin"
        for path, pattern in ((package / "pyproject.toml", r'^version = "([^"]+)"'),
                              (package / "affix_admin/__init__.py", r'^__version__ = "([^"]+)"')):
            self.assertEqual(re.search(pattern, path.read_text(), re.MULTILINE).group(1), project_version(), path)


class Vcpkg(unittest.TestCase):
    def setUp(self):
        self.port = json.loads((PORT / "vcpkg.json").read_text())

    def check_dependencies(self, dependencies):
        for dependency in dependencies:
            if isinstance(dependency, dict):
                self.assertLessEqual(set(dependency), DEPENDENCY_KEYS)
                dependency = dependency["name"]
            self.assertRegex(dependency, f"^{NAME.pattern}$")

    def test_manifest_keeps_the_rules(self):
        self.assertLessEqual(set(self.port), PORT_KEYS)
        self.assertEqual(self.port["name"], PORT.name)
        self.assertRegex(self.port["version"], r"^\d+(\.\d+)*$")
        self.check_dependencies(self.port["dependencies"])
        self.assertLessEqual(set(self.port["default-features"]), set(self.port["features"]))
        for name, feature in self.port["features"].items():
            self.assertRegex(name, f"^{NAME.pattern}$")
            self.assertNotIn(name, ("core", "default"))
            self.assertTrue(feature["description"])
            self.check_dependencies(feature["dependencies"])

    def test_version_is_the_project_s(self):
        self.assertEqual(self.port["version"], project_version())

    def test_portfile_maps_features_to_options_of_the_build(self):
        portfile = (PORT / "portfile.cmake").read_text()
        mapped = dict(re.findall(r"^ +([a-z-]+) +(AFFIX_\w+)$", portfile, re.MULTILINE))
        self.assertEqual(set(mapped) | {"generator"}, set(self.port["features"]))
        self.assertLessEqual(set(mapped.values()), options_of_build())
        for licence in re.findall(r"\$\{SOURCE_PATH\}/([\w./-]+)\"", portfile):
            self.assertTrue((ROOT / licence).is_file(), licence)

    def test_usage_is_there(self):
        self.assertIn("find_package(affix CONFIG REQUIRED", (PORT / "usage").read_text())


class Conan(unittest.TestCase):
    def setUp(self):
        self.text = CONAN.read_text()
        module = ast.parse(self.text)
        values = {node.targets[0].id: node.value for node in module.body
                  if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)}
        self.layers = ast.literal_eval(values["LAYERS"])

    def test_layers_are_those_of_the_build(self):
        self.assertEqual({name: sorted(below) for name, (below, _) in self.layers.items()}, layers_of_build())

    def test_options_are_those_of_the_build(self):
        self.assertLessEqual(set(re.findall(r'cache_variables\["(AFFIX_\w+)"\]', self.text)), options_of_build())

    def test_exported_folders_exist(self):
        folders = re.search(r"for folder in (\(.*?\)):", self.text).group(1)
        for folder in ast.literal_eval(folders):
            self.assertTrue((ROOT / folder).is_dir(), folder)


if __name__ == "__main__":
    unittest.main()
