#include "model/moves.h"

#include <algorithm>
#include <sstream>

namespace bindery::model {

const std::vector<Weight>& Weights() {
  static const std::vector<Weight> kWeights{
      {Kind::kDeclare, "declare", 12},  {Kind::kDelete, "delete", 6},
      {Kind::kTransfer, "transfer", 4}, {Kind::kRename, "rename", 3},
      {Kind::kDrop, "drop", 2},         {Kind::kBreak, "break", 4},
      {Kind::kMend, "mend", 5},         {Kind::kHide, "hide", 5},
      {Kind::kOpen, "open", 3},         {Kind::kClose, "close", 4},
      {Kind::kCut, "cut", 3},           {Kind::kGit, "git", 3},
      {Kind::kAside, "aside", 3},       {Kind::kBackup, "backup", 1},
      {Kind::kTwin, "twin", 2},         {Kind::kSwap, "swap", 4},
      {Kind::kLibrary, "library", 3},   {Kind::kRemount, "remount", 2},
      {Kind::kMount, "mount", 4},       {Kind::kBadScan, "bad-scan", 2},
      {Kind::kLook, "look", 16},        {Kind::kWait, "wait", 20},
      {Kind::kStop, "stop", 2},         {Kind::kRestart, "restart", 4},
      {Kind::kCrash, "crash", 3},       {Kind::kReconcile, "reconcile", 2},
      {Kind::kUrgent, "urgent", 1},     {Kind::kSuspend, "suspend", 1},
      {Kind::kResume, "resume", 2},     {Kind::kApprove, "approve", 2},
      {Kind::kDeny, "deny", 1},         {Kind::kObserve, "observe", 1},
      {Kind::kKeep, "keep", 1},         {Kind::kLose, "lose", 1},
      {Kind::kSnapshot, "snapshot", 2}, {Kind::kStandby, "standby", 2},
      {Kind::kRestore, "restore", 1},   {Kind::kForeign, "foreign", 5},
      {Kind::kStrip, "strip", 2},       {Kind::kLie, "lie", 5},
      {Kind::kRefuse, "refuse", 3},     {Kind::kSlow, "slow", 3},
      {Kind::kRace, "race", 3},         {Kind::kRival, "rival", 1},
      {Kind::kClock, "clock", 2},
  };
  return kWeights;
}

std::ostream& operator<<(std::ostream& out, const Move& move) {
  const auto named = std::find_if(Weights().begin(), Weights().end(),
                                  [&](const Weight& weight) { return weight.kind == move.kind; });
  return out << named->name << " " << move.which << " " << move.amount;
}

std::string Text(const Script& script) {
  std::ostringstream text;
  for (const Move& move : script) text << move << "\n";
  return text.str();
}

Expected<Script> ParseScript(const std::string& text) {
  Script script;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    if (!(words >> name) || name.front() == '#') continue;
    const auto named = std::find_if(Weights().begin(), Weights().end(),
                                    [&](const Weight& weight) { return weight.name == name; });
    Move move;
    if (named == Weights().end() || !(words >> move.which >> move.amount)) {
      return Fail(Code::kInvalidArgument, "\"" + line + "\" is no move");
    }
    move.kind = named->kind;
    script.push_back(move);
  }
  return script;
}

}  // namespace bindery::model
