// What happened, from the store, while the daemon is down or up.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <thread>

#include "app/command_line.h"
#include "app/shell/common.h"
#include "core/base/json_text.h"
#include "core/text/printable.h"
#include "report/codec/moment.h"
#include "report/forms/texts.h"
#include "report/reports/reports.h"
#include "server/queries.h"
#include "yaml/node.h"

namespace bindery::app {
namespace {

struct EventsArguments {
  std::string name;   ///< Of a resource; empty: all events.
  std::string since;  ///< As ParseMoment reads it; empty: any time.
  std::size_t limit = 1000;
  bool follow = false;
};

/// Events as a stream: each can be read before the next comes.
void PrintEach(const CommandContext& context, const std::vector<report::EventLine>& events) {
  for (const report::EventLine& event : events) {
    std::string text = context.output == Output::kJson
                           ? PrintableJson(CompactJson(report::ToJson(event))) + "\n"
                           : PrintableOutput(report::LineOfEvent(event, StyleOfOutput()));
    if (context.output == Output::kYaml) text = "---\n" + yaml::ToYaml(report::ToJson(event));
    std::fputs(text.c_str(), stdout);
  }
  std::fflush(stdout);
}

/// With `follow` continues with new events, one per line (in JSON, one document), until
/// interrupted.
int EventsCommand(const CommandContext& context, const EventsArguments& arguments) {
  store::EventFilter filter;
  filter.resource = arguments.name;
  filter.limit = arguments.limit;
  if (!arguments.since.empty()) {
    const auto moment = report::ParseMoment(arguments.since, std::chrono::system_clock::now());
    if (!moment) return PrintError(moment.error().Wrap("--since"));
    filter.since = *moment;
  }
  return WithStore(context, [&](const store::ReportReader& store) {
    while (true) {
      const Expected<report::EventList> report = report::EventsReport(store, filter);
      if (!report) return PrintError(report.error());
      if (!arguments.follow) {
        Print(context, *report, report::EventsText);
        return kExitOk;
      }
      PrintEach(context, report->events);
      // The end of the program reports the error.
      if (std::ferror(stdout) != 0) return kExitOk;
      if (!report->events.empty()) filter.after_id = report->events.back().id;
      filter.limit = std::numeric_limits<std::int32_t>::max();  // What comes now is all shown.
      std::this_thread::sleep_for(std::chrono::seconds(1));
    }
  });
}

}  // namespace

void DefineEvents(CommandLine& line) {
  auto& arguments = line.Keep<EventsArguments>();
  const Command events(line, "events", "Show events, newest last");
  events->add_option("name", arguments.name, "Only events of this resource")
      ->type_name(kResourceType);
  events->add_option("--since", arguments.since,
                     std::string("Only events since: ") + report::kMomentForms);
  events->add_option("--limit", arguments.limit, "Maximum number of events, the newest")
      ->check(CLI::Range(std::int64_t{1}, server::kMostItems))
      ->capture_default_str();
  events->add_flag("-f,--follow", arguments.follow, "Continue with new events, one per line");
  events.NoHeaders();
  events.Output({"text", "json", "yaml"});
  events.Examples(
      "bindery events --since yesterday\nbindery events payments-viewers --limit 20\n"
      "bindery events --follow -o json | jq .message");
  events.Runs(
      [&arguments](const CommandContext& context) { return EventsCommand(context, arguments); });
}

}  // namespace bindery::app
