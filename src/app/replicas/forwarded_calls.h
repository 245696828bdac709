#pragma once

#include <string>
#include <vector>

#include "server/control.h"
#include "server/requests/operator_command.h"

namespace bindery::app {

/// A call of Control as a text, which one replica writes and a second replica carries out: possibly
/// of a different version.
class ForwardedCall {
 public:
  explicit ForwardedCall(const server::OperatorCommand& command);
  static ForwardedCall Plan(const std::vector<std::string>& names, server::PlanAsker asker);
  static ForwardedCall PlanDirectory(const server::PlanUpload& upload, server::PlanAsker asker);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  explicit ForwardedCall(const Json& call) : text_(call.dump()) {}
  std::string text_;
};

/// Makes the call of the text. A call unknown to this version is answered with
/// kUnimplemented.
void CarryOut(const std::string& text, const std::string& actor, server::Control& control,
              const server::Control::Reply& reply);

/// An answer as a text, and back.
[[nodiscard]] std::string TextOfAnswer(const Expected<Json>& answer);
[[nodiscard]] Expected<Json> AnswerOfText(const std::string& text);

}  // namespace bindery::app
