#include "app/plan/policy_names.h"

#include <algorithm>
#include <iterator>

#include "reconcilers/project_identity.h"

namespace bindery::app {
namespace {

/// Two of the names may be of one policy: projects, or accounts, are named in both ways.
bool MayHaveTwins(const std::set<std::string>& names) {
  bool by_number = false;
  bool by_id = false;
  bool by_unique_id = false;
  bool by_address = false;
  for (const std::string& name : names) {
    const bool numbered = !reconcilers::GetProjectNumber(name).empty();
    by_number |= numbered;
    by_id |= !numbered;
    by_unique_id |= reconcilers::IsAccountNumber(name);
    by_address |= reconcilers::IsAccountAddress(name);
  }
  return (by_number && by_id) || (by_unique_id && by_address);
}

}  // namespace

void PolicyNames::Note(const std::string& kind, const std::string& name) {
  const std::string by_id = places_.ById(name);
  const std::string form = FormAnyName(by_id);
  if (!form.empty()) forms_[{kind, form}].insert(by_id);
}

void PolicyNames::Learn() {
  std::erase_if(forms_, [](const auto& form) { return !MayHaveTwins(form.second); });
  std::vector<std::string> wanted;
  for (const auto& [form, names] : forms_) {
    std::ranges::copy_if(names, std::back_inserter(wanted), &reconcilers::HasNumber);
  }
  if (wanted.empty()) return;
  names_.ReadStore();
  for (const auto& [form, names] : forms_) {
    for (const std::string& name : names) numbers_.emplace(name, names_.GetNumber(name));
  }
  names_.Learn(provider_, wanted);
}

const PolicyNames::Names* PolicyNames::FindTwins(const std::string& kind,
                                                 const std::string& by_id) const {
  const auto found = forms_.find({kind, FormAnyName(by_id)});
  return found == forms_.end() ? nullptr : &found->second;
}

std::string PolicyNames::GetOne(const std::string& kind, const std::string& name) const {
  const std::string by_id = places_.ById(name);
  return FindTwins(kind, by_id) == nullptr ? by_id : names_.MakeCanonical(provider_, by_id);
}

bool PolicyNames::MayBeSame(const std::string& numbered, const std::string& other) const {
  if (!reconcilers::MayBeOnePolicy(numbered, other)) return false;
  // The other project is known by another number.
  const auto number_in = [this](const std::string& name) {
    std::string number = places_.GetNumberInName(name);
    const auto known = numbers_.find(name);
    return number.empty() && known != numbers_.end() ? known->second : number;
  };
  const std::string number = number_in(numbered);
  const std::string another = number_in(other);
  return number.empty() || another.empty() || number == another;
}

std::string PolicyNames::FindRival(const std::string& kind, const std::string& name) const {
  const std::string one = GetOne(kind, name);
  const Names* twins = reconcilers::HasNumber(one) ? FindTwins(kind, places_.ById(name)) : nullptr;
  if (twins == nullptr) return {};
  for (const std::string& twin : *twins) {
    std::string other = names_.MakeCanonical(provider_, twin);
    // Of two names with numbers the first one remains.
    const bool remains = !reconcilers::HasNumber(other) || other < one;
    if (remains && MayBeSame(one, other)) return other;
  }
  return {};
}

std::string ExplainRival(const std::string& rival) {
  return "may be the same policy as that of " + rival +
         ", which is in the import too: the service does not tell the name behind the number";
}

}  // namespace bindery::app
