#pragma once

#include <memory>
#include <utility>

namespace bindery {

/// A mostly empty container, allocated only when used: eight bytes, for up to a hundred thousand
/// owners.
template <typename T>
class SparseBox {
 public:
  SparseBox() = default;
  ~SparseBox() = default;
  SparseBox(const SparseBox& other) { Set(*other); }
  SparseBox(SparseBox&&) noexcept = default;
  SparseBox& operator=(const SparseBox& other) {
    if (this != &other) Set(*other);
    return *this;
  }
  SparseBox& operator=(SparseBox&&) noexcept = default;

  [[nodiscard]] const T& operator*() const {
    static const T kNone;
    return kept_ == nullptr ? kNone : *kept_;
  }
  [[nodiscard]] const T* operator->() const { return &**this; }

  void Set(T value) { kept_ = value.empty() ? nullptr : std::make_unique<T>(std::move(value)); }
  /// To put something in.
  [[nodiscard]] T& Edit() {
    if (kept_ == nullptr) kept_ = std::make_unique<T>();
    return *kept_;
  }

 private:
  std::unique_ptr<T> kept_;
};

}  // namespace bindery
