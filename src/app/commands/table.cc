#include "app/command_line.h"

// The commands, in the order of `bindery --help`. A row COMMAND(Plan) is the function void
// DefinePlan(CommandLine&) of a source in the folder.
#define BINDERY_COMMANDS(COMMAND) \
  COMMAND(Run)                    \
  COMMAND(Demo)                   \
  COMMAND(Health)                 \
  COMMAND(Kinds)                  \
  COMMAND(Schema)                 \
  COMMAND(Emulator)               \
  COMMAND(Version)                \
  COMMAND(Validate)               \
  COMMAND(Check)                  \
  COMMAND(Plan)                   \
  COMMAND(Drift)                  \
  COMMAND(DriftAccept)            \
  COMMAND(Explain)                \
  COMMAND(Get)                    \
  COMMAND(Events)                 \
  COMMAND(History)                \
  COMMAND(Access)                 \
  COMMAND(Scan)                   \
  COMMAND(Coverage)               \
  COMMAND(Invoke)                 \
  COMMAND(Lookup)                 \
  COMMAND(Import)                 \
  COMMAND(Adopt)                  \
  COMMAND(Convert)                \
  COMMAND(Reconcile)              \
  COMMAND(Suspend)                \
  COMMAND(Resume)                 \
  COMMAND(Forget)                 \
  COMMAND(Rollback)               \
  COMMAND(Guard)                  \
  COMMAND(Replicas)               \
  COMMAND(Config)                 \
  COMMAND(Store)                  \
  COMMAND(Notify)                 \
  COMMAND(Completion)             \
  COMMAND(Help)

namespace bindery::app {

#define BINDERY_DECLARE(name) void Define##name(CommandLine& line);
BINDERY_COMMANDS(BINDERY_DECLARE)
#undef BINDERY_DECLARE

void DefineCommands(CommandLine& line) {
#define BINDERY_DEFINE(name) Define##name(line);
  BINDERY_COMMANDS(BINDERY_DEFINE)
#undef BINDERY_DEFINE
}

}  // namespace bindery::app
