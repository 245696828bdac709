#include "app/shell/common.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/process/version.h"
#include "app/process/waiting_line.h"
#include "app/run/daemon_client.h"
#include "core/text/nearest.h"
#include "core/text/printable.h"
#include "report/text/text_style.h"
#include "store/catalog_outline.h"
#include "store/open_store.h"
#include "yaml/node.h"

namespace bindery::app {

namespace {

bool HasConfig(const CommandContext& context) {
  std::error_code ignored;
  return context.config_given || std::filesystem::exists(context.config_file, ignored);
}

/// Reports every fault.
Expected<config::Config> Checked(config::ConfigResult config, const std::string& what) {
  if (config) return std::move(*config);
  for (const config::ConfigProblem& problem : config.error()) {
    std::fprintf(stderr, "%s\n", PrintableOutput(problem.Text()).c_str());
  }
  return Fail(Code::kInvalidArgument, what + " cannot be used");
}

}  // namespace

int PrintError(const std::string& message) {
  PauseWaiting();
  std::fprintf(stderr, "bindery: %s\n", PrintableOutput(message).c_str());
  return kExitError;
}

int PrintError(const Error& error) { return PrintError(ToString(error)); }

Expected<config::Config> ReadConfig(const CommandContext& context) {
  if (!HasConfig(context)) {
    return Fail(Code::kNotFound, "there is no \"" + context.config_file.string() +
                                     "\": name the configuration with -c FILE or BINDERY_CONFIG");
  }
  return Checked(config::LoadConfig(context.config_file),
                 "the configuration \"" + context.config_file.string() + "\"");
}

Expected<config::Config> ReadConfigOrDefaults(const CommandContext& context) {
  if (HasConfig(context)) return ReadConfig(context);
  return Checked(config::ParseConfig("{}", "defaults", std::filesystem::current_path(),
                                     config::ProcessEnvironment()),
                 "the default configuration");
}

Expected<config::Config> FindDaemon(const CommandContext& context) {
  if (!HasConfig(context)) return ReadConfigOrDefaults(context);
  return Checked(config::SalvageConfig(context.config_file),
                 "the configuration \"" + context.config_file.string() + "\"");
}

Expected<config::Config> ReadConfigForChecks(const CommandContext& context) {
  Expected<config::Config> config = ReadConfigOrDefaults(context);
  if (!config) return config;
  return WithPlaceholderProjects(std::move(*config), context);
}

config::Config WithPlaceholderProjects(config::Config config, const CommandContext& context) {
  if (HasConfig(context)) return config;
  for (auto& [name, provider] : config.providers) {
    if (provider.project.empty()) provider.project = "default-project";
  }
  return config;
}

std::optional<report::Staleness> StaleState(const config::Config& config) {
  const auto away = DaemonIsAway(config.server.socket);
  if (!away) return std::nullopt;
  return report::Staleness{*away, store::LastObservation(config.store).value_or(WallTime())};
}

void TellStale(const std::optional<report::Staleness>& stale) {
  if (!stale) return;
  const report::TextStyle style = StyleOfOutput(/*descriptor=*/2);
  const std::string last = report::TimeText(stale->last_observed_at);
  const std::string text =
      "note: " + stale->reason + ": nothing is checked now, and what is shown is " +
      (last.empty()
           ? "from before any target was read"
           : "as old as the last reading, " +
                 report::FormatTimeAge(stale->last_observed_at, style) + " ago (" + last + ")");
  PauseWaiting();
  std::fputs(PrintableOutput(text + "\n").c_str(), stderr);
}

void TellMissingManifests(const config::Config& config) {
  std::error_code unknown;
  if (std::filesystem::exists(config.manifests.directory, unknown) || unknown) return;
  const std::string text = "note: the manifests directory \"" +
                           config.manifests.directory.string() +
                           "\" does not exist: what was loaded before stays in force\n";
  PauseWaiting();
  std::fputs(PrintableOutput(text).c_str(), stderr);
}

Expected<std::unique_ptr<store::Store>> OpenForReading(const config::Config& config) {
  static const SystemClock kClock;
  Expected<std::unique_ptr<store::Store>> store =
      store::OpenStore(config.store, store::StoreAccess::kReadOnly, kClock);
  if (!store && store.error().code == Code::kNotFound) {
    return Fail(Code::kNotFound,
                "there is no store \"" + config.store.Shown() + "\" yet: bindery run makes it");
  }
  return store;
}

Expected<Json> AskDaemon(const CommandContext& context, const std::string& path, const Json& body) {
  const Expected<config::Config> config = FindDaemon(context);
  if (!config) return Fail(config.error());
  return AskDaemon(*config, path, body);
}

Expected<Json> AskDaemon(const config::Config& config, const std::string& path, const Json& body) {
  return DaemonClient(config).Post(path, body);
}

report::TextStyle StyleOfOutput(int descriptor) {
  report::TextStyle style;
  style.now = std::chrono::system_clock::now();
  if (::isatty(descriptor) != 1) return style;
  const char* no_color = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe): no thread yet
  style.colour = no_color == nullptr || *no_color == '\0';
  struct ::winsize size {};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) style.width = size.ws_col;
  return style;
}

