#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/base/json.h"
#include "manifests/schema/expression.h"
#include "manifests/schema/manifest.h"
#include "manifests/schema/schema.h"

namespace bindery::admission {

/// Finds values that a manifest will never give, because its declaration is final.
class DeclaredValues {
 public:
  /// The error of a reference to the value; empty when the value is declared, an output, or itself
  /// a reference.
  [[nodiscard]] std::string FindFault(const manifests::Manifest& manifest,
                                      const manifests::KindSchema& kind,
                                      const manifests::FieldPath& path);

 private:
  [[nodiscard]] const Json& Look(const manifests::Manifest& manifest);

  std::map<const manifests::Manifest*, Json>
      specs_;  ///< Those looked at last: many may ask for one.
};

}  // namespace bindery::admission
