#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cloud/connection.h"
#include "controller/calls/project_question.h"
#include "controller/clock/now.h"
#include "core/access/event.h"

namespace bindery::controller {

/// Keeps the questions about project numbers: questions to ask now, answered questions, and
/// questions to ask again.
///
/// Invariants: a question is under way at most once; one that got no answer is asked again after
/// 30 s.
/// Belongs to the loop thread; the names outlive it.
class ProjectQuestions {
 public:
  using Connections = std::map<std::string, std::shared_ptr<const cloud::Connection>>;

  explicit ProjectQuestions(ProjectNames& names) : names_(names) {}

  /// To be asked now. One to a provider that does not exist is given up instead.
  struct Due {
    std::vector<ProjectQuestion> ask;
    bool gave_up = false;  ///< A name counts as written from now on.
  };
  [[nodiscard]] Due TakeDue(const Connections& connections, std::chrono::milliseconds timeout,
                            const Now& now);

  enum class Outcome {
    kKnown,    ///< The caller tells the catalog.
    kGivenUp,  ///< The service does not tell: the number stands for itself.
    kLater,    ///< It is asked again.
  };
  [[nodiscard]] Outcome Answered(const ProjectNames::Question& question,
                                 const Expected<reconcilers::ProjectIdentity>& answer,
                                 const Now& now);
  /// The event for a question that was given up.
  [[nodiscard]] static Event GivenUpEvent(const ProjectNames::Question& question,
                                          const Error& error, const Now& now);

  [[nodiscard]] bool any_under_way() const { return under_way_ > 0; }
  /// When TakeDue has something to ask again.
  [[nodiscard]] std::optional<MonoTime> due() const;

 private:
  ProjectNames& names_;
  std::size_t under_way_ = 0;
  std::map<ProjectNames::Question, MonoTime> ask_again_;
};

}  // namespace bindery::controller
