#include "server/index_page.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/digest.h"
#include "core/time_text.h"
#include "report/reports.h"

namespace bindery::server {
namespace {

constexpr std::string_view kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}td,th{text-align:left;padding:.1rem 1.5rem .1rem 0}"
    "td.n{text-align:right}p.bad{color:#b00020}footer{color:#666;margin-top:2rem}";

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kLinks = {{
    {"/api/v1/resources", "resources with status and outputs"},
    {"/api/v1/drift", "what differs from the manifests"},
    {"/api/v1/plan", "what the next pass would do"},
    {"/api/v1/events", "what happened"},
    {"/api/v1/guard", "removals that wait for approval"},
    {"/metrics", "metrics for Prometheus"},
    {"/readyz?verbose", "ready"},
    {"/livez?verbose", "alive"},
    {"/healthz?verbose", "all checks"},
}};

std::string Escaped(std::string_view text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

unsigned Nibble(char hex) { return static_cast<unsigned>(hex <= '9' ? hex - '0' : hex - 'a' + 10); }

/// What a Content-Security-Policy calls 'sha256-…': the digest of the style sheet in base64.
std::string StyleDigest() {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string hex = Sha256Hex(kStyle);
  std::string text;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char digit : hex) {
    bits = (bits << 4U) | Nibble(digit);
    count += 4;
    if (count < 6) continue;
    count -= 6;
    text += kLetters[(bits >> count) & 63U];
  }
  // 256 bits leave four over, which two zero bits and one '=' make whole.
  text += kLetters[(bits << (6 - count)) & 63U];
  return text + "=";
}

std::string Row(std::string_view name, std::string_view value) {
  return fmt::format("<tr><td>{}</td><td class=\"n\">{}</td></tr>\n", Escaped(name),
                     Escaped(value));
}

std::string Bad(const Error& error) {
  return "<p class=\"bad\">The store cannot be read: " + Escaped(error.message) + "</p>\n";
}

std::string ResourceTable(const Store& store) {
  const auto resources = store.Resources();
  if (!resources) return Bad(resources.error());
  std::map<ResourceState, std::size_t> states;
  for (const ResourceRecord& record : *resources) ++states[record.status.state];
  std::string rows;
  for (const ResourceState state :
       {ResourceState::kReady, ResourceState::kReconciling, ResourceState::kStalled}) {
    rows += Row(ToString(state), std::to_string(states[state]));
  }
  return "<h2>Resources</h2>\n<table>\n" + rows + "</table>\n";
}

std::string DriftTable(const ApiParts& parts) {
  const Expected<Json> drift = DriftReport(parts.store, parts.clock.Wall(), std::nullopt);
  if (!drift) return Bad(drift.error());
  const Json& summary = drift->at("summary");
  std::string rows;
  for (const auto& severity : summary.at("bySeverity").items()) {
    rows += Row(severity.key(), severity.value().dump());
  }
  return fmt::format(
      "<h2>Drift</h2>\n<p>{} open, {} held, among {} grants on {} targets.</p>\n"
      "<table>\n{}</table>\n",
      summary.at("open").dump(), summary.at("held").dump(), summary.at("grants").dump(),
      summary.at("targets").dump(), rows);
}

std::string LinkList() {
  std::string rows;
  for (const auto& [path, what] : kLinks) {
    rows += fmt::format("<tr><td><a href=\"{0}\">{0}</a></td><td>{1}</td></tr>\n", path, what);
  }
  return "<h2>Endpoints</h2>\n<table>\n" + rows + "</table>\n";
}

}  // namespace

httpd::Response IndexPage(const ApiParts& parts) {
  httpd::Response response;
  response.headers = {
      {"Content-Type", "text/html; charset=utf-8"},
      {"Content-Security-Policy", "default-src 'none'; style-src 'sha256-" + StyleDigest() +
                                      "'; base-uri 'none'; form-action 'none'; "
                                      "frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-store"}};
  response.body = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>bindery</title>\n<style>{}</style>\n</head>\n<body>\n<h1>bindery</h1>\n{}{}{}"
      "<footer>as of {}</footer>\n</body>\n</html>\n",
      kStyle, ResourceTable(parts.store), DriftTable(parts), LinkList(),
      FormatRfc3339(parts.clock.Wall()));
  return response;
}

}  // namespace bindery::server
