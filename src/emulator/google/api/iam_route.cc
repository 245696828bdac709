#include "emulator/google/api/iam_route.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "emulator/google/service_habits.h"
#include "manifests/schema/check_text.h"
#include "providers/google/rows/iam_names.h"

namespace bindery::emulator {
namespace {

constexpr std::string_view kDomain = ".googleapis.com";
/// What follows a name in a path, for the rows with the suffix. Storage has one path for reading
/// and writing.
struct MethodEnd {
  std::string_view text;
  std::string_view suffix;
  Call::Verb verb;
  google::IamVerb google::IamRow::*method;
};

constexpr MethodEnd kEnds[] = {
    {":getIamPolicy", ":", Call::Verb::kGetPolicy, &google::IamRow::get},
    {":setIamPolicy", ":", Call::Verb::kSetPolicy, &google::IamRow::set},
    {":testIamPermissions", ":", Call::Verb::kTestPermissions, &google::IamRow::test},
    {"/getIamPolicy", "/", Call::Verb::kGetPolicy, &google::IamRow::get},
    {"/setIamPolicy", "/", Call::Verb::kSetPolicy, &google::IamRow::set},
    {"/testIamPermissions", "/", Call::Verb::kTestPermissions, &google::IamRow::test},
    {"/iam/testPermissions", "/iam", Call::Verb::kTestPermissions, &google::IamRow::test},
    {"/iam", "/iam", Call::Verb::kGetPolicy, &google::IamRow::get},
    {"/iam", "/iam", Call::Verb::kSetPolicy, &google::IamRow::set},
};

bool IsVerb(google::IamVerb verb, std::string_view method) {
  switch (verb) {
    case google::IamVerb::kGet:
      return method == "GET" || method == "HEAD";
    case google::IamVerb::kPost:
      return method == "POST";
    case google::IamVerb::kPut:
      return method == "PUT";
    case google::IamVerb::kNone:
      break;
  }
  return false;
}

/// The path without "compute/v1/" in any of the row's versions, or of those that gcloud speaks.
std::optional<std::string> WithoutVersion(const google::IamRow& row, std::string_view path) {
  const std::string_view first = row.versions.substr(0, row.versions.find(' '));
  const std::string_view service = row.path.substr(0, row.path.size() - first.size() - 1);
  if (!path.starts_with(service)) return std::nullopt;
  path.remove_prefix(service.size());
  const auto slash = path.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view version = path.substr(0, slash);
  const auto versions = manifests::Split(row.versions, ' ');
  const std::string_view name = path.substr(slash + 1);
  const bool known = std::find(versions.begin(), versions.end(), version) != versions.end();
  return known ? std::optional<std::string>(name) : NameInVersionOfGcloud(row, version, name);
}

bool ServesHost(const google::IamRow& row, std::string_view name, std::string_view host) {
  const std::string own = google::GetHost(row, name);
  if (host.empty() || host == own) return true;
  return own == row.host && host == std::string(row.service) + ".mtls" + std::string(kDomain);
}

/// The segment before the last one: "topics" of ".../topics/t"; empty if none exists.
std::string_view FindCollection(std::string_view name) {
  const auto last = name.rfind('/');
  if (last == std::string_view::npos) return {};
  const auto before = name.substr(0, last).rfind('/');
  return name.substr(before + 1, last - before - 1);
}

/// Rows by the last collection of their names, so that a request is compared with few rows.
struct Index {
  std::unordered_map<std::string_view, std::vector<const google::IamRow*>> by_collection;
  std::vector<const google::IamRow*> irregular;  ///< Names that do not end with COLLECTION/{id}.
};

bool IsRegular(std::string_view name_template) {
  const std::string_view id = name_template.substr(name_template.rfind('/') + 1);
  const bool plain_id = id.starts_with('{') && id.ends_with('}') && !id.ends_with("=**}");
  const std::string_view collection = FindCollection(name_template);
  return plain_id && !collection.empty() && collection.find('{') == std::string_view::npos;
}

const Index& RowIndex() {
  static const Index kIndex = [] {
    Index index;
    for (const google::IamRow& row : google::IamRows()) {
      const auto templates = manifests::Split(row.names, ' ');
      if (!std::all_of(templates.begin(), templates.end(), IsRegular)) {
        index.irregular.push_back(&row);
        continue;
      }
      for (const std::string_view name : templates) {
        auto& rows = index.by_collection[FindCollection(name)];
        if (rows.empty() || rows.back() != &row) rows.push_back(&row);
      }
    }
    return index;
  }();
  return kIndex;
}

/// A request with a method at its end.
struct Asked {
  const MethodEnd& end;
  std::string_view path;  ///< Up to the end.
  const std::string& host;
  const std::string& verb;
};

void AddRoutes(const std::vector<const google::IamRow*>& rows, const Asked& asked,
               std::vector<IamRoute>& routes) {
  for (const google::IamRow* row : rows) {
    if (row->suffix != asked.end.suffix || !IsVerb(row->*asked.end.method, asked.verb)) continue;
    const auto text = WithoutVersion(*row, asked.path);
    auto name = text ? google::CanonicalIamName(*row, *text, "") : std::nullopt;
    if (!name || !ServesHost(*row, *name, asked.host)) continue;
    routes.push_back({row, asked.end.verb, std::move(*name)});
  }
}

}  // namespace

ServiceAddress MakeAddress(const httpd::Request& request) {
  std::string_view path = request.path;
  if (path.starts_with('/')) path.remove_prefix(1);
  const auto slash = std::min(path.find('/'), path.size());
  if (path.substr(0, slash).ends_with(kDomain)) {
    return {std::string(path.substr(0, slash)), path.substr(std::min(slash + 1, path.size()))};
  }
  const std::string host = request.host.substr(0, request.host.find(':'));
  return {host.ends_with(kDomain) ? host : "", path};
}

std::vector<IamRoute> FindIamRoutes(const httpd::Request& request) {
  const ServiceAddress address = MakeAddress(request);
  const Index& index = RowIndex();
  std::vector<IamRoute> routes;
  for (const MethodEnd& end : kEnds) {
    if (!address.path.ends_with(end.text)) continue;
    const Asked asked{end, address.path.substr(0, address.path.size() - end.text.size()),
                      address.host, request.method};
    const auto found = index.by_collection.find(FindCollection(asked.path));
    if (found != index.by_collection.end()) AddRoutes(found->second, asked, routes);
    if (routes.empty()) AddRoutes(index.irregular, asked, routes);
    if (!routes.empty()) break;
  }
  return routes;
}

}  // namespace bindery::emulator
