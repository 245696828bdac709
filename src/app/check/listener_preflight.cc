#include "app/check/listener_preflight.h"

#include <map>
#include <string>

#include "core/settings/address.h"
#include "report/text/text_style.h"

namespace bindery::app {
namespace {

constexpr const char* kCheck = "listener";

/// "2 users, sign-in at https://id.example.com; 1 approver; everybody reads /metrics".
std::string WhoIsLetIn(const config::WebConfig& web) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (!web.users.empty()) add(report::Count(std::ssize(web.users), "user"));
  if (web.tls && web.tls->client_auth == config::ClientAuth::kRequireAndVerify) {
    add("verified certificates");
  }
  if (web.sign_in.oidc) add("sign-in at " + web.sign_in.oidc->issuer);
  if (web.sign_in.signed_header) add("signed " + web.sign_in.signed_header->header);
  if (text.empty()) text = "nobody is asked for a name";
  if (!web.roles) return text + "; no roles: who is known may do everything";
  std::map<Role, std::int64_t> count;
  for (const auto& [subject, role] : *web.roles) ++count[role];
  for (const auto& [role, subjects] : count) {
    text += "; " + report::Count(subjects, ToString(role));
  }
  return text;
}

std::string WhatIsOpen(const config::WebConfig& web) {
  if (web.anonymous_reads) return "; everybody reads everything";
  return web.anonymous_metrics ? "; everybody reads /metrics" : "";
}

report::PreflightCheck OfListener(report::CheckState state, const std::string& subject,
                                  const std::string& message, const std::string& action = "") {
  return {kCheck, subject, state, message, action};
}

}  // namespace

report::PreflightCheck PreflightOfListener(const config::ServerConfig& server) {
  const std::string listen = server.listen.Text();
  if (server.listen.host.empty() && server.listen.port == 0) {
    return OfListener(report::CheckState::kOk, "", "none: the UNIX socket alone");
  }
  const bool local = IsLoopbackHost(server.listen.host);
  if (server.web_config.empty()) {
    if (local) {
      return OfListener(report::CheckState::kOk, listen,
                        "everybody on this machine reads; nobody changes anything over TCP");
    }
    if (server.insecure) {
      return OfListener(
          report::CheckState::kWarning, listen,
          "everybody who reaches the address reads who has access to what",
          "name users or a sign-in in server.webConfigFile, or let nobody but the scraper "
          "reach the address");
    }
    return OfListener(report::CheckState::kFailed, listen,
                      "other machines reach the address without a name",
                      "name users or a sign-in in server.webConfigFile");
  }
  const config::WebConfigResult web = config::LoadWebConfig(server.web_config);
  if (!web) {
    return OfListener(report::CheckState::kFailed, server.web_config.string(),
                      web.error().front().Text(), "correct what the message names");
  }
  const std::string found = WhoIsLetIn(*web) + WhatIsOpen(*web);
  if (!local && web->anonymous_reads) {
    return OfListener(report::CheckState::kWarning, listen, found, "take read out of anonymous");
  }
  const bool plain = !local && !web->tls && !web->users.empty();
  if (plain) {
    return OfListener(report::CheckState::kWarning, listen,
                      found + "; passwords travel over plain HTTP",
                      "set tls_server_config, or make sure that a proxy in front does TLS");
  }
  return OfListener(report::CheckState::kOk, listen, found);
}

}  // namespace bindery::app
