#include <functional>

#include "report/codec/json_stream.h"
#include "report/forms/drift_forms.h"
#include "report/values/drift_items.h"

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
