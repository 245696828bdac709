#include <array>
#include <chrono>

#include "config/web_reader.h"
#include "core/settings/address.h"
#include "core/text/time_text.h"

namespace bindery::config {
namespace {

using yaml::Node;

constexpr std::array<Named<Role>, 3> kRoles = {
    {{"viewer", Role::kViewer}, {"operator", Role::kOperator}, {"approver", Role::kApprover}}};

constexpr std::array<std::string_view, 4> kSubjects = {"user:", "certificate:", "email:", "group:"};

std::function<void(const Node&)> Seconds(WebReader& reader, std::chrono::seconds& slot,
                                         const std::string& path) {
  return [&reader, &slot, path](const Node& node) {
    constexpr std::chrono::hours kMost{24 * 30};
    const auto read = ParseDuration(node.text);
    if (!read) return reader.Add(node.at, path, read.error().message);
    if (*read < std::chrono::minutes(1) || *read > kMost) {
      return reader.Add(node.at, path, "must be between 1m and 30d");
    }
    slot = std::chrono::duration_cast<std::chrono::seconds>(*read);
  };
}

/// An https URL; plain HTTP only to this machine. The text stays as it is written.
void CheckUrl(WebReader& reader, const Node& node, const std::string& path,
              const std::string& url) {
  if (const auto good = ParseServiceUrl(url); !good) {
    reader.Add(node.at, path, good.error().message);
  }
}

void ReadOpenId(WebReader& reader, const Node& node, std::optional<WebOpenId>& slot) {
  const std::string at = "sign_in.oidc";
  WebOpenId& oidc = slot.emplace();
  reader.ReadMap(
      node, at,
      {{"issuer", reader.Text(oidc.issuer, at + ".issuer")},
       {"client_id", reader.Text(oidc.client_id, at + ".client_id")},
       {"client_secret_file", reader.Path(oidc.client_secret_file, at + ".client_secret_file")},
       {"scopes",
        [&](const Node& list) {
          oidc.scopes.clear();
          reader.Texts(oidc.scopes, at + ".scopes")(list);
        }},
       {"groups_claim", reader.Text(oidc.groups_claim, at + ".groups_claim")},
       {"hosted_domain", reader.Text(oidc.hosted_domain, at + ".hosted_domain")},
       {"ca_file", reader.Path(oidc.ca_file, at + ".ca_file")}});
  CheckUrl(reader, node, at + ".issuer", oidc.issuer);
  if (oidc.client_id.empty()) reader.Add(node.at, at, "needs \"client_id\"");
  if (oidc.groups_claim.empty()) reader.Add(node.at, at, "\"groups_claim\" must not be empty");
  if (std::ranges::find(oidc.scopes, "openid") == oidc.scopes.end()) {
    reader.Add(node.at, at + ".scopes", "must hold \"openid\"");
  }
}

void ReadSignedHeader(WebReader& reader, const Node& node, std::optional<WebSignedHeader>& slot) {
  const std::string at = "sign_in.signed_header";
  WebSignedHeader& header = slot.emplace();
  reader.ReadMap(node, at,
                 {{"audience", reader.Text(header.audience, at + ".audience")},
                  {"header", reader.Text(header.header, at + ".header")},
                  {"issuer", reader.Text(header.issuer, at + ".issuer")},
                  {"keys_url", reader.Text(header.keys_url, at + ".keys_url")}});
  if (header.audience.empty()) {
    reader.Add(
        node.at, at,
        "needs \"audience\": tokens for other services of the proxy would be accepted without");
  }
  if (header.issuer.empty()) reader.Add(node.at, at, "needs \"issuer\"");
  if (header.header.empty() || header.header.find_first_of(":\r\n _") != std::string::npos) {
    reader.Add(node.at, at + ".header", "must be the name of a header, without '_'");
  }
  CheckUrl(reader, node, at + ".keys_url", header.keys_url);
}

void CheckExternalUrl(WebReader& reader, const Node& node, WebSignIn& sign_in) {
  const std::string path = "sign_in.external_url";
  if (sign_in.external_url.empty()) {
    if (sign_in.oidc) {
      reader.Add(node.at, path,
                 "is needed with oidc: how browsers reach the dashboard, such as "
                 "https://bindery.example.com");
    }
    return;
  }
  auto url = ParseServiceUrl(sign_in.external_url);
  if (!url) return reader.Add(node.at, path, url.error().message);
  if (url->find('/', url->find("//") + 2) != std::string::npos) {
    return reader.Add(node.at, path, "must not have a path: the dashboard is at the root");
  }
  sign_in.external_url = *std::move(url);
}

}  // namespace

void ReadSignIn(WebReader& reader, const Node& node, WebSignIn& sign_in) {
  reader.ReadMap(
      node, "sign_in",
      {{"external_url", reader.Text(sign_in.external_url, "sign_in.external_url")},
       {"oidc", [&](const Node& oidc) { ReadOpenId(reader, oidc, sign_in.oidc); }},
       {"signed_header",
        [&](const Node& header) { ReadSignedHeader(reader, header, sign_in.signed_header); }},
       {"lifetime", Seconds(reader, sign_in.lifetime, "sign_in.lifetime")},
       {"idle", Seconds(reader, sign_in.idle, "sign_in.idle")},
       {"sessions_file", reader.Path(sign_in.sessions_file, "sign_in.sessions_file")}});
  CheckExternalUrl(reader, node, sign_in);
}

void ReadRoles(WebReader& reader, const Node& node,
               std::optional<std::map<std::string, Role>>& roles) {
  auto& map = roles.emplace();
  WebReader::Fields fields;
  for (const auto& [name, role] : kRoles) {
    const std::string path = "roles." + std::string(name);
    const auto read = [&reader, &map, path, role = role](const Node& list) {
      std::vector<std::string> subjects;
      reader.Texts(subjects, path)(list);
      for (const std::string& subject : subjects) {
        const bool known = std::ranges::any_of(kSubjects, [&](std::string_view kind) {
          return subject.starts_with(kind) && subject.size() > kind.size();
        });
        if (!known) {
          reader.Add(list.at, path,
                     Quoted(subject) +
                         " is not user:NAME, certificate:SUBJECT, email:ADDRESS or "
                         "group:NAME");
        }
        Role& given = map.try_emplace(subject, Role::kNone).first->second;
        given = std::max(given, role);
      }
    };
    fields.emplace_back(name, read);
  }
  reader.ReadMap(node, "roles", fields);
}

void ReadAnonymous(WebReader& reader, const Node& node, WebConfig& config) {
  std::vector<std::string> words;
  reader.Texts(words, "anonymous")(node);
  for (const std::string& word : words) {
    if (word == "metrics") {
      config.anonymous_metrics = true;
    } else if (word == "read") {
      config.anonymous_metrics = config.anonymous_reads = true;
    } else {
      reader.Add(node.at, "anonymous",
                 Quoted(word) + " is not accepted: expected one of metrics, read");
    }
  }
}

void CheckRoles(WebReader& reader, const Node& root, const WebConfig& config) {
  const bool provider = config.sign_in.oidc || config.sign_in.signed_header;
  if (provider && !config.roles) {
    reader.Add(root.at, "roles",
               "is needed with sign_in: without roles nobody who signs in may do anything");
  }
  if (!config.roles) return;
  for (const auto& [subject, role] : *config.roles) {
    const bool person = subject.starts_with("email:") || subject.starts_with("group:");
    if (person && !provider) {
      reader.Add(root.at, "roles",
                 Quoted(subject) + " has a role, but there is no sign_in that knows the name");
    }
    constexpr std::string_view kUser = "user:";
    if (subject.starts_with(kUser) && !config.users.contains(subject.substr(kUser.size()))) {
      reader.Add(root.at, "roles", Quoted(subject) + " is not in basic_auth_users");
    }
  }
}

}  // namespace bindery::config
