#include "providers/google/clients/list_page.h"

#include <algorithm>

namespace bindery::google {
namespace {

bool IsListOfObjects(const Json& value) {
  return value.is_array() &&
         std::all_of(value.begin(), value.end(), [](const Json& item) { return item.is_object(); });
}

}  // namespace

Expected<AnswerPage> AnswerPageIn(const Json& answer, const std::string& name) {
  AnswerPage page;
  page.items = FindMember(answer, name);
  if (page.items != nullptr && !IsListOfObjects(*page.items)) {
    return Fail(Code::kInternal, "\"" + name + "\" that is no list of objects");
  }
  const Json* next = FindMember(answer, "nextPageToken");
  if (next == nullptr) return page;
  if (!next->is_string()) {
    return Fail(Code::kInternal, "a \"nextPageToken\" that is no text");
  }
  page.next = next->get<std::string>();
  return page;
}

}  // namespace bindery::google
