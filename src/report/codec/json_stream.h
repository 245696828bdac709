#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/json.h"
#include "report/text/text_sink.h"

namespace bindery::report {

/// Calls a function with the elements of an array, in sequence.
using EachElement = std::function<Expected<void>(const std::function<void(const Json&)>&)>;

/// Writes a document as JSON, indented by two, and a line break: the array at `path` (names of
/// members, and numbers of elements) with what `each` gives, which need not all be there at once.
/// Fails as `each` does.
[[nodiscard]] Expected<void> WriteJson(const Json& document, const std::vector<std::string>& path,
                                       const EachElement& each, const TextSink& out);

}  // namespace bindery::report
