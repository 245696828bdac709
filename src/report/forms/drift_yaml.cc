#include <string>
#include <string_view>

#include "report/forms/drift_forms.h"
#include "report/values/drift_items.h"
#include "yaml/node.h"

namespace bindery::report {

/// Member after member, the items singly.
Expected<void> WriteDriftYaml(DriftDocument& document, const DriftWriting& /*writing*/,
                              const TextSink& out) {
  constexpr std::string_view kItems = "items";
  const Json head = WithoutItems(document);
  for (const auto& [name, value] : head.items()) {
    if (name != kItems || document.entries().empty()) {
      out(yaml::ToYaml({{name, value}}));
      continue;
    }
    bool first = true;
    auto written = document.Each(document.entries(), [&](const DriftReportItem& item) {
      const std::string text = yaml::ToYaml({{std::string(kItems), Json::array({ToJson(item)})}});
      // The name stands before the first line.
      out(first ? text : std::string_view(text).substr(text.find('\n') + 1));
      first = false;
    });
    if (!written) return written;
  }
  return {};
}

}  // namespace bindery::report
