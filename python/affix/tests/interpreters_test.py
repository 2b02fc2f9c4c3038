# SPDX-License-Identifier: MIT
"""Several interpreters in one process: the package is for the first one, and says so to the others."""

import sys

import pytest

interpreters = pytest.importorskip("_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters")

PROGRAM = """
try:
    import affix
    said = "imported"
except ImportError as error:
    said = str(error)
with open({path!r}, "w") as file:
    file.write(said)
"""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="interpreters share their lock before CPython 3.12")
def test_another_interpreter_refuses_the_import(tmp_path):
    path = tmp_path / "said.txt"
    run = interpreters.exec if sys.version_info >= (3, 13) else interpreters.run_string
    other = interpreters.create()
    try:
        run(other, PROGRAM.format(path=str(path)))
    finally:
        interpreters.destroy(other)
    assert "does not support loading in subinterpreters" in path.read_text()
