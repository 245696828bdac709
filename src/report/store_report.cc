#include "report/store_report.h"

#include <array>
#include <cstdio>

#include "core/time_text.h"
#include "report/json_fields.h"
#include "report/text_style.h"
#include "report/text_table.h"

namespace bindery {
namespace {

Json TimeOrNull(const std::optional<WallTime>& time) {
  if (!time) return nullptr;
  return FormatRfc3339(*time);
}

std::string EventsLine(const Json& events) {
  const Json* oldest = FindMember(events, "oldest");
  if (oldest == nullptr || oldest->is_null()) return "no events";
  return "events from " + report::Shown(events, "oldest") + " to " +
         report::Shown(events, "newest");
}

}  // namespace

std::string SizeText(std::int64_t bytes) {
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB"};
  constexpr double kStep = 1024;
  if (bytes < static_cast<std::int64_t>(kStep)) return report::Count(bytes, "byte");
  double size = static_cast<double>(bytes) / kStep;
  std::size_t unit = 0;
  while (size >= kStep && unit + 1 < kUnits.size()) {
    size /= kStep;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %s", size, kUnits.at(unit));
  return text.data();
}

Json StoreCheckReport(const std::string& store, const StoreCheck& check) {
  Json tables = Json::array();
  for (const StoreTable& table : check.tables) {
    tables.push_back({{"name", table.name}, {"rows", table.rows}, {"bytes", table.bytes}});
  }
  Json findings = Json::array();
  for (const StoreFinding& finding : check.findings) {
    findings.push_back({{"check", finding.check}, {"message", finding.message}});
  }
  return {
      {"store", store},
      {"sound", check.findings.empty()},
      {"schemaVersion", check.schema_version},
      {"bytes", check.bytes},
      {"walBytes", check.wal_bytes},
      {"freeBytes", check.free_bytes},
      {"policies", check.policies},
      {"events",
       {{"oldest", TimeOrNull(check.oldest_event)}, {"newest", TimeOrNull(check.newest_event)}}},
      {"tables", std::move(tables)},
      {"findings", std::move(findings)}};
}

std::string StoreCheckText(const Json& report, const TextStyle& style) {
  using report::Colour;
  std::string text;
  for (const Json& finding : report::ArrayMember(report, "findings")) {
    text +=
        report::Paint(report::Shown(finding, "check") + ": " + report::Shown(finding, "message"),
                      Colour::kRed, style) +
        "\n";
  }
  if (!text.empty()) text += "\n";
  report::Table table({{"TABLE"}, {"ROWS"}, {"SIZE"}});
  for (const Json& entry : report::ArrayMember(report, "tables")) {
    table.AddRow({{report::Shown(entry, "name")},
                  {std::to_string(report::IntMember(entry, "rows"))},
                  {SizeText(report::IntMember(entry, "bytes"))}});
  }
  const bool any_table = !report::ArrayMember(report, "tables").empty();
  if (any_table) text += table.Text(style) + "\n";
  if (const std::int64_t version = report::IntMember(report, "schemaVersion"); version > 0) {
    text += "schema version " + std::to_string(version) + ", ";
  }
  text += SizeText(report::IntMember(report, "bytes")) + " (" +
          SizeText(report::IntMember(report, "freeBytes")) + " free), " +
          SizeText(report::IntMember(report, "walBytes")) + " not merged yet\n";
  if (any_table) text += EventsLine(report.at("events")) + "\n";
  const auto findings = static_cast<std::int64_t>(report::ArrayMember(report, "findings").size());
  if (findings > 0) return text + report::Count(findings, "finding") + ": not sound\n";
  const std::int64_t policies = report::IntMember(report, "policies");
  return text + "sound" +
         (policies > 0 ? ", the content of " + std::to_string(policies) + " policies is as recorded"
                       : "") +
         "\n";
}

}  // namespace bindery
