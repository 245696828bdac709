#include "cloud/curl/proxy_choice.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <utility>

namespace bindery::cloud {
namespace {

struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

std::string Part(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return {};
  std::string result = text;
  curl_free(text);
  return result;
}

tl::unexpected<Error> NoProxyUrl(const std::string& set_by) {
  // The text is not repeated: it may hold a password.
  return Fail(Code::kInvalidArgument,
              "what " + set_by + " holds is not a proxy such as http://proxy.example:3128");
}

int DefaultPort(std::string_view scheme) {
  // What libcurl takes for a proxy without a port.
  return scheme == "https" ? 443 : 1080;
}

Expected<Proxy> ReadProxy(const std::string& text, const std::string& set_by) {
  constexpr std::array<std::string_view, 7> kSchemes = {"http",    "https",  "socks5h", "socks5",
                                                        "socks4a", "socks4", "socks"};
  const std::unique_ptr<CURLU, FreeUrl> url(curl_url());
  constexpr unsigned kLenient = CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME;
  if (url == nullptr ||
      curl_url_set(url.get(), CURLUPART_URL, text.c_str(), kLenient) != CURLUE_OK) {
    return NoProxyUrl(set_by);
  }
  // "proxy.example:3128" is a plain HTTP proxy, whatever libcurl guesses from the name.
  const bool bare = text.find("://") == std::string::npos;
  const std::string scheme = bare ? "http" : Part(url.get(), CURLUPART_SCHEME);
  if (std::ranges::find(kSchemes, std::string_view(scheme)) == kSchemes.end()) {
    return NoProxyUrl(set_by);
  }
  // libcurl would later drop an undecodable part, and the proxy with it.
  for (const CURLUPart part : {CURLUPART_USER, CURLUPART_PASSWORD}) {
    char* text_of_part = nullptr;
    const CURLUcode got = curl_url_get(url.get(), part, &text_of_part, CURLU_URLDECODE);
    curl_free(text_of_part);
    const bool absent = got == CURLUE_NO_USER || got == CURLUE_NO_PASSWORD;
    if (got != CURLUE_OK && !absent) return NoProxyUrl(set_by);
  }
  Proxy proxy;
  proxy.url = bare ? "http://" + text : text;
  proxy.host = Part(url.get(), CURLUPART_HOST);
  const std::string port = Part(url.get(), CURLUPART_PORT);
  if (proxy.host.empty()) return NoProxyUrl(set_by);
  proxy.port = port.empty() ? DefaultPort(scheme) : std::stoi(port);
  proxy.secure = scheme == "https";
  proxy.shown = scheme + "://" + proxy.host + ":" + std::to_string(proxy.port);
  proxy.set_by = set_by;
  return proxy;
}

/// The first of the variables that is set and not empty.
std::optional<std::pair<std::string, std::string>> FirstSet(
    const EnvironmentLookup& environment, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    auto value = environment(name);
    if (value && !value->empty()) return std::make_pair(std::string(name), std::move(*value));
  }
  return std::nullopt;
}

std::optional<Expected<Proxy>> FromEnvironment(const EnvironmentLookup& environment,
                                               std::initializer_list<const char*> names) {
  const auto found = FirstSet(environment, names);
  if (!found) return std::nullopt;
  return ReadProxy(found->second, found->first);
}

std::string DirectHosts(const std::string& no_proxy, const EnvironmentLookup& environment) {
  constexpr const char* kLoopback = "localhost,127.0.0.0/8,::1";
  std::string hosts = no_proxy;
  if (hosts.empty()) {
    const auto found = FirstSet(environment, {"no_proxy", "NO_PROXY"});
    if (found) hosts = found->second;
  }
  if (hosts.empty()) return kLoopback;
  return hosts == "*" ? hosts : hosts + "," + kLoopback;
}

}  // namespace

ProxyChoice::ProxyChoice(const std::string& proxy, const std::string& no_proxy,
                         const EnvironmentLookup& environment)
    : no_proxy_(DirectHosts(no_proxy, environment)) {
  if (proxy == "none") return;
  if (!proxy.empty()) {
    plain_ = ReadProxy(proxy, "transport.proxy");
    secure_ = plain_;
    return;
  }
  // HTTP_PROXY in capitals is what a web server makes of a client's "Proxy:" header: not read.
  plain_ = FromEnvironment(environment, {"http_proxy", "all_proxy", "ALL_PROXY"});
  secure_ = FromEnvironment(environment, {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"});
}

Expected<const Proxy*> ProxyChoice::For(const std::string& url) const {
  const Slot& slot = url.rfind("http://", 0) == 0 ? plain_ : secure_;
  if (!slot.has_value()) return nullptr;
  if (!slot->has_value()) return Fail(slot->error());
  return &**slot;
}

}  // namespace bindery::cloud
