#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/target.h"

namespace bindery {

/// What maps and queues know a target by. The target is kept once, however many hold its key: there
/// may be a hundred thousand. Copies are cheap; immutable, so any thread may have one.
class TargetKey {
 public:
  TargetKey() = default;  ///< Of no target.
  explicit TargetKey(Target target)
      : named_(std::make_shared<const Named>(Named{HashOf(target), std::move(target)})) {}

  /// Require: it is the key of a target.
  [[nodiscard]] const Target& operator*() const { return named_->target; }
  [[nodiscard]] const Target* operator->() const { return &named_->target; }

  [[nodiscard]] bool empty() const { return named_ == nullptr; }

  /// By what they name; a key of no target equals its like and comes first.
  friend bool operator==(const TargetKey& a, const TargetKey& b) {
    if (a.named_ == b.named_) return true;
    return !a.empty() && !b.empty() && a.named_->hash == b.named_->hash && *a == *b;
  }
  friend std::strong_ordering operator<=>(const TargetKey& a, const TargetKey& b) {
    if (a.named_ == b.named_) return std::strong_ordering::equal;
    if (a.empty() || b.empty()) return b.empty() <=> a.empty();
    return *a <=> *b;
  }

  /// For unordered containers, which can so be asked for a target without a key yet.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const TargetKey& key) const {
      return key.empty() ? 0 : key.named_->hash;
    }
    std::size_t operator()(const Target& target) const { return HashOf(target); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const TargetKey& a, const TargetKey& b) const { return a == b; }
    bool operator()(const TargetKey& a, const Target& b) const { return !a.empty() && *a == b; }
    bool operator()(const Target& a, const TargetKey& b) const { return (*this)(b, a); }
  };

 private:
  struct Named {
    std::size_t hash;
    Target target;
  };

  static std::size_t HashOf(const Target& target) {
    // Names tell targets apart: those of one name that differ in kind or scope are few.
    return std::hash<std::string>()(target.name);
  }

  std::shared_ptr<const Named> named_;
};

}  // namespace bindery
