#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "access/ancestry.h"
#include "cel/evaluation/time.h"
#include "cel/syntax/ast.h"
#include "core/access/grant.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "report/access/condition_judge.h"

namespace bindery::report {

/// The subject of a question about inherited grants.
struct HeirQuestion {
  const std::string& heir;                               ///< The name in reasons.
  const access::Ancestry& ancestry;                      ///< Of the heir.
  const std::map<std::string, std::string>& attributes;  ///< Given ones, which win.
  const std::string& permission;                         ///< Empty: the question is about roles.
};

/// Judges the conditions of inherited grants: a condition of a container narrows by the resource
/// that inherits the grant, and may be about a resource inside: a secret is read by its versions.
class HeirJudge {
 public:
  /// Errors as ConditionJudge::Make.
  [[nodiscard]] static Expected<HeirJudge> Make(const HeirQuestion& question, WallTime time);

  /// By the known attributes of the heir. Where two known values of an attribute lead to different
  /// verdicts, the verdict depends on the attribute. Likewise where the condition is false for the
  /// heir, and may be true for a resource inside; for a permission that may be asked of resources
  /// inside, also where the condition is true for the heir, and may be false for such a resource.
  [[nodiscard]] Judgement Judge(const std::optional<Condition>& condition);

 private:
  explicit HeirJudge(ConditionJudge open) : open_(std::move(open)) {}

  /// What is true of resources, as conditions.
  struct Facts {
    std::string text;        ///< What is true where services give the attributes.
    std::string type_begin;  ///< How resource.type begins, if the service gives a type.
    std::string name_form;   ///< As TargetPart::form.
  };
  [[nodiscard]] static Facts ListFacts(const HeirQuestion& question,
                                       const providers::TargetPart& part, cel::Timestamp time);

  [[nodiscard]] static std::optional<Facts> ListOwnFacts(const HeirQuestion& question,
                                                         cel::Timestamp time);

  [[nodiscard]] Judgement JudgeHeir(const std::optional<Condition>& condition);
  /// Whether the condition is proved true or false for the heir, by the beginning of its type and
  /// the form of its name.
  [[nodiscard]] std::optional<bool> ProveForHeir(const Condition& condition) const;
  [[nodiscard]] static bool MayBeTrue(const cel::Expr& condition, const Facts& facts);
  [[nodiscard]] static bool MayBeFalse(const cel::Expr& condition, const Facts& facts);
  /// Whether the verdict for the heir is not the one for all resources inside.
  [[nodiscard]] bool DiffersInside(const Condition& condition, Verdict verdict) const;

  ConditionJudge open_;                 ///< Without the attributes of the heir.
  std::vector<ConditionJudge> judges_;  ///< One for each value of `varied_`.
  std::string varied_;                  ///< The attribute with several known values; may be empty.
  std::string heir_;
  std::optional<Facts> own_;             ///< Of the heir; not set: no more than its attributes.
  std::vector<Facts> inside_;            ///< Of each sort of resources inside.
  bool proves_ = true;                   ///< What is true for the heir answers the question.
  std::map<std::string, bool> differs_;  ///< By condition: each worked out once.
  std::map<std::string, std::optional<bool>> proved_;  ///< Likewise.
};

}  // namespace bindery::report
