#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "manifests/schema/schema.h"

namespace bindery::reconcilers {

/// The replacement for a secret, whatever its type: a text.
inline constexpr std::string_view kHiddenSecret = "[secret]";

/// The outputs with kHiddenSecret for every secret among `fields`. An empty secret stays unchanged:
/// it hides nothing.
[[nodiscard]] Json WithoutSecrets(Json outputs, const manifests::FieldList& fields);

/// There is a secret among the fields, at any depth.
[[nodiscard]] bool HaveSecrets(const manifests::FieldList& fields);

/// One changed output, in words.
struct OutputChange {
  std::string path;  ///< "uploadFileInfo.uriExpirationTime"
  std::string before;
  std::string now;
};

/// What differs between two results, secrets left out, in the order of the fields.
[[nodiscard]] std::vector<OutputChange> ListChanges(const Json& before, const Json& now,
                                                    const manifests::FieldList& fields);

}  // namespace bindery::reconcilers
