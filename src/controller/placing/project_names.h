#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "controller/placing/account_names.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"

namespace bindery::controller {

/// A project is named by its id and by its number, and so a policy has two names. Here each
/// has one, that with the id: what number a project has is asked of the service, once, and only
/// where a manifest names one by number. Until it is known such a manifest waits, and so does one
/// that may name the same policy by an id. Where the service does not tell, a number stands for
/// itself, unless another manifest may mean the same. Service accounts with a unique id go the same
/// way (AccountNames).
///
/// Canonical() may be called from several threads at once; the rest belongs to the loop thread.
class ProjectNames {
 public:
  /// A project, and the provider to ask: for a number the id, for an id the number. Or a service
  /// account by its unique id.
  struct Question {
    std::string provider;
    std::string number;  ///< Or the id of a project, or the name of an account.
    /// Manifests wait for the answer: it is no question by the id of a project.
    [[nodiscard]] bool HoldsUpManifests() const;
    auto operator<=>(const Question&) const = default;
  };

  /// Takes over the whole state of `other`.
  void CopyFrom(const ProjectNames& other);

  /// Before the manifests of a scan are placed: forgets which names are waited for.
  void BeginScan();
  /// A manifest of the scan names that policy, by id or by number, or it is in force by the name.
  void NoteName(const std::string& provider, const std::string& name);
  /// The names in force have to be noted too: some number is unknown, or a question may be needed.
  [[nodiscard]] bool ConcernsClaims() const { return HasGivenUp() || asks_anew_ || waits(); }
  void ClaimsNoted() { asks_anew_ = false; }

  /// The canonical name of a policy. kUnavailable while the name is unknown, kInvalidArgument if
  /// the name cannot be known.
  [[nodiscard]] Expected<std::string> Canonical(const std::string& provider,
                                                const std::string& name) const;
  /// A policy that some manifest may name differently: the declarations on the policy are not fully
  /// known.
  [[nodiscard]] bool IsInDoubt(const std::string& name) const;
  /// The number of the project at the beginning of the name, if the name has the number or the
  /// service has told the number; else empty. Asks no question.
  [[nodiscard]] std::string GetNumber(const std::string& name) const;
  /// The number of the policy's project matters: the service is asked once, unless the number is
  /// known. No manifest waits for the answer.
  void WantNumber(const std::string& provider, const std::string& name);
  /// The service does not tell the number of the project that the name begins with.
  [[nodiscard]] bool RefusesNumber(const std::string& name) const;
  /// Something was asked, or is to be, and not answered yet.
  [[nodiscard]] bool waits() const;
  /// All names matter, not only those by number.
  [[nodiscard]] bool HasGivenUp() const { return !given_up_.empty(); }

  /// The service has told the id, or the name of the account with its address. Returns false when
  /// that was known.
  bool Learn(const std::string& number, const std::string& id);
  /// The service does not tell the number.
  void GiveUp(const std::string& number, const std::string& why);
  /// What was given up may be asked again.
  void ForgetFailures();
  [[nodiscard]] bool Knows(const std::string& number) const { return ids_.contains(number); }

  /// The questions that are new; each is told once.
  [[nodiscard]] std::vector<Question> TakeQuestions();
  /// The answer was lost: it is to be asked again.
  void AskAgain(const Question& question);

 private:
  /// The parts behind the project in the names of a scan and of the state in force.
  struct Named {
    std::set<std::string, std::less<>> waiting;  ///< With a number that is not known yet.
    std::set<std::string, std::less<>> unclear;  ///< With a number that is not told.
    std::set<std::string, std::less<>> by_id;    ///< Only while some number is not told.
  };

  void Want(const std::string& provider, const std::string& number);

  std::map<std::string, std::string> ids_;                   ///< By number.
  std::map<std::string, std::string, std::less<>> numbers_;  ///< The same by id.
  std::map<std::string, std::string> given_up_;              ///< Numbers, and why.
  bool asks_anew_ = true;  ///< Nothing that was given up before is remembered.
  AccountNames accounts_;
  std::set<std::string, std::less<>> refused_;  ///< Ids whose number is not told.
  std::set<std::string> asked_;
  std::set<Question> wanted_;
  Named named_;

  mutable Mutex mutex_;
  /// Seen only when a reference was resolved.
  mutable std::set<Question> late_ GUARDED_BY(mutex_);
};

}  // namespace bindery::controller
