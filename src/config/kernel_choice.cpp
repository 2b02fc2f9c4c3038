// SPDX-License-Identifier: MIT
// Chooses the named kernel, or the best one; without a name, the session's AVX2 setting counts.
#include "config/kernel_choice.hpp"

#include "affix/base/assert.hpp"
#include "affix/base/text.hpp"
#include "affix/wire/kernel.hpp"

#include "config/key_tables.hpp"

#include <algorithm>

namespace affix::inline v0::config {

namespace {

bool is_below_avx2(wire::Kernel kernel) noexcept {
  return kernel == wire::Kernel::Scalar || kernel == wire::Kernel::Sse42;
}

/// The kernel of that name, if this build and this machine can run it.
std::expected<wire::Kernel, wire::KernelError> usable_kernel(const std::string& name) {
  auto kernel = wire::kernel_of(base::lowered(name));
  if (kernel && !wire::kernel_available(*kernel)) {
    return std::unexpected(wire::KernelError::Unavailable);
  }
  return kernel;
}

}  // namespace

std::optional<Finding> kernel_fault(const EngineSettings& settings) {
  if (settings.kernel == KernelChoice::Auto) {
    return std::nullopt;
  }
  const std::string name = value_text("kernel", settings);
  const auto kernel = usable_kernel(name);
  if (kernel) {
    return std::nullopt;
  }
  return Finding{.kind = GroupKind::Engine,
                 .group = "ENGINE",
                 .key = "kernel",
                 .message = wire::to_text(kernel.error()),
                 .where = "[ENGINE] kernel=" + name,
                 .code = kernel.error() == wire::KernelError::UnknownName
                             ? base::MessageCode("J108")
                             : base::MessageCode("J109"),
                 .error = base::ErrorCode::Unsupported};
}

Problems choose_kernel(const Configuration& configuration) {
  const std::string name = value_text("kernel", configuration.engine);
  const bool named = configuration.engine.kernel != KernelChoice::Auto;
  if (named) {
    const auto kernel = usable_kernel(name);
    AFFIX_ASSERT(kernel.has_value());
    static_cast<void>(wire::force_kernel(*kernel));
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
         "enable_simd_avx2 has no effect: kernel=" + name + " decides for all sessions",
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
