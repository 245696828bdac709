#include <functional>

#include "report/drift_forms.h"
#include "report/drift_items.h"
#include "report/json_stream.h"

namespace bindery::report {

Expected<void> WriteDriftJson(DriftDocument& document, const DriftWriting& /*writing*/,
                              const TextSink& out) {
  return WriteJson(
      WithoutItems(document), {"items"},
      [&](const std::function<void(const Json&)>& take) {
        return document.Each(document.entries(),
                             [&take](const DriftReportItem& item) { take(ToJson(item)); });
      },
      out);
}

}  // namespace bindery::report
