#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/json.h"
#include "manifests/expression.h"
#include "manifests/manifest.h"
#include "manifests/schema.h"

namespace bindery {

/// Tells of values that a manifest will never give, because what it declares is final.
class DeclaredValues {
 public:
  /// What is wrong with expecting a value there; empty when it is declared, an output, or itself a
  /// reference.
  [[nodiscard]] std::string FaultOf(const Manifest& manifest, const KindSchema& kind,
                                    const FieldPath& path);

 private:
  [[nodiscard]] const Json& Look(const Manifest& manifest);

  std::map<const Manifest*, Json> specs_;  ///< Those looked at last: many may ask for one.
};

}  // namespace bindery
