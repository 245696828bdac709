#include "harness/document.h"

#include <filesystem>
#include <map>

#include "harness/files.h"
#include "harness/plot.h"

namespace bindery::bench {

Expected<std::string> ReplaceSection(const std::string& text, const std::string& name,
                                     const std::string& content) {
  const std::string begin = "<!-- bench:" + name + " -->\n";
  const std::string end = "<!-- /bench:" + name + " -->";
  const std::size_t from = text.find(begin);
  const std::size_t to = text.find(end, from == std::string::npos ? 0 : from);
  if (from == std::string::npos || to == std::string::npos) {
    return Fail(Code::kNotFound, "no section \"" + begin.substr(0, begin.size() - 1) + "\"");
  }
  return text.substr(0, from) + begin + content + text.substr(to);
}

Expected<void> WriteTables(const std::string& page, const Results& results) {
  std::map<std::string, std::string> tables;
  for (const Figure& figure : results.figures) {
    tables[figure.workload] = FigureTable(results, figure.workload);
  }
  for (const Slope& slope : results.slopes) {
    std::string& table = tables[slope.workload];
    const std::string slopes = SlopeTable(results.slopes, slope.workload);
    if (!table.ends_with(slopes)) table += (table.empty() ? "" : "\n") + slopes;
  }
  if (!results.growths.empty()) tables["growth"] = GrowthTable(results.growths);
  if (!results.peers.empty()) tables["peers"] = PeerTable(results.peers);
  std::string text = ReadText(page);
  for (const auto& [name, table] : tables) {
    auto replaced = ReplaceSection(
        text, name,
        "\nMeasured " + results.date + " on " + results.machine + ".\n\n" + table + "\n");
    if (!replaced) return Fail(replaced.error().Wrap(page));
    text = std::move(*replaced);
  }
  WriteText(page, text);
  return {};
}

Expected<void> WritePlots(const std::string& folder, const Results& results) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Fail(Code::kPermissionDenied, folder + ": " + failed.message());
  for (const Growth& growth : results.growths) {
    WriteText(folder + "/" + growth.workload + ".svg", PlotOf(growth));
  }
  return {};
}

}  // namespace bindery::bench
