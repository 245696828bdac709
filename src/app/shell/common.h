#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "app/shell/commands.h"
#include "config/config.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "providers/registry/kinds.h"
#include "report/codec/json_codec.h"
#include "report/codec/staleness.h"
#include "report/text/text.h"
#include "report/values/plan_values.h"
#include "store/ports/store.h"

namespace bindery::app {

inline constexpr const char* kPathPrefixHelp =
    "The manifests directory in its repository, put before the paths of -o sarif";

inline constexpr int kExitOk = 0;
inline constexpr int kExitDiffers = 1;
inline constexpr int kExitError = 2;
/// For unusable input: invalid in the one style, an error in the other.
inline constexpr int kExitInvalid = 1;

/// "bindery: NOT_FOUND: …" on standard error. Returns the exit code for errors.
int PrintError(const Error& error);
int PrintError(const std::string& message);

/// The configuration of the context; every fault is printed if any.
[[nodiscard]] Expected<config::Config> ReadConfig(const CommandContext& context);

/// The same, or the defaults when no configuration was named and none is where it would be.
[[nodiscard]] Expected<config::Config> ReadConfigOrDefaults(const CommandContext& context);

/// The same for checks of manifests: by default the default projects are unknown, so that a name
/// without a project is no fault. A placeholder stands in.
[[nodiscard]] Expected<config::Config> ReadConfigForChecks(const CommandContext& context);

/// The same of a configuration that was read. No name may be completed with the placeholder.
[[nodiscard]] config::Config WithPlaceholderProjects(config::Config config,
                                                     const CommandContext& context);

/// The settings with the daemon's address: also from a configuration with faults elsewhere, because
/// a running daemon keeps its former settings.
[[nodiscard]] Expected<config::Config> FindDaemon(const CommandContext& context);

/// The store of a configuration, for looking only.
[[nodiscard]] Expected<std::unique_ptr<store::Store>> OpenForReading(const config::Config& config);

/// Set where no daemon keeps the store up to date; not where one does, or where that cannot be
/// told.
[[nodiscard]] std::optional<report::Staleness> StaleState(const config::Config& config);

/// Says on standard error that the output is of an older state, with its age; without one, nothing.
void TellStale(const std::optional<report::Staleness>& stale);

/// Says on standard error that the manifests directory is gone, if so: the output shows the last
/// loaded state.
void TellMissingManifests(const config::Config& config);

/// Reads configuration and store, then calls `use` with the store, and with the configuration if
/// `use` accepts it.
template <typename Use>
int WithStore(const CommandContext& context, const Use& use) {
  const Expected<config::Config> config = ReadConfig(context);
  if (!config) return PrintError(config.error());
  const Expected<std::unique_ptr<store::Store>> store = OpenForReading(*config);
  if (!store) return PrintError(store.error());
  if constexpr (std::is_invocable_v<Use, const store::Store&, const config::Config&>) {
    return use(**store, *config);
  } else {
    return use(**store);
  }
}

/// The daemon's answer to the request.
[[nodiscard]] Expected<Json> AskDaemon(const CommandContext& context, const std::string& path,
                                       const Json& body);
/// The same of the daemon of a configuration.
[[nodiscard]] Expected<Json> AskDaemon(const config::Config& config, const std::string& path,
                                       const Json& body);

/// The daemon's answer to the request, as a value. `daemon`: a context or a configuration, as of
/// AskDaemon().
template <report::Described Answer, typename Daemon>
[[nodiscard]] Expected<Answer> AskDaemonFor(const Daemon& daemon, const std::string& path,
                                            const Json& body) {
  const Expected<Json> answer = AskDaemon(daemon, path, body);
  if (!answer) return Fail(answer.error());
  return report::FromJson<Answer>(*answer);
}

/// How text is laid out for the readers of standard output and standard error.
[[nodiscard]] report::TextStyle StyleOfOutput(int descriptor = 1);

/// "0.1.0 (commit 3f2a9c51d07b)", "0.1.0" where no commit is known.
[[nodiscard]] std::string VersionText();

/// The style of a text on the standard output that the context asks for.
[[nodiscard]] report::TextStyle MakeStyle(const CommandContext& context);
/// Prints a report in the form the context asks for.
void Print(const CommandContext& context, const Json& report,
           const std::function<std::string(const Json&, const report::TextStyle&)>& text);
template <report::Described Report>
void Print(const CommandContext& context, const Report& report,
           std::string (*text)(const Report&, const report::TextStyle&)) {
  // The JSON of a long report is larger than its text.
  const bool shows_text = context.output != Output::kJson && context.output != Output::kYaml &&
                          context.output != Output::kSarif;
  Print(context, shows_text ? Json() : report::ToJson(report),
        [&](const Json& /*the same*/, const report::TextStyle& style) {
          return text(report, style);
        });
}

/// What the next pass would do to the targets of the resources, all if none exists. Reads the
/// directory as it is now, and the clouds; asks no daemon.
[[nodiscard]] Expected<report::PassPlan> PlanNow(const config::Config& config,
                                                 const std::vector<std::string>& names);

/// The kind of a type token, in any spelling. kInvalidArgument with the existing kinds.
[[nodiscard]] Expected<const reconcilers::Kind*> FindKind(const providers::Kinds& kinds,
                                                          const std::string& token);
/// The same for a resource. The token may be one that stands for many kinds
/// ("cloudnative:iam:IamMember") where the id begins with a full resource name.
[[nodiscard]] Expected<const reconcilers::Kind*> FindKindByToken(const providers::Kinds& kinds,
                                                                 const std::string& token,
                                                                 const std::string& id);

/// Turns 0, 1 (differs), 2 (error) into the exit code of the style.
[[nodiscard]] int ChooseExitCode(int diff_code, ExitStyle style);

}  // namespace bindery::app