std::string VersionText() {
  constexpr std::size_t kShown = 12;
  const std::string commit = BuildCommit();
  if (commit.empty()) return kVersion;
  const std::size_t end = std::min(commit.find('-'), commit.size());
  return std::string(kVersion) + " (commit " + commit.substr(0, std::min(end, kShown)) +
         commit.substr(end) + ")";
}

report::TextStyle MakeStyle(const CommandContext& context) {
  report::TextStyle style = StyleOfOutput();
  style.titles = !context.no_headers;
  style.wide = context.output == Output::kWide;
  if (style.wide) style.width = 0;
  return style;
}

void Print(const CommandContext& context, const Json& report,
           const std::function<std::string(const Json&, const report::TextStyle&)>& text) {
  std::string out;
  switch (context.output) {
    case Output::kJson:
    case Output::kSarif:
      out = PrintableJson(report.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
      break;
    case Output::kYaml:
      out = yaml::ToYaml(report);
      break;
    case Output::kCsv:  // The commands that have it print it themselves.
    case Output::kName:
    case Output::kWide:
    case Output::kText: {
      out = PrintableOutput(text(report, MakeStyle(context)));
      break;
    }
  }
  EndWaiting();
  std::fwrite(out.data(), 1, out.size(), stdout);
}

Expected<const reconcilers::Kind*> FindKind(const providers::Kinds& kinds,
                                            const std::string& token) {
  const std::optional<TypeToken> parsed = ParseTypeToken(token);
  const reconcilers::Kind* kind = parsed ? kinds.Find(*parsed) : nullptr;
  if (kind != nullptr) return kind;
  if (const std::string gone = parsed ? kinds.WhyGone(*parsed) : ""; !gone.empty()) {
    return Fail(Code::kInvalidArgument, "no kind \"" + token + "\": " + gone);
  }
  std::vector<std::string> tokens;
  std::string same_name;
  for (const TypeToken& known : kinds.Tokens()) {
    tokens.push_back(known.Text());
    tokens.push_back(known.kind);
    if (parsed && known.kind == parsed->kind) same_name += "\n  " + known.Text();
  }
  if (!same_name.empty()) {
    return Fail(Code::kInvalidArgument, "several kinds are named \"" + token + "\":" + same_name);
  }
  std::string message = "no kind \"" + token + "\"";
  if (const auto nearest = NearestSpelling(token, tokens)) {
    message += ", did you mean \"" + *nearest + "\"?";
  }
  return Fail(Code::kInvalidArgument, message + "; bindery kinds lists those there are");
}

Expected<const reconcilers::Kind*> FindKindByToken(const providers::Kinds& kinds,
                                                   const std::string& token,
                                                   const std::string& id) {
  const std::optional<TypeToken> parsed = ParseTypeToken(token);
  if (!parsed || !kinds.IsGeneric(*parsed)) return FindKind(kinds, token);
  const manifests::KindSchema* schema = kinds.FindForResource(*parsed, id.substr(0, id.find(' ')));
  if (schema != nullptr) return kinds.Find(schema->token);
  return Fail(Code::kInvalidArgument,
              "\"" + token +
                  "\" is the kind of a resource with a full name: begin the ID with "
                  "//HOST/NAME, such as " +
                  kinds.ExampleOfGeneric(*parsed));
}

int ChooseExitCode(int diff_code, ExitStyle style) {
  if (style == ExitStyle::kDiff || diff_code == kExitOk) return diff_code;
  return diff_code == kExitDiffers ? 2 : 1;
}

}  // namespace bindery::app
