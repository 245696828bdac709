#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/commands/commands.h"
#include "config/config.h"
#include "core/expected.h"
#include "core/label_selector.h"
#include "store/records.h"

namespace bindery {

/// All of the label selectors, those of -l.
[[nodiscard]] Expected<LabelSelector> SelectorOf(const std::vector<std::string>& texts);

/// The names that a changing command is for: as given, or those in the store that the labels choose
/// (all with --all) and `wanted` lets through, by name. kInvalidArgument when nothing was chosen,
/// or in two ways; kNotFound when labels choose none of all resources there are.
[[nodiscard]] Expected<std::vector<std::string>> ChosenNames(
    const Config& config, const ChosenResources& chosen,
    const std::function<bool(const ResourceRecord&)>& wanted);

}  // namespace bindery
