#pragma once

#include <string>
#include <string_view>

#include "core/access/target.h"
#include "core/access/target_table.h"
#include "core/base/expected.h"
#include "core/base/interned.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// The projects, folders and organizations of targets: by the name of the target, else by the last
/// scan that shows the target or a resource around the target, as the bucket around an object.
class TargetPlaces {
 public:
  static constexpr std::string_view kUnknown = "unknown";

  [[nodiscard]] static Expected<TargetPlaces> Read(const store::ReportReader& store);

  /// "projects/acme"; kUnknown where neither tells. Empty: the cloud has no projects.
  [[nodiscard]] std::string Find(const Target& target) const;

  /// The name or the place is `within`, or beneath it; `within` may be kUnknown.
  [[nodiscard]] bool IsTargetWithin(const Target& target, std::string_view within) const;

 private:
  TargetTable<Interned> scanned_;
};

}  // namespace bindery::report
