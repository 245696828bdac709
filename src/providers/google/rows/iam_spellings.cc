#include "providers/google/rows/iam_spellings.h"

#include <utility>
#include <vector>

#include "manifests/schema/check_text.h"

namespace bindery::google {
namespace {

constexpr std::string_view kGoogleDomain = ".googleapis.com";

/// Cloud Asset's hosts in names of resources, if different from the API's hosts.
constexpr std::pair<std::string_view, std::string_view> kAssetHosts[] = {
    {"bigtableadmin", "bigtable.googleapis.com"},
};

/// The text between both, if the text has both; else nothing.
std::optional<std::string_view> Between(std::string_view text, std::string_view begin,
                                        std::string_view end) {
  if (text.size() <= begin.size() + end.size()) return std::nullopt;
  if (!text.starts_with(begin) || !text.ends_with(end)) return std::nullopt;
  return text.substr(begin.size(), text.size() - begin.size() - end.size());
}

/// The location of a host of the row's API, empty for all locations; nothing: a foreign host.
std::optional<std::string_view> LocationServedBy(const IamRow& row, std::string_view host) {
  constexpr std::string_view kLocation = "{location}";
  if (host == row.host) return "";
  if (const auto at = row.location_host.find(kLocation); at != std::string_view::npos) {
    const std::string_view end = row.location_host.substr(at + kLocation.size());
    if (auto location = Between(host, row.location_host.substr(0, at), end)) return location;
  }
  if (!row.host.ends_with(kGoogleDomain)) return std::nullopt;
  const std::string_view name = row.host.substr(0, row.host.find('.'));
  if (auto location = Between(host, std::string(name) + ".", ".rep.googleapis.com")) {
    return location;
  }
  return Between(host, "", "-" + std::string(row.host));
}

/// The same of hosts in full resource names.
std::optional<std::string_view> LocationNamedBy(const IamRow& row, std::string_view host) {
  if (auto location = LocationServedBy(row, host)) return location;
  for (const auto& [service, asset_host] : kAssetHosts) {
    if (service == row.service && asset_host == host) return "";
  }
  const bool of_service =
      host.substr(0, host.find('.')) == row.service && host.ends_with(kGoogleDomain);
  return of_service ? std::optional<std::string_view>("") : std::nullopt;
}

/// "b/B" of "projects/_/buckets/B", of the same under any project, as the service's gRPC API has
/// it, and of "B" alone in a full name, as Cloud Asset has it. "b/B/o/O" of
/// "…/buckets/B/objects/O".
std::string InStorageForm(std::string_view text, bool full) {
  constexpr std::string_view kBeforeBucket = "/buckets/";
  constexpr std::string_view kBeforeProject = "projects/";
  constexpr std::string_view kObjects = "objects/";
  if (full && text.find('/') == std::string_view::npos) return "b/" + std::string(text);
  const auto buckets = text.find('/', kBeforeProject.size());
  const bool grpc =
      text.starts_with(kBeforeProject) && buckets != std::string_view::npos &&
      text.substr(buckets).starts_with(kBeforeBucket) &&
      manifests::HasOnlyCharacters(
          text.substr(kBeforeProject.size(), buckets - kBeforeProject.size()), "-_.~:");
  if (!grpc) return std::string(text);
  const std::string_view rest = text.substr(buckets + kBeforeBucket.size());
  std::string name = "b/" + std::string(rest);
  const auto slash = rest.find('/');
  if (slash != std::string_view::npos && rest.substr(slash + 1).starts_with(kObjects)) {
    name.replace(name.find('/', 2) + 1, kObjects.size(), "o/");
  }
  return name;
}

/// The part after the row's path in any version of its API: "projects/…" of
/// "compute/beta/projects/…".
std::optional<std::string_view> WithoutPath(const IamRow& row, std::string_view text) {
  const std::vector<std::string_view> versions = manifests::Split(row.versions, ' ');
  const auto at = row.path.find(versions.front());
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view end = row.path.substr(at + versions.front().size());
  for (const std::string_view version : versions) {
    const std::string path =
        std::string(row.path.substr(0, at)) + std::string(version) + std::string(end);
    if (text.starts_with(path)) return text.substr(path.size());
  }
  return std::nullopt;
}

/// "projects/p/zones/z/instances/i" of its URL without "https://", compute's selfLink; nothing for
/// a URL of a different service, or with escapes.
std::optional<PlainIamName> OfUrl(const IamRow& row, std::string_view text) {
  constexpr std::string_view kOldHost = "www.googleapis.com";
  const auto end = text.find('/');
  if (end == std::string_view::npos || text.find_first_of("%?#") != std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view host = text.substr(0, end);
  const auto location =
      host == kOldHost ? std::optional<std::string_view>("") : LocationServedBy(row, host);
  const auto name = WithoutPath(row, text.substr(end + 1));
  if (!location || !name) return std::nullopt;
  return PlainIamName{std::string(*name), std::string(*location)};
}

/// "projects/p/datasets/d/tables/t" of "p:d.t" and "p.d.t", as BigQuery's tools and queries write
/// them. A project may have a domain before its id: "example.com:p.d.t".
std::optional<std::string> OfDataset(std::string_view text, std::string_view collection) {
  const auto colon = text.rfind(':');
  const bool prefixed = colon != std::string_view::npos;
  const std::string_view prefix = text.substr(0, prefixed ? colon : 0);
  const auto parts = manifests::Split(text.substr(prefixed ? colon + 1 : 0), '.');
  const bool domain = prefixed && prefix.find('.') != std::string_view::npos;
  std::string project(prefix);
  if (parts.size() == 3 && (!prefixed || domain)) {
    project += (prefixed ? ":" : "") + std::string(parts.front());
  } else if (parts.size() != 2 || !prefixed) {
    return std::nullopt;
  }
  if (text.find('/') != std::string_view::npos) return std::nullopt;
  return "projects/" + project + "/datasets/" + std::string(parts[parts.size() - 2]) + "/" +
         std::string(collection) + "/" + std::string(parts.back());
}

}  // namespace

std::optional<PlainIamName> ReadSpelling(const IamRow& row, std::string_view text) {
  constexpr std::string_view kHttps = "https://";
  constexpr std::string_view kBucket = "gs://";
  constexpr std::string_view kHost = "//";
  if (text.starts_with(kHttps)) return OfUrl(row, text.substr(kHttps.size()));
  if (row.id == "storage/v1:Bucket" && text.starts_with(kBucket)) {
    text.remove_prefix(kBucket.size());
    if (text.ends_with('/')) text.remove_suffix(1);
    return PlainIamName{"b/" + std::string(text)};
  }
  for (const auto& [id, collection] :
       {std::pair("bigquery/v2:Table", "tables"), std::pair("bigquery/v2:Routine", "routines")}) {
    if (row.id != id) continue;
    if (auto name = OfDataset(text, collection)) return PlainIamName{*std::move(name)};
  }
  const bool full = text.starts_with(kHost);
  std::string_view location;
  if (full) {
    text.remove_prefix(kHost.size());
    const auto end = text.find('/');
    if (end == std::string_view::npos) return std::nullopt;
    const auto served = LocationNamedBy(row, text.substr(0, end));
    if (!served) return std::nullopt;
    location = *served;
    text.remove_prefix(end + 1);
  }
  std::string name = row.service == "storage" ? InStorageForm(text, full) : std::string(text);
  return PlainIamName{std::move(name), std::string(location)};
}

}  // namespace bindery::google
