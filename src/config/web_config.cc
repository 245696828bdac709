#include "config/web_config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <span>

#include "config/config_file.h"
#include "config/reading.h"
#include "core/nearest.h"
#include "core/quoted.h"
#include "core/time_text.h"
#include "yaml/reader.h"

namespace bindery {
namespace {

using config_internal::WithArticle;
using yaml::Node;
using yaml::NodeKind;

template <typename T>
using Named = std::pair<std::string_view, T>;

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
class WebConfigReader {
 public:
  WebConfigReader(std::string file, std::filesystem::path base_dir)
      : file_(std::move(file)), base_dir_(std::move(base_dir)) {}

  void Add(yaml::Position at, std::string path, std::string message) {
    problems_.push_back({file_, at.line, at.column, std::move(path), std::move(message)});
  }

  void ReadRoot(const Node& root) {
    ReadMap(root, "",
            {{"tls_server_config", [this](const Node& node) { ReadTls(node); }},
             {"http_server_config", [this](const Node& node) { ReadHttp(node); }},
             {"basic_auth_users", [this](const Node& node) { ReadUsers(node); }},
             {"rate_limit", [this](const Node& node) { ReadRateLimit(node); }}});
  }

  WebConfigResult Result() && {
    if (problems_.empty()) return std::move(config_);
    return tl::unexpected(std::move(problems_));
  }

 private:
  using Fields = std::vector<std::pair<std::string, std::function<void(const Node&)>>>;

  /// Calls the reader of each field; refuses what has none.
  void ReadMap(const Node& map, const std::string& section, const Fields& fields) {
    if (map.kind == NodeKind::kNull) return;
    if (map.kind != NodeKind::kMap) {
      return Add(map.at, section, "expected a map, found " + WithArticle(map.kind));
    }
    std::vector<std::string> known;
    for (const auto& field : fields) known.push_back(field.first);
    for (const Node::Entry& entry : map.fields) {
      const auto found = std::ranges::find(fields, entry.key, &Fields::value_type::first);
      if (found != fields.end()) {
        if (entry.value.kind != NodeKind::kNull) found->second(entry.value);
        continue;
      }
      std::string message = "unknown key";
      if (const auto nearest = NearestSpelling(entry.key, known)) {
        message += ": did you mean " + Quoted(*nearest) + "?";
      }
      Add(entry.key_at, section.empty() ? entry.key : section + "." + entry.key, message);
    }
  }

  // Readers of one value ------------------------------------------------------------------------

  std::function<void(const Node&)> Text(std::string& slot, const std::string& path) {
    return [this, &slot, path](const Node& node) {
      if (node.kind == NodeKind::kString) {
        slot = node.text;
      } else {
        Add(node.at, path, "expected a string, found " + WithArticle(node.kind));
      }
    };
  }
  std::function<void(const Node&)> Path(std::filesystem::path& slot, const std::string& path) {
    return [this, &slot, path](const Node& node) {
      std::string text;
      Text(text, path)(node);
      if (!text.empty()) slot = (base_dir_ / text).lexically_normal();
    };
  }
  std::function<void(const Node&)> Bool(bool& slot, const std::string& path) {
    return [this, &slot, path](const Node& node) {
      if (node.kind == NodeKind::kBool) {
        slot = node.AsBool();
      } else {
        Add(node.at, path, "expected true or false, found " + WithArticle(node.kind));
      }
    };
  }
  std::function<void(const Node&)> Texts(std::vector<std::string>& slot, const std::string& path) {
    return [this, &slot, path](const Node& node) {
      if (node.kind != NodeKind::kList) {
        return Add(node.at, path, "expected a list, found " + WithArticle(node.kind));
      }
      for (const Node& item : node.items) {
        std::string text;
        Text(text, path)(item);
        slot.push_back(std::move(text));
      }
    };
  }
  template <typename T>
  std::function<void(const Node&)> Choice(T& slot, std::span<const Named<T>> names,
                                          const std::string& path) {
    return [this, &slot, names, path](const Node& node) {
      const auto found = std::ranges::find(names, std::string_view(node.text), &Named<T>::first);
      if (found != names.end()) {
        slot = found->second;
        return;
      }
      std::string known;
      for (const auto& [name, value] : names)
        known += (known.empty() ? "" : ", ") + std::string(name);
      Add(node.at, path, Quoted(node.text) + " is not accepted: expected one of " + known);
    };
  }

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
      // The value is not repeated: it may be a password that somebody forgot to hash.
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

  std::string file_;
  std::filesystem::path base_dir_;
  WebConfig config_;
  std::vector<ConfigProblem> problems_;
};

}  // namespace

bool WebConfig::Authenticates() const {
  return !users.empty() || (tls && tls->client_auth == ClientAuth::kRequireAndVerify);
}

std::vector<std::filesystem::path> WebConfig::Files() const {
  std::vector<std::filesystem::path> files;
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
  const Expected<std::string> text = config_internal::ReadConfigFile(file);
  if (!text) {
    return tl::unexpected(
        std::vector<ConfigProblem>{{file.string(), 0, 0, "", text.error().message}});
  }
  return ParseWebConfig(*text, file.string(), file.parent_path());
}

}  // namespace bindery
