#include "controller/watch/addition_search.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <utility>

namespace bindery::controller {
namespace {

const Grant& GrantIn(const Grant& grant) { return grant; }
const Grant& GrantIn(const DeclaredGrant& declared) { return declared.grant; }

std::string WithoutDigits(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isdigit(c) != 0 || c == ','; });
  return text;
}

void MoveInto(std::vector<DeclaredGrant>& to, std::vector<DeclaredGrant> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

bool SameWords(const Error& a, const Error& b) {
  return a.code == b.code && WithoutDigits(a.message) == WithoutDigits(b.message);
}

void AdditionSearch::Begin(std::vector<DeclaredGrant> refused, const Error& words, bool one_out) {
  words_ = words;
  const std::size_t size = refused.size();
  groups_.push_back({std::move(refused)});
  if (one_out && size > 1 && size <= kMostOneOut) {
    groups_.back().out = 0;
  } else {
    Halve();
  }
}

void AdditionSearch::Add(std::vector<DeclaredGrant> untried, const Error& words) {
  if (untried.empty()) return;
  if (groups_.empty()) words_ = words;
  groups_.insert(groups_.begin(), Group{std::move(untried)});
  Tidy();
}

std::vector<Grant> AdditionSearch::Next() const {
  std::vector<Grant> next;
  if (groups_.empty()) return next;
  const Group& group = groups_.back();
  for (std::size_t i = 0; i < group.grants.size(); ++i) {
    if (group.out != i) next.push_back(group.grants[i].grant);
  }
  return next;
}

bool AdditionSearch::IsNext(const std::vector<DeclaredGrant>& adds) const {
  const std::vector<Grant> next = Next();
  return !next.empty() &&
         std::is_permutation(adds.begin(), adds.end(), next.begin(), next.end(),
                             [](const auto& a, const auto& b) { return GrantIn(a) == GrantIn(b); });
}

std::optional<DeclaredGrant> AdditionSearch::Accepted() {
  Group accepted = std::move(groups_.back());
  groups_.pop_back();
  if (accepted.out) {
    Tidy();
    return std::move(accepted.grants[*accepted.out]);
  }
  if (!groups_.empty() && std::exchange(groups_.back().is_rest, false)) Halve();
  Tidy();
  return std::nullopt;
}

std::optional<DeclaredGrant> AdditionSearch::Refused(const Error& words) {
  Group& tried = groups_.back();
  if (tried.out) {
    if (++*tried.out < tried.grants.size()) return std::nullopt;
    tried.out.reset();
    Halve();
    return std::nullopt;
  }
  const auto beside = groups_.size() > 1 ? std::prev(groups_.end(), 2) : groups_.end();
  if (beside != groups_.end() && !tried.put_off && !SameWords(words, words_)) {
    tried.put_off = true;
    tried.is_rest = true;
    beside->is_rest = false;
    std::iter_swap(beside, std::prev(groups_.end()));
    return std::nullopt;
  }
  words_ = words;
  if (beside != groups_.end()) beside->is_rest = false;
  if (tried.grants.size() > 1) {
    tried.put_off = false;
    Halve();
    return std::nullopt;
  }
  DeclaredGrant found = std::move(tried.grants.front());
  groups_.pop_back();
  TryAnew();
  return found;
}

void AdditionSearch::Keep(const std::set<Grant>& grants) {
  EraseIf([&grants](const DeclaredGrant& one) { return !grants.contains(one.grant); });
}

void AdditionSearch::Drop(const std::set<Grant>& grants) {
  EraseIf([&grants](const DeclaredGrant& one) { return grants.contains(one.grant); });
}

/// The removals of the write may be the cause.
template <typename Is>
void AdditionSearch::EraseIf(const Is& is) {
  std::size_t erased = 0;
  for (Group& group : groups_) erased += std::erase_if(group.grants, is);
  if (erased == 0) return;
  std::erase_if(groups_, [](const Group& group) { return group.grants.empty(); });
  TryAnew();
}

std::vector<DeclaredGrant> AdditionSearch::All() const {
  std::vector<DeclaredGrant> all;
  for (const Group& group : groups_) {
    all.insert(all.end(), group.grants.begin(), group.grants.end());
  }
  return all;
}

/// The rest is tried as if nothing was known of it.
void AdditionSearch::TryAnew() {
  for (Group& group : groups_) {
    group.is_rest = group.put_off = false;
    group.out.reset();
  }
  Tidy();
}

/// The next group is known to hold the refused addition. A single grant is tried alone.
void AdditionSearch::Halve() {
  std::vector<DeclaredGrant>& all = groups_.back().grants;
  if (all.size() < 2) return;
  const auto middle = std::next(all.begin(), static_cast<std::ptrdiff_t>(all.size() / 2));
  Group rest{{std::make_move_iterator(middle), std::make_move_iterator(all.end())}};
  rest.is_rest = true;
  all.erase(middle, all.end());
  groups_.insert(std::prev(groups_.end()), std::move(rest));
}

/// Unknown groups are tried as a whole.
void AdditionSearch::Tidy() {
  const bool known = std::any_of(groups_.begin(), groups_.end(), [](const Group& group) {
    return group.is_rest || group.put_off || group.out;
  });
  if (known || groups_.size() < 2) return;
  for (std::size_t i = 1; i < groups_.size(); ++i) {
    MoveInto(groups_.front().grants, std::move(groups_[i].grants));
  }
  groups_.resize(1);
}

}  // namespace bindery::controller
