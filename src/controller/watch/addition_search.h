#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "controller/gates/left_out_grants.h"
#include "core/access/grant.h"
#include "core/base/error.h"

namespace bindery::controller {

/// Finds the refused additions when a service refuses several together without naming any: tries
/// the additions by halves, and writes each accepted half. For n additions with one refused, the
/// search takes at most log2(n) + 2 writes, the logarithm rounded up.
///
/// A part of the additions may be refused because a further addition is missing, as by a policy
/// that locks its writer out; therefore a few additions are tried by leaving out one at a time.
///
/// Invariants: an addition is found only after the service refused the addition alone, or accepted
/// all further additions without it. A half that is refused with a different error is tried again
/// after the second half, because the first half may only need the second. Pure except for internal
/// memory.
class AdditionSearch {
 public:
  /// `adds` were refused together, with the error `words`: try them next. `one_out`: by leaving out
  /// a single addition, for at most kMostOneOut additions.
  static constexpr std::size_t kMostOneOut = 7;
  void Begin(std::vector<DeclaredGrant> refused, const Error& words, bool one_out);
  /// Also tries `untried`, after the current additions.
  void Add(std::vector<DeclaredGrant> untried, const Error& words);

  /// What to try next; empty: the search is over.
  [[nodiscard]] std::vector<Grant> Next() const;
  /// Whether a write of exactly these additions is the next try.
  [[nodiscard]] bool IsNext(const std::vector<DeclaredGrant>& adds) const;
  /// The next try was accepted. Returns the refused addition, if found by the answer. Requires: the
  /// search is not over.
  std::optional<DeclaredGrant> Accepted();
  /// The next try was refused. Otherwise as Accepted().
  [[nodiscard]] std::optional<DeclaredGrant> Refused(const Error& words);

  /// Continues the search for `grants` only.
  void Keep(const std::set<Grant>& grants);
  /// Ends the search for `grants`.
  void Drop(const std::set<Grant>& grants);

  [[nodiscard]] bool over() const { return groups_.empty(); }
  [[nodiscard]] std::vector<DeclaredGrant> All() const;
  /// The error of the service for the additions under search.
  [[nodiscard]] const Error& words() const { return words_; }

 private:
  struct Group {
    std::vector<DeclaredGrant> grants;
    /// The second half of the try before: if the first half is accepted, the refused addition is in
    /// this half.
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

}  // namespace bindery::controller
