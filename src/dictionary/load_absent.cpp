// SPDX-License-Identifier: MIT
// Answers in a build without an XML library. Empty in every other.
#include "affix/dictionary/load.hpp"
#include "affix/dictionary/workflow.hpp"

namespace affix::inline v0::dictionary {

#ifndef AFFIX_XML

Loaded load_text(std::string_view /*text*/, const LoadLimits& /*limits*/) {
  Loaded loaded;
  loaded.problems.push_back({Severity::Error,
                             0,
                             {},
                             "this build reads no dictionaries (it was made without pugixml)",
                             "D101"});
  return loaded;
}

Loaded load(const std::string& /*path*/, const LoadLimits& limits) {
  return load_text({}, limits);
}

const WorkflowMessage* Workflow::find(std::string_view /*name*/,
                                      std::string_view /*scenario*/) const {
  return nullptr;
}

LoadedWorkflow load_workflow_text(std::string_view text, const LoadLimits& limits) {
  return {.problems = load_text(text, limits).problems};
}

LoadedWorkflow load_workflow(const std::string& /*path*/, const LoadLimits& limits) {
  return load_workflow_text({}, limits);
}

#endif

}  // namespace affix::inline v0::dictionary
