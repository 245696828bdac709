#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace bindery::model {

/// What happens next: to the directory, the daemon, its store, the clouds or the clocks. A move
/// that makes no sense where things stand does nothing, so that any list of moves can be played.
enum class Kind {
  // The directory.
  kDeclare,   ///< A manifest is written, or changed. which: its slot; amount: what it says.
  kDelete,    ///< A manifest is taken out of its file.
  kTransfer,  ///< A manifest moves to another file, at a stroke. amount: the file.
  kRename,    ///< A file gets another name.
  kDrop,      ///< A file is deleted.
  kBreak,     ///< A file becomes unreadable. amount: how.
  kMend,      ///< All files can be read again.
  kHide,      ///< A manifest moves into a file that becomes unreadable at a stroke.
  kOpen,      ///< A file is open for writing, and holds its beginning. amount: how much of it.
  kClose,     ///< It is complete, and closed.
  kCut,       ///< A file loses its end, and is closed.
  kGit,       ///< A checkout begins, with files missing, or ends.
  kAside,     ///< A file gets a name that a tool gives. amount: which.
  kBackup,    ///< An editor leaves a copy beside a file.
  kTwin,      ///< A tool leaves another version of a file, under a name that is read; or one of the
              ///< two goes. amount: what the other says; odd: the other one stays.
  kSwap,      ///< Other content under the same stamps. Before the first look: stamps of the folder
              ///< "sub" prove nothing.
  kLibrary,   ///< A checkout of a library begins, with its index written first, or ends.
  kRemount,   ///< Another volume of the same numbers is mounted in the place, or it is back.
  kMount,     ///< The directory or a folder of it is another volume, or back.
  kBadScan,   ///< The next looks fail, or find the directory changing.
  // The daemon.
  kLook,
  kWait,
  kStop,  ///< The daemon, and who writes the directory, stand still for a while.
  kRestart,
  kCrash,  ///< The process dies soon: amount store commits and requests later.
  kReconcile,
  kUrgent,  ///< reconcile --now
  kSuspend,
  kResume,
  kApprove,
  kDeny,
  kObserve,  ///< mode: observe, or back.
  kKeep,     ///< undeclaredRoles: keep, or back.
  // The store.
  kLose,
  kSnapshot,
  kStandby,  ///< A standby falls behind (odd amount), or the daemon starts while a pooler gives
             ///< readings to the standby. which: odd: the pooler knows no comments.
  kRestore,
  // The clouds.
  kForeign,  ///< Somebody else grants something.
  kStrip,    ///< Somebody else takes something away.
  kLie,      ///< A service answers readings wrongly for a while. amount: how, and for how long.
  kRefuse,   ///< A service fails to write for a while.
  kSlow,     ///< A service takes its time for a while.
  kRace,     ///< Somebody else writes right before, or after, the next write.
  kRival,    ///< Somebody else takes each write back, for a while.
  kClock,    ///< The local clock is set, or that of the services.
};

/// `which` is from 0 to 7, `amount` from 0 to 63.
struct Move {
  Kind kind = Kind::kLook;
  int which = 0;
  int amount = 0;
};

/// What can be pasted into model/scripts.h: a move a line, "hide 2 17".
using Script = std::vector<Move>;
std::ostream& operator<<(std::ostream& out, const Move& move);
[[nodiscard]] std::string Text(const Script& script);
/// kInvalidArgument for a line that is no move. Empty lines and those that begin with # are none.
[[nodiscard]] Expected<Script> ParseScript(const std::string& text);

/// How often each kind of move is made; all kinds.
struct Weight {
  Kind kind;
  const char* name;
  int weight;
};
[[nodiscard]] const std::vector<Weight>& Weights();

}  // namespace bindery::model
