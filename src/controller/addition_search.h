#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "controller/left_out_grants.h"
#include "core/error.h"
#include "core/grant.h"

namespace bindery {

/// Finds out which additions a service refuses that it refused together, and does not say which:
/// tries them by halves, each half being written if it is accepted. Of n additions, one of them
/// refused, it takes log2(n) + 2 writes at most, the logarithm rounded up.
///
/// Where a part of the additions may be refused for what is missing beside it, as by a policy that
/// locks its writer out, a few are tried by leaving one out at a time.
///
/// Invariants: an addition is found only after it was refused alone, or all others were
/// accepted without it. A half refused in other words than those searched for is tried
/// again once the other half was: it may only need that one. Pure except for internal
/// memory.
class AdditionSearch {
 public:
  /// These were refused together, in the words: they are tried next. `one_out`: by leaving one out,
  /// if they are at most kMostOneOut.
  static constexpr std::size_t kMostOneOut = 7;
  void Begin(std::vector<DeclaredGrant> refused, const Error& words, bool one_out);
  /// These are tried as well, after what is searched for already.
  void Add(std::vector<DeclaredGrant> untried, const Error& words);

  /// What to try next; empty: the search is over.
  [[nodiscard]] std::vector<Grant> Next() const;
  /// Whether a write of exactly these additions tries what is next.
  [[nodiscard]] bool IsNext(const std::vector<DeclaredGrant>& adds) const;
  /// What is next was accepted. Returns what was found by that. Requires: the search is not over.
  std::optional<DeclaredGrant> Accepted();
  /// It was refused. The same.
  [[nodiscard]] std::optional<DeclaredGrant> Refused(const Error& words);

  /// Only these are searched on for.
  void Keep(const std::set<Grant>& grants);
  /// These are searched for no more.
  void Drop(const std::set<Grant>& grants);

  [[nodiscard]] bool over() const { return groups_.empty(); }
  [[nodiscard]] std::vector<DeclaredGrant> All() const;
  /// In which the service refused what is searched for.
  [[nodiscard]] const Error& words() const { return words_; }

 private:
  struct Group {
    std::vector<DeclaredGrant> grants;
    /// The other half of what is tried before it: if that is accepted, this one holds what is
    /// refused.
    bool is_rest = false;
    bool put_off = false;                 ///< It was refused in other words.
    std::optional<std::size_t> out = {};  ///< Which of them is left out next.
  };

  template <typename Is>
  void EraseIf(const Is& is);
  void TryAnew();
  void Halve();
  void Tidy();

  std::vector<Group> groups_;  ///< The last one is next.
  Error words_;
};

/// Whether two answers say the same, but for numbers.
[[nodiscard]] bool SameWords(const Error& a, const Error& b);

}  // namespace bindery
