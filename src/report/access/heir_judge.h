#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/access/grant.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "report/access/condition_judge.h"

namespace bindery::report {

/// Judges the conditions of inherited grants: a condition of a container narrows by the resource
/// that inherits the grant.
class HeirJudge {
 public:
  /// `given`: the attributes of the question, which win. `known`: all known values of each
  /// attribute of the heir. `heir`: the name in reasons. Errors as ConditionJudge::Make.
  [[nodiscard]] static Expected<HeirJudge> Make(
      const std::map<std::string, std::string>& given,
      const std::map<std::string, std::vector<std::string>>& known, WallTime time,
      const std::string& heir);

  /// Where two known values of an attribute lead to different verdicts, the verdict depends on the
  /// attribute.
  [[nodiscard]] Judgement Judge(const std::optional<Condition>& condition);

 private:
  std::vector<ConditionJudge> judges_;  ///< One for each value of `varied_`.
  std::string varied_;                  ///< The attribute with several known values; may be empty.
  std::string heir_;
};

}  // namespace bindery::report
