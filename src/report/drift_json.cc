#include "report/drift_forms.h"
#include "report/json_stream.h"

namespace bindery::report {

Expected<void> WriteDriftJson(DriftDocument& document, const DriftWriting& /*writing*/,
                              const TextSink& out) {
  return WriteJson(
      document.head(), {"items"},
      [&](const DriftDocument::TakeItem& take) { return document.Each(document.entries(), take); },
      out);
}

}  // namespace bindery::report
