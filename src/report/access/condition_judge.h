#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cel/evaluation/activation.h"
#include "cel/expiry/time_bounds.h"
#include "core/access/grant.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "report/codec/time_bounds.h"

namespace bindery::report {

enum class Verdict { kGranted, kNotGranted, kDepends, kUnknown };
[[nodiscard]] std::string_view ToString(Verdict verdict);  ///< "granted", "not granted", …

/// The result of a condition.
struct Judgement {
  Verdict verdict = Verdict::kGranted;
  std::vector<std::string> depends_on;  ///< Attributes that are not given, of kDepends.
  std::string reason;                   ///< Why, where the verdict does not say it all.
  std::optional<TimeBounds> bounds;     ///< Not set: it has no bound in time, or cannot be read.
};

/// Judges conditions by the knowledge of a request. Each expression is worked out once.
class ConditionJudge {
 public:
  /// `attributes` as texts by name ("resource.name"); `request.time` is `time` unless given.
  /// kInvalidArgument names the attribute that conditions do not have, or whose text does not fit
  /// its type.
  [[nodiscard]] static Expected<ConditionJudge> Make(
      const std::map<std::string, std::string>& attributes, WallTime time);

  /// By a time alone.
  [[nodiscard]] static ConditionJudge At(WallTime time);

  [[nodiscard]] const Judgement& Judge(const std::optional<Condition>& condition);

  /// Of a condition's expression; nothing for an empty one.
  [[nodiscard]] std::optional<TimeBounds> FindBounds(const std::string& expression);
  /// Of a grant or binding as JSON, by its "condition".
  [[nodiscard]] std::optional<TimeBounds> DescribeTimeBounds(const Json& grant);

  /// The `request.time` of the judgement.
  [[nodiscard]] cel::Timestamp RequestTime() const { return time_; }

 private:
  ConditionJudge() = default;
  [[nodiscard]] Judgement WorkOut(const std::string& expression) const;

  cel::Activation activation_;
  cel::Timestamp time_;
  std::map<std::string, Judgement> judged_;
};

}  // namespace bindery::report
