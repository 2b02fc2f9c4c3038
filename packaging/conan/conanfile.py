# SPDX-License-Identifier: MIT
"""Recipe of affix for Conan 2, of the tree it lies in: `conan create packaging/conan`.

Each library that affix can do without is an option. Programs and tests are left out: this is what an application links.
"""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

required_conan_version = ">=2.0"

# Layer -> the layers below it, and the option (none: always) and the component of each foreign library.
LAYERS = {
    "base": ([], []),
    "os": (["base"], []),
    "wire": (["base"], []),
    "dictionary": (["wire", "base"], [("with_xml", "pugixml::pugixml")]),
    "messages": (["wire", "base"], []),
    "session": (["wire", "base"], []),
    "journal": (["os", "base"], []),
    "net": (["os", "base"], [("with_io_uring", "liburing::liburing")]),
    "keeper": (["net", "os", "base"], []),
    "replication": (["journal", "net", "os", "base"], []),
    "tls": (["net", "os", "base"], [("with_tls", "openssl::openssl")]),
    "config": (["tls", "net", "journal", "session", "dictionary", "wire", "os", "base"],
               [("with_time_zones", "cctz::cctz")]),
    "counters": (["net", "session", "os", "base"], []),
    "host": (["counters", "config", "replication", "net", "journal", "session", "dictionary", "wire", "os", "base"], []),
    "engine": (["host", "keeper", "counters", "config", "tls", "replication", "net", "journal", "session", "dictionary", "wire", "os",
                "base"], []),
    "admin": (["engine", "host", "keeper", "counters", "config", "tls", "replication", "net", "journal", "session", "dictionary", "wire",
               "os", "base"], [("", "nlohmann_json::nlohmann_json")]),
    "service": (["admin", "engine", "host", "keeper", "counters", "config", "tls", "replication", "net", "journal", "session", "dictionary",
                 "wire", "os", "base"], [("", "nlohmann_json::nlohmann_json")]),
    "certify": (["net", "dictionary", "wire", "os", "base"], []),
    "testing": (["replication", "session", "journal", "net", "wire", "os", "base"], []),
}


class AffixRecipe(ConanFile):
    name = "affix"
    description = "A low-latency FIX engine: codec, session protocol, durable journal, network runtime"
    license = ("MIT", "Apache-2.0", "LicenseRef-QuickFIX")  # The last two are those of the dictionaries.
    topics = ("fix", "trading", "low-latency")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "with_xml": [True, False], "with_tls": [True, False],
               "with_time_zones": [True, False], "with_io_uring": [True, False]}
    default_options = {"shared": False, "fPIC": True, "with_xml": True, "with_tls": True, "with_time_zones": True,
                       "with_io_uring": True}

    @property
    def tree(self):
        return os.path.join(self.recipe_folder, os.pardir, os.pardir)

    def set_version(self):
        header = load(self, os.path.join(self.tree, "include/affix/base/version.hpp"))
        self.version = re.search(r'version = "([0-9.]+)"', header).group(1)

    def export_sources(self):
        for part in ("CMakeLists.txt", "LICENSE"):
            copy(self, part, self.tree, self.export_sources_folder)
        for folder in ("cmake", "dictionaries", "include", "scripts", "src", "tools"):
            copy(self, "*", os.path.join(self.tree, folder), os.path.join(self.export_sources_folder, folder))

    def configure(self):
        if self.options.shared:
            self.options.rm_safe("fPIC")

    def validate(self):
        check_min_cppstd(self, 23)
        if self.settings.os != "Linux":
            from conan.errors import ConanInvalidConfiguration
            raise ConanInvalidConfiguration("affix runs on Linux only")

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("nlohmann_json/3.11.3")
        if self.options.with_xml:
            self.requires("pugixml/1.14")
        if self.options.with_tls:
            self.requires("openssl/[>=3 <4]")
        if self.options.with_time_zones:
            self.requires("cctz/2.4")
        if self.options.with_io_uring:
            self.requires("liburing/2.6")

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["AFFIX_DEVELOPER_MODE"] = False
        # The generator is a program; one that the machine's CLI11 would allow is not built by chance.
        toolchain.cache_variables["CMAKE_DISABLE_FIND_PACKAGE_CLI11"] = True
        toolchain.cache_variables["AFFIX_XML"] = bool(self.options.with_xml)
        toolchain.cache_variables["AFFIX_TLS"] = bool(self.options.with_tls)
        toolchain.cache_variables["AFFIX_TIME_ZONES"] = bool(self.options.with_time_zones)
        toolchain.cache_variables["AFFIX_IO_URING"] = bool(self.options.with_io_uring)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "LICENSE.*", os.path.join(self.source_folder, "dictionaries"),
             os.path.join(self.package_folder, "licenses"))
        # Conan writes these files itself, from package_info.
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "affix")
        self.cpp_info.set_property("cmake_target_name", "affix::affix")
        self.cpp_info.set_property("pkg_config_name", "affix")
        for layer, (below, foreign) in LAYERS.items():
            component = self.cpp_info.components[layer]
            component.set_property("cmake_target_name", f"affix::{layer}")
            component.set_property("pkg_config_name", f"affix-{layer}")
            component.libs = [f"affix_{layer}"]
            component.requires = below + [library for option, library in foreign
                                          if not option or self.options.get_safe(option)]
            if layer in ("engine", "service"):
                component.system_libs = ["pthread"]
