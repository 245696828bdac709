#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "controller/claims/claim_age.h"
#include "manifests/files/directory_facts.h"

namespace bindery::controller {

/// The question to an operator before any removal, after a change of ground: the directory is a
/// different directory, or on different volumes, most of its content is missing, or the
/// configuration places its manifests elsewhere.
///
/// Invariants: one question is open at a time. Until it is closed, the ground is the one on
/// which evidence was settled last. An answer holds for the claims that it was given for,
/// and for the open question alone. Belongs to the loop thread; pure except for internal
/// memory.
class EvidenceQuestion {
 public:
  /// The knowledge of an earlier run, as in EvidenceRecord. Call before the first look.
  void Load(const std::string& ground, const std::string& question);
  /// For the record.
  [[nodiscard]] std::string RecordedGround() const;
  [[nodiscard]] std::string RecordedQuestion() const;
  /// The recorded part changed since the last call.
  [[nodiscard]] bool TakeNews() { return std::exchange(news_, false); }

  /// A look succeeded; `ground`: as DirectoryFacts.
  void Looked(const std::optional<manifests::Ground>& ground);
  /// After a look came into force. `missing` of `known` manifests that were in force before it are
  /// missing any more: too many at the first look of a run, or after the directory was exchanged,
  /// look like another directory.
  void Missed(std::size_t missing, std::size_t known);
  /// The same for unchanged manifests that, by a changed configuration, belong to a different
  /// target or claim more of the target.
  void Moved(std::size_t moved);

  [[nodiscard]] bool open() const { return !text_.empty(); }
  /// Why an operator must approve; empty: no question is open.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// A question is open that no operator has answered for the claim.
  [[nodiscard]] bool Asks(const ClaimAge& age) const { return open() && age.answered != asked_; }
  /// The operator approved the given-up grants of the claim.
  void AnswerFor(ClaimAge& age) const { age.answered = asked_; }
  /// Nothing that was asked about waits any more: the ground is the one of the last look from now
  /// on.
  void Close();

 private:
  void TakeGround(const manifests::Ground& ground);
  void Ask(std::string question);

  std::optional<manifests::Ground> ground_;      ///< On which evidence was settled last.
  std::optional<manifests::Ground> ground_now_;  ///< Of the last look at everything.
  bool ground_of_this_run_ = false;              ///< ground_ was seen by this run.
  bool exchanged_ = false;  ///< The last look found another directory behind the name.
  std::string text_;
  std::int32_t asked_ = 0;  ///< In this run; also the number of the open one.
  bool of_ground_ = false;  ///< It is on record with the former ground.
  bool news_ = false;
};

}  // namespace bindery::controller
