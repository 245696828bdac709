#include "app/plan/import_sources.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "app/plan/export_text.h"
#include "core/base/json.h"
#include "core/text/first_character.h"
#include "yaml/reader.h"

namespace bindery::app {
namespace {

/// A file of the command line.
struct ExportFile {
  std::string resource;  ///< Of the policy in the file; empty: the file names its resources.
  std::string name;
};

ExportFile FileNamed(const std::string& text) {
  const std::size_t equals = text.starts_with("//") ? text.find('=') : std::string::npos;
  if (equals == std::string::npos) return {"", text};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// One document a line, as an export to a bucket has. Nothing: the first line is no document.
std::optional<Expected<Json>> LinesIn(const std::string& text) {
  Json documents = Json::array();
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto json = ParseJson(line);
    if (!json && documents.empty()) return std::nullopt;
    if (!json) return Fail(json.error().Wrap("line " + std::to_string(number)));
    documents.push_back(*std::move(json));
  }
  return documents;
}

/// The documents of a JSON or YAML text.
Expected<Json> DocumentsIn(const std::string& text) {
  if (const char first = FirstCharacter(text); first == '[' || first == '{') {
    auto json = ParseJson(text);
    if (json) return Json::array({*std::move(json)});
    if (auto lines = LinesIn(text)) return *std::move(lines);
    return Fail(json.error());
  }
  const yaml::ReadResult read = yaml::ReadYaml(text);
  if (!read.faults.empty()) {
    const yaml::Fault& fault = read.faults.front();
    return Fail(Code::kInvalidArgument,
                "line " + std::to_string(fault.at.line) + ": " + fault.message);
  }
  Json documents = Json::array();
  for (const yaml::Document& document : read.documents) {
    documents.push_back(yaml::ToJson(document.root));
  }
  return documents;
}

/// The results in the documents: each document is a result, a list of results, or an answer of the
/// service, of which the last one has no next page.
Expected<Json> ResultsIn(const Json& documents) {
  Json results = Json::array();
  std::string next_page;
  for (const Json& document : documents) {
    const Json* answered = FindMember(document, "results");
    if (answered == nullptr) answered = FindMember(document, "assets");
    const Json& list = answered == nullptr ? document : *answered;
    if (answered != nullptr) next_page = StringMember(document, "nextPageToken");
    if (list.is_array()) {
      results.insert(results.end(), list.begin(), list.end());
    } else {
      results.push_back(list);
    }
  }
  if (next_page.empty()) return results;
  return Fail(
      Code::kInvalidArgument,
      "the answer goes on (nextPageToken): put the answers of all pages into the file, one a line");
}

Expected<Json> ReadResults(const ExportFile& file) {
  const auto text = ReadExportText(file.name);
  if (!text && file.resource.empty() && file.name.find('=') != std::string::npos) {
    return Fail(Code::kInvalidArgument, "a resource is named in full: //HOST/NAME=FILE");
  }
  if (!text) return Fail(text.error());
  auto documents = DocumentsIn(*text);
  if (!documents) return Fail(documents.error());
  if (documents->empty()) return Fail(Code::kInvalidArgument, "the file is empty");
  if (file.resource.empty()) return ResultsIn(*std::move(documents));
  if (documents->size() > 1 || !documents->front().is_object()) {
    return Fail(Code::kInvalidArgument, "expected one policy");
  }
  return Json::array({Json{{"resource", file.resource}, {"policy", documents->front()}}});
}

/// The results are those of a search: lists have other keys, and a policy alone has no type.
bool IsSearched(const Json& results) {
  return std::any_of(results.begin(), results.end(), [](const Json& result) {
    return FindMember(result, "policy") != nullptr && FindMember(result, "assetType") != nullptr;
  });
}

Expected<InventoryPage> ReadPage(const providers::InventorySource& source, const ExportFile& file,
                                 bool& is_searched) {
  const auto results = ReadResults(file);
  if (!results) return Fail(results.error());
  is_searched = is_searched || IsSearched(*results);
  auto page = source.ReadExport(*results);
  if (page || !file.resource.empty()) return page;
  return Fail(page.error().code, page.error().message +
                                     "; for a policy that names no resource write "
                                     "--policies //HOST/NAME=FILE");
}

template <typename Item>
void AddAll(std::vector<Item>& items, std::vector<Item> more) {
  std::move(more.begin(), more.end(), std::back_inserter(items));
}

}  // namespace

Expected<InventoryFacts> FactsOfExports(const providers::InventorySource& source,
                                        const std::vector<std::string>& files) {
  InventoryFacts facts;
  bool is_searched = false;
  for (const std::string& text : files) {
    const ExportFile file = FileNamed(text);
    auto page = ReadPage(source, file, is_searched);
    if (!page) return Fail(page.error().Wrap(file.name));
    const bool unknown =
        !file.resource.empty() && !page->policies.empty() && page->policies.front().kind.empty();
    if (unknown) {
      return Fail(Code::kInvalidArgument,
                  "no kind manages \"" + file.resource + "\": bindery kinds lists the names");
    }
    AddAll(facts.policies, std::move(page->policies));
    AddAll(facts.containers, std::move(page->containers));
  }
  if (is_searched) {
    facts.scan.unread.emplace_back(
        "whether the search that made the export had a query: then it shows only the bindings that "
        "match, other roles and members are not declared, and nothing here tells which");
  }
  std::stable_sort(
      facts.policies.begin(), facts.policies.end(),
      [](const InventoryPolicy& a, const InventoryPolicy& b) { return a.resource < b.resource; });
  return facts;
}

Error MakeNoScanError(const std::string& scope) {
  return {Code::kNotFound,
          "no scan of \"" + scope + "\" is finished: bindery scan --scope " + scope};
}

Expected<InventoryFacts> FactsOfScan(const store::InventoryStore& inventory,
                                     const std::string& provider, const std::string& scope) {
  const auto scans = inventory.Inventories();
  if (!scans) return Fail(scans.error());
  const auto scan = std::find_if(scans->begin(), scans->end(), [&](const InventoryRecord& known) {
    return known.finished && known.provider == provider && known.scope == scope;
  });
  if (scan != scans->end()) return inventory.Inventory(scan->id);
  return Fail(MakeNoScanError(scope));
}

}  // namespace bindery::app
