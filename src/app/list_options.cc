// The options of the commands that list what the store has: get, events, history.

#include "app/command_line.h"
#include "app/completion.h"
#include "report/moment.h"
#include "server/queries.h"

namespace bindery {
namespace {

void AddNoHeaders(CLI::App* command, CommandLine& line) {
  command->add_flag("--no-headers", line.context.no_headers, "Rows only: no titles, no remarks");
}

void AddGet(CLI::App& app, CommandLine& line) {
  CLI::App* get = AddCommand(app, line, "get", "Show resources with status and outputs",
                             [&line] { return GetCommand(line.context, line.get); });
  get->add_option("what", line.get.what, "[KIND] [NAME]")->expected(0, 2);
  AddLabels(get, line.get.labels);
  get->add_flag("--not-ready", line.get.not_ready, "Only resources that are not ready");
  get->add_flag("--show-secrets", line.get.show_secrets,
                "Read lookups now and show their secrets as they are");
  get->add_flag("-w,--watch", line.get.watch, "Show again whenever something changes");
  AddNoHeaders(get, line);
  AddOutput(get, line, {"text", "wide", "name", "json", "yaml"});
}

void AddEvents(CLI::App& app, CommandLine& line) {
  CLI::App* events = AddCommand(app, line, "events", "Show what happened, newest last",
                                [&line] { return EventsCommand(line.context, line.events); });
  events->add_option("name", line.events.name, "Only of this resource")->type_name(kResourceType);
  events->add_option("--since", line.events.since,
                     std::string("Only what happened since then: ") + kMomentForms);
  events->add_option("--limit", line.events.limit, "Maximum number of events, the newest")
      ->check(CLI::Range(std::int64_t{1}, server::kMostItems))
      ->capture_default_str();
  events->add_flag("-f,--follow", line.events.follow, "Go on with what happens, one event a line");
  AddNoHeaders(events, line);
  AddOutput(events, line, {"text", "json", "yaml"});
}

void AddHistory(CLI::App& app, CommandLine& line) {
  CLI::App* history = AddCommand(
      app, line, "history", "Show the recorded policies of a target, or what one changed",
      [&line] { return HistoryCommand(line.context, line.name, line.revision); });
  history->add_option("name", line.name, "A resource on the target")
      ->required()
      ->type_name(kResourceType);
  history->add_option("revision", line.revision, "What came and went with this one")
      ->check(CLI::PositiveNumber);
  AddNoHeaders(history, line);
  AddOutput(history, line, {"text", "json", "yaml"});
}

}  // namespace

void AddListCommands(CLI::App& app, CommandLine& line) {
  AddGet(app, line);
  AddEvents(app, line);
  AddHistory(app, line);
}

}  // namespace bindery
