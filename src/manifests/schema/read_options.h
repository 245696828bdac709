#pragma once

#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "manifests/schema/findings.h"
#include "manifests/schema/manifest.h"
#include "manifests/schema/schema.h"
#include "yaml/node.h"

namespace bindery::manifests {

/// The options of a document, checked; `kind` is null where it is not known. The error is reported
/// and left out.
[[nodiscard]] Options ReadOptions(const yaml::Node& root, const KindSchema* kind,
                                  Findings& findings);

/// Whether an option can mean anything for a kind: what only concerns writing means nothing for a
/// lookup, and only what has conditions can expire.
[[nodiscard]] bool OptionApplies(std::string_view option, const KindSchema& kind);

/// Whether manifests of a kind may refer to further manifests, and wait. False for kinds that are
/// only read and have no results: they configure bindery, and hold from the first scan on.
[[nodiscard]] bool MayWaitForOthers(const KindSchema& kind);

/// The options that apply to a kind.
[[nodiscard]] FieldList ListOptionFields(const KindSchema& kind);

/// One spelling for equal options: "interval: 60s" equals "interval: 1m", "suspend: false" nothing.
[[nodiscard]] Json CanonicalOptions(const Options& options);

}  // namespace bindery::manifests
