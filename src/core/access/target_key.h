#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/access/target.h"

namespace bindery {

/// The key of a target in maps and queues. The target is kept once for all keys: a hundred thousand
/// are possible. Copies are cheap; immutable, so any thread may have a copy.
class TargetKey {
 public:
  TargetKey() = default;  ///< Of no target.
  explicit TargetKey(Target target)
      : named_(std::make_shared<const Named>(Named{HashTarget(target), std::move(target)})) {}

  /// Requires: the key has a target.
  [[nodiscard]] const Target& operator*() const { return named_->target; }
  [[nodiscard]] const Target* operator->() const { return &named_->target; }

  [[nodiscard]] bool empty() const { return named_ == nullptr; }

  /// By the targets; two empty keys are equal and come first.
  friend bool operator==(const TargetKey& a, const TargetKey& b) {
    if (a.named_ == b.named_) return true;
    return !a.empty() && !b.empty() && a.named_->hash == b.named_->hash && *a == *b;
  }
  friend std::strong_ordering operator<=>(const TargetKey& a, const TargetKey& b) {
    if (a.named_ == b.named_) return std::strong_ordering::equal;
    if (a.empty() || b.empty()) return b.empty() <=> a.empty();
    return *a <=> *b;
  }

  /// For unordered containers: a look-up by target needs no key.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const TargetKey& key) const {
      return key.empty() ? 0 : key.named_->hash;
    }
    std::size_t operator()(const Target& target) const { return HashTarget(target); }
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

  static std::size_t HashTarget(const Target& target) {
    // The name distinguishes targets: few targets with the same name differ in kind or scope.
    return std::hash<std::string>()(target.name);
  }

  std::shared_ptr<const Named> named_;
};

}  // namespace bindery
