#include "app/provider_twins.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace bindery {
namespace {

/// A URL as it is compared: host in lower case, no default port, no slash at the end.
std::string Normal(std::string url) {
  constexpr std::pair<std::string_view, std::string_view> kDefaultPorts[] = {{"https://", ":443"},
                                                                             {"http://", ":80"}};
  while (url.ends_with('/')) url.pop_back();
  const auto scheme = url.find("://");
  const auto path = scheme == std::string::npos ? url.npos : url.find('/', scheme + 3);
  std::string origin = url.substr(0, path);
  std::transform(origin.begin(), origin.end(), origin.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  for (const auto& [begin, port] : kDefaultPorts) {
    if (origin.starts_with(begin) && origin.ends_with(port)) {
      origin.resize(origin.size() - port.size());
    }
  }
  return path == std::string::npos ? origin : origin + url.substr(path);
}

/// What tells the organization: an API key is one organization's, and so is a token. Nothing when
/// there are no credentials to be had.
std::optional<std::string> AccountOf(const Connection& connection) {
  HttpRequest request;
  if (!connection.authorizer->Authorize(request)) return std::nullopt;
  for (const auto& [name, value] : request.headers) {
    if (name == "DD-API-KEY" || name == "Authorization") return name + " " + value;
  }
  return "";
}

}  // namespace

Expected<void> RefuseTwins(const Engine::Connections& connections) {
  std::map<std::pair<std::string, std::string>, std::string> known;
  for (const auto& [name, connection] : connections) {
    const std::string& url = connection->BaseUrl("datadog");
    if (url.empty()) continue;
    std::optional<std::string> account = AccountOf(*connection);
    if (!account) continue;
    const auto [twin, first] = known.try_emplace({Normal(url), std::move(*account)}, name);
    if (first) continue;
    return Fail(Code::kFailedPrecondition,
                "providers." + name + ": it reaches the same organization as providers." +
                    twin->second + " (" + url + ", with the same key): what manifests declare " +
                    "through the one and through the other would be written in turn; keep one of "
                    "them");
  }
  return {};
}

}  // namespace bindery
