#include "config/web_config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <span>

#include "config/config_file.h"
#include "config/reading.h"
#include "config/web_reader.h"
#include "core/base/quoted.h"
#include "core/text/nearest.h"
#include "core/text/time_text.h"
#include "yaml/reader.h"

namespace bindery::config {
namespace {

using yaml::Node;
using yaml::NodeKind;

constexpr std::array<Named<ClientAuth>, 5> kClientAuth = {{
    {"NoClientCert", ClientAuth::kNone},
    {"RequestClientCert", ClientAuth::kRequest},
    {"RequireAnyClientCert", ClientAuth::kRequireAny},
    {"VerifyClientCertIfGiven", ClientAuth::kVerifyIfGiven},
    {"RequireAndVerifyClientCert", ClientAuth::kRequireAndVerify},
}};

constexpr std::array<Named<int>, 4> kVersions = {
    {{"TLS10", 10}, {"TLS11", 11}, {"TLS12", 12}, {"TLS13", 13}}};

constexpr std::array<std::string_view, 5> kHeaders = {"Content-Security-Policy", "X-Frame-Options",
                                                      "X-Content-Type-Options", "X-XSS-Protection",
                                                      "Strict-Transport-Security"};

/// Reads one file's tree; whatever is wrong is noted, and the reading goes on.
class WebConfigReader : public WebReader {
 public:
  using WebReader::WebReader;

  void ReadRoot(const Node& root) {
    ReadMap(root, "",
            {{"tls_server_config", [this](const Node& node) { ReadTls(node); }},
             {"http_server_config", [this](const Node& node) { ReadHttp(node); }},
             {"basic_auth_users", [this](const Node& node) { ReadUsers(node); }},
             {"rate_limit", [this](const Node& node) { ReadRateLimit(node); }},
             {"sign_in", [this](const Node& node) { ReadSignIn(*this, node, config_.sign_in); }},
             {"roles", [this](const Node& node) { ReadRoles(*this, node, config_.roles); }},
             {"anonymous", [this](const Node& node) { ReadAnonymous(*this, node, config_); }},
             {"metrics_token_file", Path(config_.metrics_token_file, "metrics_token_file")}});
    CheckRoles(*this, root, config_);
  }

  WebConfigResult Result() && {
    if (problems().empty()) return std::move(config_);
    return tl::unexpected(problems());
  }

 private:
  // Sections --------------------------------------------------------------------------------------

  void ReadTls(const Node& node) {
    const std::string at = "tls_server_config";
    WebTls& tls = config_.tls.emplace();
    ReadMap(node, at,
            {{"cert", Text(tls.certificate.text, at + ".cert")},
             {"cert_file", Path(tls.certificate.file, at + ".cert_file")},
             {"key", Text(tls.key.text, at + ".key")},
             {"key_file", Path(tls.key.file, at + ".key_file")},
             {"client_ca", Text(tls.client_ca.text, at + ".client_ca")},
             {"client_ca_file", Path(tls.client_ca.file, at + ".client_ca_file")},
             {"client_auth_type",
              Choice<ClientAuth>(tls.client_auth, kClientAuth, at + ".client_auth_type")},
             {"client_allowed_sans", Texts(tls.client_allowed_sans, at + ".client_allowed_sans")},
             {"min_version", Choice<int>(tls.min_version, kVersions, at + ".min_version")},
             {"max_version", Choice<int>(tls.max_version, kVersions, at + ".max_version")},
             {"cipher_suites", Texts(tls.cipher_suites, at + ".cipher_suites")},
             {"prefer_server_cipher_suites",
              Bool(tls.prefer_server_cipher_suites, at + ".prefer_server_cipher_suites")},
             {"curve_preferences", Texts(tls.curve_preferences, at + ".curve_preferences")}});
    CheckTls(node, tls);
  }

  void CheckTls(const Node& node, const WebTls& tls) {
    const std::string at = "tls_server_config";
    const auto one_of = [&](const PemSource& source, const std::string& key, bool needed) {
      if (!source.file.empty() && !source.text.empty()) {
        Add(node.at, at, Quoted(key) + " and " + Quoted(key + "_file") + " exclude each other");
      }
      if (needed && !source.given()) Add(node.at, at, "needs " + Quoted(key + "_file"));
    };
    one_of(tls.certificate, "cert", true);
    one_of(tls.key, "key", true);
    const bool verifies = tls.client_auth == ClientAuth::kVerifyIfGiven ||
                          tls.client_auth == ClientAuth::kRequireAndVerify;
    one_of(tls.client_ca, "client_ca", verifies);
    if (tls.client_ca.given() && tls.client_auth == ClientAuth::kNone) {
      Add(node.at, at, "\"client_ca_file\" is of no use with client_auth_type NoClientCert");
    }
    const bool requires_one = tls.client_auth == ClientAuth::kRequireAny ||
                              tls.client_auth == ClientAuth::kRequireAndVerify;
    if (!tls.client_allowed_sans.empty() && !requires_one) {
      Add(node.at, at,
          "\"client_allowed_sans\" needs client_auth_type RequireAnyClientCert or "
          "RequireAndVerifyClientCert");
    }
    if (tls.min_version > tls.max_version) {
      Add(node.at, at, "\"min_version\" is above \"max_version\"");
    }
  }

