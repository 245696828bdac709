#include "app/commands/selection.h"

#include <algorithm>
#include <utility>

#include "app/shell/common.h"
#include "report/text/json_fields.h"

namespace bindery::app {
namespace {

Expected<void> CheckChoice(const ChosenResources& chosen) {
  const int ways =
      (chosen.names.empty() ? 0 : 1) + (chosen.labels.empty() ? 0 : 1) + (chosen.all ? 1 : 0);
  if (ways == 1) return {};
  return Fail(Code::kInvalidArgument,
              ways == 0 ? "which resources? Name them, choose them by label (-l), or all of them "
                          "(--all)"
                        : "names, -l and --all are three ways to choose resources: use one");
}

std::string CommaSeparated(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ",") + text;
  return joined;
}

}  // namespace

void AddChoice(const Command& command, ChosenResources& chosen) {
  command->add_option("name", chosen.names, "Resources")->type_name(kResourceType);
  command.Labels(chosen.labels);
  command->add_flag("--all", chosen.all, "All resources");
  command.Output({"text", "json", "yaml"});
}

Expected<LabelSelector> MakeSelector(const std::vector<std::string>& texts) {
  LabelSelector selector;
  for (const std::string& text : texts) {
    auto one = LabelSelector::Parse(text);
    if (!one) return Fail(one.error().Wrap("-l"));
    selector.Add(std::move(*one));
  }
  return selector;
}

Expected<std::vector<std::string>> ChosenNames(
    const config::Config& config, const ChosenResources& chosen,
    const std::function<bool(const store::ResourceRecord&)>& wanted) {
  if (auto choice = CheckChoice(chosen); !choice) return Fail(choice.error());
  if (!chosen.names.empty()) return chosen.names;
  const auto selector = MakeSelector(chosen.labels);
  if (!selector) return Fail(selector.error());
  const auto store = OpenForReading(config);
  if (!store) return Fail(store.error());
  std::vector<std::string> names;
  bool any = false;
  auto read = (*store)->ReadResources([&](store::ResourceRecord&& record) {
    // A former claim of a resource, "name (before generation 2)", goes with the resource.
    if (record.name.find(' ') != std::string::npos) return;
    if (!selector->Matches(report::ObjectFromText(record.labels))) return;
    any = true;
    if (wanted(record)) names.push_back(std::move(record.name));
  });
  if (!read) return Fail(read.error());
  if (!any) {
    return Fail(Code::kNotFound,
                chosen.all ? std::string("there are no resources")
                           : "no resource has labels as in -l " + CommaSeparated(chosen.labels));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace bindery::app
