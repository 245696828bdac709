#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/codec/json_codec.h"
#include "report/codec/source_line.h"

namespace bindery::report {

// The daemon's answers to changing requests.

/// The outcome of a resource that was to be as declared.
struct ChangeResult {
  std::string name;
  bool done = false;
  std::string held;  ///< Names the removals that the guard withholds; empty: none.
  std::string message;
  std::string blocked = {};  ///< What else keeps a removal waiting; empty: nothing does.
};

/// Of a request to check resources.
struct ReconcileAnswer {
  std::vector<ChangeResult> results;
};

/// Of a request to write a recorded policy back.
struct RollbackAnswer : ChangeResult {
  std::int64_t revision = 0;
  std::vector<std::string> suspended;  ///< The resources that it suspended.
};

/// The answer to a request about named resources.
struct NamesAnswer {
  std::vector<std::string> names;
};

/// A resource that its manifest suspends, whatever an operator says.
struct StillSuspended {
  std::string name;
  SourceLine source;
};

/// Of a request to suspend or resume resources.
struct SuspendAnswer {
  std::vector<std::string> names;
  bool suspended = false;
  std::optional<std::vector<StillSuspended>> still_suspended;  ///< Set of a resumption.
};

template <>
inline constexpr auto kFields<ChangeResult> =
    std::tuple{Field{"name", &ChangeResult::name}, Field{"done", &ChangeResult::done},
               Field{"held", &ChangeResult::held}, Field{"message", &ChangeResult::message},
               FieldIfSet{"blocked", &ChangeResult::blocked}};

template <>
inline constexpr auto kFields<ReconcileAnswer> =
    std::tuple{Field{"results", &ReconcileAnswer::results}};

template <>
inline constexpr auto kFields<RollbackAnswer> = std::tuple_cat(
    kFields<ChangeResult>, std::tuple{Field{"revision", &RollbackAnswer::revision},
                                      Field{"suspended", &RollbackAnswer::suspended}});

template <>
inline constexpr auto kFields<NamesAnswer> = std::tuple{Field{"names", &NamesAnswer::names}};

template <>
inline constexpr auto kFields<StillSuspended> =
    std::tuple{Field{"name", &StillSuspended::name}, Field{"source", &StillSuspended::source}};

template <>
inline constexpr auto kFields<SuspendAnswer> =
    std::tuple{Field{"names", &SuspendAnswer::names}, Field{"suspended", &SuspendAnswer::suspended},
               FieldIfSet{"stillSuspended", &SuspendAnswer::still_suspended}};

}  // namespace bindery::report
