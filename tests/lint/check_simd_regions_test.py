# SPDX-License-Identifier: MIT
"""check_simd_regions.py against objects compiled here: AVX2 in a kernel passes, elsewhere or in a weak function it fails, and so
does a multiplication of 512 bits."""

import platform
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/check_simd_regions.py"
SUM = """{
  __m256i sum = _mm256_setzero_si256();
  for (int at = 0; at < 64; at += 8) sum = _mm256_add_epi32(sum, _mm256_loadu_si256((const __m256i*)(from + at)));
  _mm256_storeu_si256((__m256i*)to, sum);
}
"""
AVX2 = "#include <immintrin.h>\n__attribute__((target(\"avx2\"))) "
STRONG = AVX2 + "void strong(const int* from, int* to) " + SUM
WEAK = AVX2 + "inline __attribute__((noinline)) void weak(const int* from, int* to) " + SUM + \
    "void (*keep)(const int*, int*) = &weak;\n"
MULTIPLIES = """#include <immintrin.h>
__attribute__((target("avx512f,avx512bw"))) void work(const __m%(bits)di* from, __m%(bits)di* to) {
  *to = _mm%(prefix)s_madd_epi16(from[0], from[1]);
}
"""


@unittest.skipUnless(platform.machine() == "x86_64", "the registers looked for are x86-64's")
class CheckSimdRegions(unittest.TestCase):
    def check(self, name, code):
        with tempfile.TemporaryDirectory() as folder:
            source, archive = Path(folder) / f"{name}.cpp", Path(folder) / "library.a"
            source.write_text(code)
            subprocess.run(["g++", "-O2", "-c", source, "-o", f"{source}.o"], check=True)
            subprocess.run(["ar", "rc", archive, f"{source}.o"], check=True)
            run = subprocess.run([sys.executable, str(SCRIPT), str(archive)], capture_output=True, text=True, check=False)
            return run.returncode, run.stdout

    def test_a_kernel_may(self):
        code, output = self.check("kernel_avx2", STRONG)
        self.assertEqual(code, 0, output)
        self.assertIn("1 kernels", output)

    def test_nothing_else_may(self):
        code, output = self.check("encoder", STRONG)
        self.assertEqual(code, 1, output)
        self.assertIn("uses wide registers, but is no kernel", output)

    def test_a_weak_function_of_a_kernel_may_not(self):
        code, output = self.check("kernel_avx2", WEAK)
        self.assertEqual(code, 1, output)
        self.assertIn("is a weak function of a kernel", output)

    def test_a_kernel_multiplies_256_bits_at_most(self):
        code, output = self.check("kernel_avx512", MULTIPLIES % {"bits": 256, "prefix": "256"})
        self.assertEqual(code, 0, output)
        code, output = self.check("kernel_avx512", MULTIPLIES % {"bits": 512, "prefix": "512"})
        self.assertEqual(code, 1, output)
        self.assertIn("multiplies 512 bits at once", output)


if __name__ == "__main__":
    unittest.main()
