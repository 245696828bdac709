#include "providers/datadog/object_lists.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

namespace bindery::datadog {
namespace {

constexpr std::string_view kSizeOfPage = "page%5Bsize%5D";
constexpr std::string_view kNumberOfPage = "page%5Bnumber%5D";

constexpr std::array<ObjectList, 11> kLists = {
    {{"dashboard", "dashboards", "/api/v1/dashboard", "dashboards", "id", "count", "start"},
     {"monitor", "monitors", "/api/v1/monitor", "", "id", "page_size", "page", true},
     {"notebook", "notebooks", "/api/v1/notebooks", "data", "id", "count", "start"},
     {"slo", "service level objectives", "/api/v1/slo", "data", "id", "limit", "offset"},
     {"security-rule", "security rules", "/api/v2/security_monitoring/rules", "data", "id",
      kSizeOfPage, kNumberOfPage, true},
     {"synthetics-test", "synthetic tests", "/api/v1/synthetics/tests", "tests", "public_id",
      "page_size", "page_number", true},
     {"synthetics-global-variable", "global variables of synthetic tests",
      "/api/v1/synthetics/variables", "variables", "id", "", ""},
     {"synthetics-private-location", "private locations of synthetic tests",
      "/api/v1/synthetics/locations", "locations", "id", "", "", false, "pl:"},
     {"powerpack", "powerpacks", "/api/v2/powerpacks", "data", "id", "page%5Blimit%5D",
      "page%5Boffset%5D"},
     {"rum-application", "RUM applications", "/api/v2/rum/applications", "data", "id", "", ""},
     {"logs-pipeline", "pipelines of logs", "/api/v1/logs/config/pipelines", "", "id", "", ""}}};

/// Ids are texts or whole numbers. Empty: neither.
std::string IdIn(const Json& entry, std::string_view name) {
  const Json* id = FindMember(entry, name);
  if (id == nullptr) return {};
  if (id->is_string()) return id->get<std::string>();
  return id->is_number_integer() ? id->dump() : std::string();
}

const Json* EntriesIn(const ObjectList& list, const Json& answer) {
  const Json* entries = list.entries.empty() ? &answer : FindMember(answer, list.entries);
  return entries != nullptr && entries->is_array() ? entries : nullptr;
}

}  // namespace

std::span<const ObjectList> ObjectLists() { return kLists; }

std::optional<ObjectPlace> ObjectPlace::Read(const std::string& token) {
  ObjectPlace place;
  if (token.empty()) return place;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), place.first);
  const auto digits = static_cast<std::size_t>(end - token.data());
  if (error != std::errc() || digits >= token.size() || token[digits] != ' ') return std::nullopt;
  place.last = token.substr(digits + 1);
  return place;
}

std::string ObjectPlace::ToToken() const { return std::to_string(first) + " " + last; }

std::string PageUrl(const ObjectList& list, const std::string& base_url, const ObjectPlace& place) {
  std::string url = base_url + std::string(list.path);
  if (list.size.empty()) return url;
  const std::size_t start = list.numbered ? place.first / kObjectsAtOnce : place.first;
  return url + "?" + std::string(list.size) + "=" + std::to_string(kObjectsAtOnce) + "&" +
         std::string(list.start) + "=" + std::to_string(start);
}

std::optional<ListedObjects> ObjectsIn(const ObjectList& list, const Json& answer,
                                       const ObjectPlace& place) {
  const Json* entries = EntriesIn(list, answer);
  if (entries == nullptr) return std::nullopt;
  const bool whole = list.size.empty() || entries->size() > kObjectsAtOnce;
  std::size_t skipped = 0;
  if (whole) {
    skipped = place.first;
  } else if (list.numbered) {
    skipped = place.first % kObjectsAtOnce;
  }
  std::vector<std::string> ids;
  for (const Json& entry : *entries) {
    ids.push_back(IdIn(entry, list.id));
    if (ids.back().empty()) return std::nullopt;
  }
  ListedObjects objects;
  if (ids.size() <= skipped || (skipped == 0 && ids.back() == place.last)) return objects;
  const std::size_t end = std::min(skipped + kObjectsAtOnce, ids.size());
  objects.more = end < ids.size() || (!whole && ids.size() == kObjectsAtOnce);
  objects.ids.assign(ids.begin() + static_cast<std::ptrdiff_t>(skipped),
                     ids.begin() + static_cast<std::ptrdiff_t>(end));
  return objects;
}

}  // namespace bindery::datadog
