// SPDX-License-Identifier: MIT
// Chooses the named kernel, or the best one; without a name, the session's AVX2 setting counts.
#include "config/kernel_choice.hpp"

#include "affix/wire/kernel.hpp"

#include "config/key_tables.hpp"
#include "config/list_text.hpp"

#include <algorithm>

namespace affix::inline v0::config {

namespace {

bool is_below_avx2(wire::Kernel kernel) noexcept {
  return kernel == wire::Kernel::Scalar || kernel == wire::Kernel::Sse42;
}

std::expected<void, base::Error> use_named(const std::string& name) {
  const auto kernel = wire::kernel_of(lowered(name));
  const auto used = kernel ? wire::force_kernel(*kernel) : std::unexpected(kernel.error());
  if (!used) {
    return std::unexpected(base::Error{
        base::ErrorCode::Unsupported, wire::to_text(used.error()), "[ENGINE] kernel=" + name,
        kernel ? base::MessageCode("J109") : base::MessageCode("J108")});
  }
  return {};
}

}  // namespace

std::expected<Problems, base::Error> choose_kernel(const Configuration& configuration) {
  const std::string name = value_text("kernel", configuration.engine);
  const bool named = configuration.engine.kernel != KernelChoice::Auto;
  if (named) {
    if (auto used = use_named(name); !used) {
      return std::unexpected(std::move(used.error()));
    }
  }
  Problems warnings;
  const bool wants_avx2 =
      std::ranges::any_of(configuration.sessions, &SessionSettings::enable_simd_avx2);
  if (!wants_avx2 || !is_below_avx2(wire::active_kernel())) {
    return warnings;
  }
  if (named) {
    warnings.push_back(
        {base::ErrorCode::InvalidArgument,
         "enable_simd_avx2 has no effect: kernel=" + name + " is what all sessions use",
         {},
         "E108"});
  } else if (!wire::force_kernel(wire::Kernel::Avx2)) {
    warnings.push_back({base::ErrorCode::Unsupported,
                        std::string("enable_simd_avx2 has no effect: this CPU or this build has no "
                                    "AVX2, and the kernel in use is ") +
                            wire::to_text(wire::active_kernel()),
                        {},
                        "E108"});
  }
  return warnings;
}

}  // namespace affix::inline v0::config
