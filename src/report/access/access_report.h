#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "report/access/access_records.h"
#include "report/access/access_values.h"
#include "report/codec/list_slice.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

// Who has access, by the policies on record. Nothing is read from a cloud.

/// Adds "resource.name=projects/acme" to the attributes of a question.
[[nodiscard]] Expected<void> AddAttribute(const std::string& text,
                                          std::map<std::string, std::string>& attributes);

/// The subject of an access question; an empty field does not restrict.
struct AccessQuery {
  std::string role = {};    ///< A role, with or without "roles/", or a relation.
  std::string target = {};  ///< As FindTargets reads it.
  /// "secretmanager.versions.access": grants of roles with this permission, in place of `role`.
  std::string permission = {};
  std::string principal = {};  ///< As FindPrincipals reads it; and its possible groups.
  bool direct = false;         ///< Only what names the principal itself.
  /// The policies in force then, and the `request.time` of conditions; else the last readings, now.
  std::optional<WallTime> at = {};
  std::map<std::string, std::string> attributes =
      {};                            ///< Of conditions: "resource.name" and so on.
  std::string default_project = {};  ///< Completes a target from locations/ on.
};

/// A grant each, of the asked target's own policy and of the policies that the target inherits;
/// without a target, or with a pattern, each grant where the grant stands. What is certain, then
/// what depends on more or is unknown; each by target, and the nearest policy first. Only the
/// answers of that page are made, and `summary` counts all of them. Errors as FindTargets, and
/// kInvalidArgument for attributes that conditions do not have. kFailedPrecondition: a permission
/// is asked about, and no roles are known.
[[nodiscard]] Expected<AccessAnswers> AccessReport(const AccessRecords& records,
                                                   const AccessQuery& query, WallTime now,
                                                   const ListPage& page = {});

using TakeAnswerOfPage = std::function<void(AccessAnswer&& answer)>;

/// The same without holding the answers: each of the page is given to `take` in the place of
/// AccessAnswers::answers.
[[nodiscard]] Expected<AccessAnswers> EachAccessAnswer(const AccessRecords& records,
                                                       const AccessQuery& query, WallTime now,
                                                       const ListPage& page,
                                                       const TakeAnswerOfPage& take);

/// Takes one after the other; `certain`: it is to stand before all that are not.
using TakeAnswer = std::function<void(const AccessAnswer& answer, bool certain)>;

/// Gets times and principals of the report.
using BeginAnswers = std::function<void(const AccessAnswers& head)>;

struct AnswerTaker {
  TakeAnswer take;
  BeginAnswers begin = {};  ///< Once, before the first answer; may be empty.
};

/// The same of all answers, without holding them: each is given to `taker` in the place of
/// AccessAnswers::answers, those of each of the two parts in their order.
[[nodiscard]] Expected<AccessAnswers> AccessReport(const AccessRecords& records,
                                                   const AccessQuery& query, WallTime now,
                                                   const AnswerTaker& taker);

struct AccessDiffQuery {
  WallTime since = {};
  std::optional<WallTime> until = {};  ///< Else the last readings.
  std::string target = {};             ///< As FindTargets reads it; empty: all.
  std::string default_project = {};
};

/// Grants in the policies at one time only, in those of the asked target and in those that the
/// target inherits. A target that was first read in between is compared with the reading. What
/// only scans show has no history.
[[nodiscard]] Expected<AccessDiff> AccessDiffReport(const AccessRecords& records,
                                                    const AccessDiffQuery& query, WallTime now);

using TakeChange = std::function<void(AccessChange&& change)>;

/// The same without holding the changes: each is given to `take` in the place of
/// AccessDiff::changes.
[[nodiscard]] Expected<AccessDiff> EachAccessChange(const AccessRecords& records,
                                                    const AccessDiffQuery& query, WallTime now,
                                                    const TakeChange& take);

}  // namespace bindery::report
