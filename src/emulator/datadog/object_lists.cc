#include "emulator/datadog/object_lists.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/datadog/api.h"
#include "emulator/seed.h"
#include "providers/datadog/object_lists.h"

namespace bindery::emulator {
namespace {

constexpr std::size_t kUsualPage = 100;

const datadog::ObjectList* FindList(std::string_view path) {
  const auto lists = datadog::ObjectLists();
  const auto found = std::ranges::find(lists, path, &datadog::ObjectList::path);
  return found == lists.end() ? nullptr : &*found;
}

/// "page[size]" of "page%5Bsize%5D".
std::string Decoded(std::string_view parameter) {
  std::string name(parameter);
  for (const auto& [encoded, plain] : {std::pair("%5B", "["), std::pair("%5D", "]")}) {
    if (const auto at = name.find(encoded); at != std::string::npos) name.replace(at, 3, plain);
  }
  return name;
}

/// The value of a parameter; nothing when it is no number.
std::optional<std::size_t> NumberIn(const httpd::Request& request, std::string_view parameter,
                                    std::size_t usual) {
  const std::string* text = parameter.empty() ? nullptr : request.FindQuery(Decoded(parameter));
  if (text == nullptr) return usual;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return number;
}

/// The ids of the type's objects, sorted.
std::vector<std::string> ListIds(Cloud& cloud, std::string_view type) {
  std::vector<std::string> ids;
  const std::string before = std::string(type) + ":";
  for (const Entry& entry : cloud.Entries()) {
    if (entry.section != section::kRestrictionPolicies || !entry.key.starts_with(before)) continue;
    ids.push_back(entry.key.substr(before.size()));
  }
  std::ranges::sort(ids);
  return ids;
}

/// Monitors, and notebooks, have numbers for ids.
Json IdValue(const std::string& id) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  const bool is_number =
      error == std::errc() && end == id.data() + id.size() && !id.starts_with('0');
  return is_number ? Json(number) : Json(id);
}

}  // namespace

bool ClassifyObjectList(const httpd::Request& request, Call& call) {
  if (request.method != "GET") return false;
  const datadog::ObjectList* list = FindList(request.path);
  if (list == nullptr) return false;
  call.service = Call::Service::kDatadog;
  call.verb = Call::Verb::kList;
  call.operation = kObjectsList;
  call.target = list->type;
  return true;
}

httpd::Response ServeObjectList(Cloud& cloud, const Call& call, const httpd::Request& request) {
  const datadog::ObjectList& list = *FindList(request.path);
  const std::vector<std::string> ids = ListIds(cloud, call.target);
  const auto size = NumberIn(request, list.size, list.size.empty() ? ids.size() : kUsualPage);
  const auto start = NumberIn(request, list.start, 0);
  if (!size || !start || (*size == 0 && !list.size.empty())) {
    return DatadogError(400, "Invalid request: the page is not given by numbers");
  }
  const std::size_t begin = std::min(list.numbered ? *start * *size : *start, ids.size());
  Json entries = Json::array();
  for (std::size_t i = begin; i < std::min(begin + *size, ids.size()); ++i) {
    entries.push_back(Json{{std::string(list.id), IdValue(ids[i])}});
  }
  if (list.entries.empty()) return DatadogAnswer(200, entries);
  return DatadogAnswer(200, Json{{std::string(list.entries), std::move(entries)}});
}

}  // namespace bindery::emulator
