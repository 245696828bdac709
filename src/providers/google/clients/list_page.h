#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::google {

/// One answer of a list method of Google's services. The answer outlives it.
struct AnswerPage {
  const Json* items = nullptr;  ///< An array of objects; null: the answer has none.
  std::string next = {};        ///< Token of the next page; empty: this is the last page.
};

/// Reads the list `name` of an answer. An absent list is empty, and an absent token ends the list,
/// because JSON leaves out what is empty (https://google.aip.dev/158). kInternal for any other form
/// of either, with what the service answered with (`"results" that is no list of objects`): a list
/// that cannot be read is never taken for an empty list, nor its page for the last one.
[[nodiscard]] Expected<AnswerPage> AnswerPageIn(const Json& answer, const std::string& name);

}  // namespace bindery::google
