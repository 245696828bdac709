#include "emulator/datadog/list.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

#include "core/text/ascii.h"
#include "emulator/seed.h"
#include "manifests/schema/check_text.h"

namespace bindery::emulator {
namespace {

using ListRefusal = tl::unexpected<std::string>;

constexpr std::size_t kLargestPage = 100;

struct Page {
  std::size_t number = 0;
  std::size_t size = 10;
  std::size_t total = 0;  ///< Entries that the filter fits.
};

/// False when the parameter is there and is no number.
bool ReadNumber(const httpd::Request& request, std::string_view name, std::size_t& number) {
  const std::string* text = request.FindQuery(name);
  if (text == nullptr) return true;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  return error == std::errc() && end == text->data() + text->size();
}

std::string Attribute(const Json& entry, std::string_view name) {
  return StringMember(entry.at("attributes"), name);
}

/// As a search does: part of any of the attributes, in any case.
bool Fits(const Json& entry, const std::string& filter) {
  return std::ranges::any_of(std::initializer_list<std::string_view>{"name", "handle", "email"},
                             [&](std::string_view name) {
                               return AsciiLower(Attribute(entry, name)).find(filter) !=
                                      std::string::npos;
                             });
}

/// Sorts by one attribute, descending with a "-" before it.
tl::expected<void, std::string> Sort(std::string_view section, const httpd::Request& request,
                                     std::vector<Json>& entries) {
  const std::string* sort = request.FindQuery("sort");
  if (sort == nullptr) return {};
  const bool down = sort->starts_with('-');
  const std::string by = sort->substr(down ? 1 : 0);
  const bool known =
      by == "name" || by == "user_count" || (by == "modified_at" && section != section::kTeams);
  if (!known) return ListRefusal("Invalid request: sort \"" + *sort + "\" is not supported");
  std::ranges::stable_sort(entries, [&](const Json& left, const Json& right) {
    const Json& first = (down ? right : left).at("attributes");
    const Json& second = (down ? left : right).at("attributes");
    return first.value(by, Json()) < second.value(by, Json());
  });
  return {};
}

/// Of teams: where the page is in the list, and the addresses of the others.
void AddTeamPages(const httpd::Request& request, const Page& page, Json& document) {
  const std::size_t last = page.total == 0 ? 0 : (page.total - 1) / page.size;
  const std::size_t before = page.number > 0 ? page.number - 1 : 0;
  document["meta"] = Json{{"pagination", Json{{"offset", page.number * page.size},
                                              {"first_offset", 0},
                                              {"prev_offset", before * page.size},
                                              {"next_offset", (page.number + 1) * page.size},
                                              {"last_offset", last * page.size},
                                              {"limit", page.size},
                                              {"type", "offset_limit"},
                                              {"total", page.total}}}};
  const auto link = [&](bool there, std::size_t number) -> Json {
    if (!there) return nullptr;
    return request.path + "?page[number]=" + std::to_string(number) +
           "&page[size]=" + std::to_string(page.size);
  };
  document["links"] = Json{{"self", link(true, page.number)},
                           {"first", link(true, 0)},
                           {"last", link(true, last)},
                           {"next", link(page.number < last, page.number + 1)},
                           {"prev", link(page.number > 0, before)}};
}

tl::expected<Page, std::string> ReadPage(const httpd::Request& request) {
  Page page;
  if (!ReadNumber(request, "page[number]", page.number) ||
      !ReadNumber(request, "page[size]", page.size)) {
    return ListRefusal("Invalid request: page[number] and page[size] must be numbers");
  }
  if (page.size == 0 || page.size > kLargestPage) {
    return ListRefusal("Invalid request: page[size] must be between 1 and " +
                       std::to_string(kLargestPage));
  }
  return page;
}

Json EntriesOn(const Page& page, std::vector<Json>& all) {
  const std::size_t begin = std::min(page.number * page.size, all.size());
  const std::size_t end = std::min(begin + page.size, all.size());
  Json data = Json::array();
  for (std::size_t i = begin; i < end; ++i) data.push_back(std::move(all[i]));
  return data;
}

}  // namespace

tl::expected<Json, std::string> OnePage(std::vector<Json> all, const httpd::Request& request) {
  const auto page = ReadPage(request);
  if (!page) return ListRefusal(page.error());
  return Json{{"data", EntriesOn(*page, all)}};
}

tl::expected<Json, std::string> ListDocument(std::string_view section, std::vector<Json> all,
                                             const httpd::Request& request) {
  auto page = ReadPage(request);
  if (!page) return ListRefusal(page.error());
  const std::size_t known = all.size();
  const bool teams = section == section::kTeams;
  const std::string* filter = request.FindQuery(teams ? "filter[keyword]" : "filter");
  if (filter != nullptr) {
    const std::string wanted = AsciiLower(*filter);
    std::erase_if(all, [&](const Json& entry) { return !Fits(entry, wanted); });
  }
  if (auto sorted = Sort(section, request, all); !sorted) return ListRefusal(sorted.error());
  page->total = all.size();
  Json document = {{"data", EntriesOn(*page, all)}};
  if (teams) {
    AddTeamPages(request, *page, document);
  } else {
    document["meta"] =
        Json{{"page", Json{{"total_count", known}, {"total_filtered_count", page->total}}}};
  }
  return document;
}

}  // namespace bindery::emulator
