#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/access/grant.h"
#include "core/base/json.h"

namespace bindery::reconcilers {

/// What the entries of a `bindings` array call their parts: {"role", "members"} in an IAM policy,
/// {"relation", "principals"} in a restriction policy.
struct BindingWords {
  const char* role;
  const char* principals;
};

/// Every grant of a `bindings` array, in order and spelling. Entries that are not of the expected
/// shape hold no grants (and are left alone by EditBindings).
[[nodiscard]] std::vector<Grant> ListGrants(const Json& bindings, const BindingWords& words);

/// Each different grant once, in the first spelling and order: principals are compared in their
/// `normal` form.
[[nodiscard]] std::vector<Grant> DistinctGrants(std::vector<Grant> grants,
                                                std::string (*normal)(const std::string&));

/// A copy of `bindings` without `removes` and with `adds`. Entries and principals that are not
/// named stay unchanged, byte for byte; an entry that loses its last principal goes; an added grant
/// joins the first entry with its role and condition, else gets a separate entry at the end. `same`
/// tells whether two spellings are one principal.
[[nodiscard]] Json EditBindings(
    const Json& bindings, const BindingWords& words, const std::vector<Grant>& adds,
    const std::vector<Grant>& removes,
    const std::function<bool(const std::string&, const std::string&)>& same);

}  // namespace bindery::reconcilers
