// SPDX-License-Identifier: MIT
// Generates all headers from a dictionary.
#include "codegen/generate.hpp"

#include "codegen/emit.hpp"
#include "codegen/merge.hpp"
#include "codegen/naming.hpp"
#include "codegen/plan.hpp"

#include <algorithm>
#include <expected>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::codegen {

namespace {

std::expected<Plan, base::Error> plan_for(const dictionary::Dictionary& dictionary,
                                          const dictionary::Dictionary* transport,
                                          const std::string& name_space) {
  if (!is_namespace(name_space)) {
    return std::unexpected(base::Error{
        base::ErrorCode::InvalidArgument,
        "is not a namespace: it must be identifiers with :: between them", name_space, "D126"});
  }
  if (transport != nullptr && transport->version().is_known() &&
      !transport->version().is_transport) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                       "is not a transport dictionary: it must be that of FIXT.1.1",
                                       transport->version().name(), "D126"});
  }
  Plan plan =
      make_plan(transport != nullptr ? merge(dictionary, *transport) : dictionary, name_space);
  if (transport != nullptr) {
    // FIXT carries messages of earlier versions too, which then do not use their own BeginString.
    plan.begin_string = "FIXT.1.1";
  }
  return plan;
}

}  // namespace

std::expected<std::vector<GeneratedFile>, base::Error> generate(
    const dictionary::Dictionary& dictionary, const dictionary::Dictionary* transport,
    const GenerateOptions& options) {
  const auto plan = plan_for(dictionary, transport, options.name_space);
  if (!plan) {
    return std::unexpected(plan.error());
  }
  Files files;
  emit_fields(*plan, files);
  emit_components(*plan, files);
  emit_groups(*plan, files);
  emit_header(*plan, files);
  emit_messages(*plan, files);
  emit_dispatch(*plan, files);
  emit_instantiations(*plan, files);
  if (options.exercise) {
    emit_exercise(*plan, files);
  }
  std::ranges::sort(files, {}, &GeneratedFile::path);
  emit_version(*plan, files);
  return files;
}

std::expected<std::vector<GeneratedFile>, base::Error> message_pages(
    const dictionary::Dictionary& dictionary, const dictionary::Dictionary* transport,
    const std::string& name_space) {
  const auto plan = plan_for(dictionary, transport, name_space);
  if (!plan) {
    return std::unexpected(plan.error());
  }
  Files files;
  emit_pages(*plan, files);
  std::ranges::sort(files, {}, &GeneratedFile::path);
  return files;
}

std::string version_header(std::string_view name_space) {
  std::string path;
  for (const char c : name_space) {
    if (c != ':') {
      path += c;
    } else if (!path.ends_with('/')) {
      path += '/';
    }
  }
  return path + "/version.hpp";
}

}  // namespace affix::inline v0::tools::codegen
