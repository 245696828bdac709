#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/command_line.h"
#include "config/config.h"
#include "core/base/expected.h"
#include "core/settings/label_selector.h"
#include "store/ports/records.h"

namespace bindery::app {

/// The resources of a changing command, in one of three ways.
struct ChosenResources {
  std::vector<std::string> names;
  std::vector<std::string> labels;  ///< As LabelSelector reads them.
  bool all = false;
  bool now = false;  ///< Removals do not wait for the directory to settle.
};

/// The arguments and options that choose resources, and -o.
void AddChoice(const Command& command, ChosenResources& chosen);

/// All label selectors of -l, joined.
[[nodiscard]] Expected<LabelSelector> MakeSelector(const std::vector<std::string>& texts);

/// The names that a changing command is for: as given, or those in the store that the labels choose
/// (all with --all) and `wanted` lets through, by name. kInvalidArgument when nothing was chosen,
/// or in two ways; kNotFound when labels choose none of all resources there are.
[[nodiscard]] Expected<std::vector<std::string>> ChosenNames(
    const config::Config& config, const ChosenResources& chosen,
    const std::function<bool(const store::ResourceRecord&)>& wanted);

}  // namespace bindery::app
