#include "controller/evidence/evidence_question.h"

#include <fmt/format.h>

namespace bindery::controller {

void EvidenceQuestion::Load(const std::string& ground, const std::string& question) {
  if (!ground.empty()) ground_ = manifests::GroundFromText(ground);
  if (!question.empty()) Ask(question);
  news_ = false;
}

std::string EvidenceQuestion::RecordedGround() const {
  return ground_ ? manifests::GroundText(*ground_) : std::string();
}

/// What is asked because of the ground is found again by comparing with the ground.
std::string EvidenceQuestion::RecordedQuestion() const { return of_ground_ ? "" : text_; }

void EvidenceQuestion::Ask(std::string question) {
  if (text_ == question) return;
  text_ = std::move(question);
  ++asked_;
  news_ = true;
}

void EvidenceQuestion::Looked(const std::optional<manifests::Ground>& ground) {
  exchanged_ = false;
  if (ground) TakeGround(*ground);
}

void EvidenceQuestion::TakeGround(const manifests::Ground& ground) {
  exchanged_ =
      !ground_now_ || ground_now_->device != ground.device || ground_now_->inode != ground.inode;
  ground_now_ = ground;
  const auto change =
      ground_ ? manifests::GroundChange(*ground_, ground, ground_of_this_run_) : std::nullopt;
  if (change) {
    if (!open() || of_ground_) Ask(*change);
    of_ground_ = of_ground_ || text_ == *change;
    return;
  }
  // The other directory may have declared grants that this directory does not declare.
  if (std::exchange(of_ground_, false)) {
    Ask("the manifests directory was another one for a while (" + text_ + ")");
  }
  if (ground_ != ground) news_ = true;
  ground_ = ground;
  ground_of_this_run_ = true;
}

void EvidenceQuestion::Missed(std::size_t missing, std::size_t known) {
  if (!exchanged_ || missing == 0 || open()) return;
  const bool most = missing * 2 > known && (missing > 1 || known == 1);
  if (!most) return;
  if (known == 1) return Ask("the only manifest in force is missing from the manifests directory");
  Ask(fmt::format("{} of the {} manifests in force are missing from the manifests directory",
                  missing, known));
}

void EvidenceQuestion::Moved(std::size_t moved) {
  if (moved == 0 || open()) return;
  Ask(
      fmt::format("the configuration was changed: {} manifest{} that did not change belong{} to "
                  "another target, provider or part of a policy now",
                  moved, moved == 1 ? "" : "s", moved == 1 ? "s" : ""));
}

void EvidenceQuestion::Close() {
  if (!open()) return;
  text_.clear();
  of_ground_ = false;
  if (ground_now_) {
    ground_ = ground_now_;
    ground_of_this_run_ = true;
  }
  news_ = true;
}

}  // namespace bindery::controller
