#include "emulator/iam_route.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "manifests/check_text.h"
#include "providers/google/iam_names.h"

namespace bindery::emulator {
namespace {

constexpr std::string_view kDomain = ".googleapis.com";
constexpr std::string_view kLocation = "{location}";

struct MethodEnd {
  std::string_view name;  ///< Ends the path behind the row's suffix.
  IamMethod method;
};

/// What follows the name in a path: ":getIamPolicy". Storage has one path for reading and writing.
std::vector<MethodEnd> EndsOf(const IamRow& row) {
  if (row.suffix == "/iam") {
    return {{"/iam/testPermissions", IamMethod::kTest},
            {"/iam", IamMethod::kGet},
            {"/iam", IamMethod::kSet}};
  }
  if (row.suffix == "/") {
    return {{"/getIamPolicy", IamMethod::kGet},
            {"/setIamPolicy", IamMethod::kSet},
            {"/testIamPermissions", IamMethod::kTest}};
  }
  return {{":getIamPolicy", IamMethod::kGet},
          {":setIamPolicy", IamMethod::kSet},
          {":testIamPermissions", IamMethod::kTest}};
}

IamVerb VerbOf(const IamRow& row, IamMethod method) {
  switch (method) {
    case IamMethod::kGet:
      return row.get;
    case IamMethod::kSet:
      return row.set;
    case IamMethod::kTest:
      break;
  }
  return row.test;
}

bool IsVerb(IamVerb verb, std::string_view method) {
  switch (verb) {
    case IamVerb::kGet:
      return method == "GET" || method == "HEAD";
    case IamVerb::kPost:
      return method == "POST";
    case IamVerb::kPut:
      return method == "PUT";
    case IamVerb::kNone:
      break;
  }
  return false;
}

/// The path without "compute/v1/" in any of the row's versions.
std::optional<std::string_view> WithoutVersion(const IamRow& row, std::string_view path) {
  const std::string_view first = row.versions.substr(0, row.versions.find(' '));
  const std::string_view service = row.path.substr(0, row.path.size() - first.size() - 1);
  if (!path.starts_with(service)) return std::nullopt;
  path.remove_prefix(service.size());
  const auto slash = path.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view version = path.substr(0, slash);
  const auto versions = Split(row.versions, ' ');
  const bool known = std::find(versions.begin(), versions.end(), version) != versions.end();
  return known ? std::optional(path.substr(slash + 1)) : std::nullopt;
}

/// A name with a location is served by the host of that location where the row has such hosts.
bool IsHostOf(const IamRow& row, std::string_view name, std::string_view host) {
  if (host.empty()) return true;
  const std::string_view location = VariableOf(row, name, "location");
  if (!row.location_host.empty() && !location.empty() && location != "global") {
    std::string wanted(row.location_host);
    wanted.replace(wanted.find(kLocation), kLocation.size(), location);
    return host == wanted;
  }
  return host == row.host || host == std::string(row.service) + ".mtls" + std::string(kDomain);
}

std::optional<IamRoute> RouteTo(const IamRow& row, const httpd::Request& request,
                                const ServiceAddress& address) {
  const auto path = WithoutVersion(row, address.path);
  if (!path) return std::nullopt;
  for (const MethodEnd& end : EndsOf(row)) {
    if (!path->ends_with(end.name) || !IsVerb(VerbOf(row, end.method), request.method)) continue;
    const std::string_view text = path->substr(0, path->size() - end.name.size());
    auto name = CanonicalIamName(row, text, "");
    if (name && IsHostOf(row, *name, address.host)) return IamRoute{&row, end.method, *name};
  }
  return std::nullopt;
}

/// The segment before the last one: "topics" of ".../topics/t"; empty where there is none.
std::string_view CollectionOf(std::string_view name) {
  const auto last = name.rfind('/');
  if (last == std::string_view::npos) return {};
  const auto before = name.substr(0, last).rfind('/');
  return name.substr(before + 1, last - before - 1);
}

/// Rows by the collection their names end with, so that a request is compared with a few of them.
struct Index {
  std::unordered_map<std::string_view, std::vector<const IamRow*>> by_collection;
  std::vector<const IamRow*> irregular;  ///< Names that do not end with COLLECTION/{id}.
};

bool IsRegular(std::string_view name_template) {
  const std::string_view id = name_template.substr(name_template.rfind('/') + 1);
  const bool plain_id = id.starts_with('{') && id.ends_with('}') && !id.ends_with("=**}");
  const std::string_view collection = CollectionOf(name_template);
  return plain_id && !collection.empty() && collection.find('{') == std::string_view::npos;
}

const Index& RowIndex() {
  static const Index kIndex = [] {
    Index index;
    for (const IamRow& row : IamRows()) {
      const auto templates = Split(row.names, ' ');
      if (!std::all_of(templates.begin(), templates.end(), IsRegular)) {
        index.irregular.push_back(&row);
        continue;
      }
      for (const std::string_view name : templates) {
        auto& rows = index.by_collection[CollectionOf(name)];
        if (rows.empty() || rows.back() != &row) rows.push_back(&row);
      }
    }
    return index;
  }();
  return kIndex;
}

/// The path without the method it ends with; nothing where it ends with none.
std::optional<std::string_view> WithoutMethod(std::string_view path) {
  constexpr std::string_view kEnds[] = {
      ":getIamPolicy", ":setIamPolicy",       ":testIamPermissions",  "/getIamPolicy",
      "/setIamPolicy", "/testIamPermissions", "/iam/testPermissions", "/iam"};
  for (const std::string_view end : kEnds) {
    if (path.ends_with(end)) return path.substr(0, path.size() - end.size());
  }
  return std::nullopt;
}

void AddRoutes(const std::vector<const IamRow*>& rows, const httpd::Request& request,
               const ServiceAddress& address, std::vector<IamRoute>& routes) {
  for (const IamRow* row : rows) {
    if (auto route = RouteTo(*row, request, address)) routes.push_back(std::move(*route));
  }
}

}  // namespace

ServiceAddress AddressOf(const httpd::Request& request) {
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
  const ServiceAddress address = AddressOf(request);
  std::vector<IamRoute> routes;
  const auto path = WithoutMethod(address.path);
  if (!path) return routes;
  const Index& index = RowIndex();
  const auto found = index.by_collection.find(CollectionOf(*path));
  if (found != index.by_collection.end()) AddRoutes(found->second, request, address, routes);
  if (routes.empty()) AddRoutes(index.irregular, request, address, routes);
  return routes;
}

}  // namespace bindery::emulator
