#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "report/codec/list_slice.h"

namespace bindery::report {

/// Sorts and cuts values given in sequence. Holds little more than the values up to the end of the
/// page, however many exist.
template <typename Value>
class ListSelection {
 public:
  using Order = std::function<bool(const Value&, const Value&)>;

  /// `before` orders all values strictly.
  ListSelection(const ListPage& page, Order before) : page_(page), before_(std::move(before)) {}

  void Take(Value&& value) {
    ++total_;
    kept_.push_back(std::move(value));
    if (!page_.limit) return;
    // Twice as much as useful, so that searches are rare.
    constexpr std::size_t kLeast = 256;
    const std::size_t useful = page_.offset + std::max(*page_.limit, kLeast);
    if (kept_.size() / 2 < useful) return;
    const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(useful);
    std::nth_element(kept_.begin(), end, kept_.end(), before_);
    kept_.erase(end, kept_.end());
  }

  /// The number of taken values.
  [[nodiscard]] std::size_t total() const { return total_; }

  /// The page, in order. Once, at the end.
  [[nodiscard]] std::vector<Value> Page() {
    std::sort(kept_.begin(), kept_.end(), before_);
    KeepPage(kept_, page_);
    return std::move(kept_);
  }

 private:
  const ListPage page_;
  const Order before_;
  std::size_t total_ = 0;
  std::vector<Value> kept_;
};

}  // namespace bindery::report
