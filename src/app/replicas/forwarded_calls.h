#pragma once

#include <string>
#include <vector>

#include "server/control.h"

namespace bindery {

/// A call of Control as a text, which one replica writes and a second replica carries out: possibly
/// of a different version.
class ForwardedCall {
 public:
  static ForwardedCall Reconcile(const std::vector<std::string>& names);
  static ForwardedCall WaiveSettling(const std::vector<std::string>& names);
  static ForwardedCall Suspend(const std::vector<std::string>& names, bool suspend);
  static ForwardedCall Forget(const std::vector<std::string>& names);
  static ForwardedCall Approve(const std::string& digest);
  static ForwardedCall Deny(const std::string& digest);
  static ForwardedCall Rollback(const std::string& name, std::int64_t revision);
  static ForwardedCall Plan(const std::vector<std::string>& names, PlanAsker asker);
  static ForwardedCall PlanDirectory(const PlanUpload& upload, PlanAsker asker);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  explicit ForwardedCall(const Json& call) : text_(call.dump()) {}
  std::string text_;
};

/// Makes the call of the text. A call unknown to this version is answered with
/// kUnimplemented.
void CarryOut(const std::string& text, const std::string& actor, Control& control,
              const Control::Reply& reply);

/// An answer as a text, and back.
[[nodiscard]] std::string TextOfAnswer(const Expected<Json>& answer);
[[nodiscard]] Expected<Json> AnswerOfText(const std::string& text);

}  // namespace bindery
