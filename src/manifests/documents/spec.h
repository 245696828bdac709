#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/json.h"
#include "manifests/schema/manifest.h"

namespace bindery::manifests {

// The spec of a manifest is kept as text, because a hundred thousand are possible.

/// The inputs, decoded for one use and not to be kept. kInvalidArgument for a text damaged in the
/// store.
[[nodiscard]] Expected<Json> MakeSpec(const Manifest& manifest);

/// The expression of the condition in the text of a spec, as far as time may have a say in it;
/// empty where it has none. Nearly all texts are told by a look, without decoding them.
[[nodiscard]] std::string TimedExpression(const std::string& spec);

}  // namespace bindery::manifests
