#include "report/checks/store_report.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/text/time_text.h"
#include "report/text/text_style.h"
#include "report/text/text_table.h"

namespace bindery::report {
namespace {

std::string EventsLine(const EventSpan& events) {
  if (!events.oldest) return "no events";
  return "events from " + FormatRfc3339(*events.oldest) + " to " +
         TimeText(events.newest.value_or(WallTime{}));
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

StoreCheckResult StoreCheckReport(const std::string& store, const store::StoreCheck& check) {
  StoreCheckResult result;
  result.store = store;
  result.sound = check.findings.empty();
  result.schema_version = check.schema_version;
  result.bytes = check.bytes;
  result.wal_bytes = check.wal_bytes;
  result.free_bytes = check.free_bytes;
  result.policies = check.policies;
  result.events = {check.oldest_event, check.newest_event};
  result.tables = check.tables;
  result.findings = check.findings;
  return result;
}

std::string StoreCheckText(const StoreCheckResult& result, const TextStyle& style) {
  std::string text;
  for (const store::StoreFinding& finding : result.findings) {
    text +=
        Paint(Printable(finding.check) + ": " + Printable(finding.message), Colour::kRed, style) +
        "\n";
  }
  if (!text.empty()) text += "\n";
  Table table({{"TABLE"}, {"ROWS"}, {"SIZE"}});
  for (const store::StoreTable& entry : result.tables) {
    table.AddRow({{Printable(entry.name)}, {std::to_string(entry.rows)}, {SizeText(entry.bytes)}});
  }
  const bool any_table = !result.tables.empty();
  if (any_table) text += table.Text(style) + "\n";
  if (result.schema_version > 0) {
    text += "schema version " + std::to_string(result.schema_version) + ", ";
  }
  text += SizeText(result.bytes) + " (" + SizeText(result.free_bytes) + " free), " +
          SizeText(result.wal_bytes) + " not merged yet\n";
  // The events of tables that are not known were not read.
  const bool known = std::ranges::none_of(result.findings, [](const store::StoreFinding& finding) {
    return finding.check == "version";
  });
  if (any_table && known) text += EventsLine(result.events) + "\n";
  const auto findings = static_cast<std::int64_t>(result.findings.size());
  if (findings > 0) return text + report::Count(findings, "finding") + ": not sound\n";
  return text + "sound" +
         (result.policies > 0
              ? ", the content of " + report::Count(result.policies, "policy") + " is as recorded"
              : "") +
         "\n";
}

}  // namespace bindery::report