  void ReadHttp(const Node& node) {
    bool ignored = true;  // HTTP/2 is not offered; clients fall back to HTTP/1.1.
    ReadMap(node, "http_server_config",
            {{"http2", Bool(ignored, "http_server_config.http2")},
             {"headers", [this](const Node& headers) { ReadHeaders(headers); }}});
  }

  void ReadHeaders(const Node& node) {
    const std::string at = "http_server_config.headers";
    Fields fields;
    std::vector<std::string> values(kHeaders.size());
    for (std::size_t i = 0; i < kHeaders.size(); ++i) {
      const std::string name(kHeaders[i]);
      fields.emplace_back(name, Text(values[i], at + "." + name));
    }
    ReadMap(node, at, fields);
    for (std::size_t i = 0; i < kHeaders.size(); ++i) {
      if (values[i].empty()) continue;
      if (values[i].find_first_of("\r\n") != std::string::npos) {
        Add(node.at, at + "." + std::string(kHeaders[i]), "must not hold a line break");
      }
      config_.headers.emplace_back(kHeaders[i], values[i]);
    }
  }

  void ReadUsers(const Node& node) {
    const std::string at = "basic_auth_users";
    if (node.kind != NodeKind::kMap) {
      return Add(node.at, at, "expected a map of names, found " + WithArticle(node.kind));
    }
    for (const Node::Entry& entry : node.fields) {
      const std::string path = at + "." + entry.key;
      if (entry.key.empty() || entry.key.find(':') != std::string::npos) {
        Add(entry.key_at, path, "a user's name must not be empty nor hold a colon");
      }
      // The value is not repeated: the value may be a password without a hash.
      if (!IsBcrypt(entry.value.text)) {
        Add(entry.value.at, path, "is not a bcrypt hash ($2y$10$…, as htpasswd -nBC 10 prints)");
      }
      config_.users[entry.key] = entry.value.text;
    }
  }

  static bool IsBcrypt(std::string_view text) {
    constexpr std::size_t kLength = 60;
    if (text.size() != kLength || text[0] != '$' || text[1] != '2' || text[3] != '$') return false;
    if (std::string_view("aby").find(text[2]) == std::string_view::npos) return false;
    int cost = 0;
    const auto [end, status] = std::from_chars(text.data() + 4, text.data() + 6, cost);
    return status == std::errc() && end == text.data() + 6 && text[6] == '$' && cost >= 4 &&
           cost <= 18;
  }

  void ReadRateLimit(const Node& node) {
    ReadMap(node, "rate_limit",
            {{"interval", [this](const Node& value) { ReadInterval(value); }},
             {"burst", [this](const Node& value) { ReadBurst(value); }}});
    const bool limits = config_.rate_limit.interval.count() > 0;
    if (limits && config_.rate_limit.burst < 1) {
      Add(node.at, "rate_limit", "\"burst\" must be at least 1");
    }
  }
  void ReadInterval(const Node& node) {
    const Expected<std::chrono::milliseconds> interval = ParseDuration(node.text);
    if (interval) {
      config_.rate_limit.interval = *interval;
    } else if (node.text != "0") {
      Add(node.at, "rate_limit.interval", interval.error().message);
    }
  }
  void ReadBurst(const Node& node) {
    const char* const end = node.text.data() + node.text.size();
    const auto [stopped, status] = std::from_chars(node.text.data(), end, config_.rate_limit.burst);
    if (status != std::errc() || stopped != end) {
      Add(node.at, "rate_limit.burst", Quoted(node.text) + " is not a whole number");
    }
  }

  WebConfig config_;
};

}  // namespace

bool WebConfig::Authenticates() const {
  const bool asks = !users.empty() || sign_in.oidc || sign_in.signed_header ||
                    (tls && tls->client_auth == ClientAuth::kRequireAndVerify);
  return asks || anonymous_reads;
}

std::vector<std::filesystem::path> WebConfig::Files() const {
  std::vector<std::filesystem::path> files;
  if (!metrics_token_file.empty()) files.push_back(metrics_token_file);
  if (!tls) return files;
  for (const PemSource* source : {&tls->certificate, &tls->key, &tls->client_ca}) {
    if (!source->file.empty()) files.push_back(source->file);
  }
  return files;
}

WebConfigResult ParseWebConfig(std::string_view text, const std::string& file_name,
                               const std::filesystem::path& base_dir) {
  WebConfigReader reader(file_name, base_dir);
  const yaml::ReadResult read = yaml::ReadYaml(text);
  for (const yaml::Fault& fault : read.faults) reader.Add(fault.at, "", fault.message);
  if (read.documents.size() > 1) {
    reader.Add(read.documents[1].at, "", "a web configuration is one document");
  }
  if (!read.documents.empty() && read.faults.empty()) {
    reader.ReadRoot(read.documents.front().root);
  }
  return std::move(reader).Result();
}

WebConfigResult LoadWebConfig(const std::filesystem::path& file) {
  const Expected<std::string> text = ReadConfigFile(file);
  if (!text) {
    return tl::unexpected(
        std::vector<ConfigProblem>{{file.string(), 0, 0, "", text.error().message}});
  }
  return ParseWebConfig(*text, file.string(), file.parent_path());
}

}  // namespace bindery::config
