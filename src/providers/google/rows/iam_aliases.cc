#include "providers/google/rows/iam_aliases.h"

#include <algorithm>
#include <iterator>

namespace bindery::google {
namespace {

constexpr IamAlias kAliases[] = {
#include "providers/google/rows/iam_aliases.inc"
};

static_assert(std::ranges::is_sorted(kAliases, {}, &IamAlias::token));

}  // namespace

std::span<const IamAlias> IamAliases() { return kAliases; }

const IamAlias* FindIamAlias(std::string_view token_without_suffix) {
  const IamAlias* alias =
      std::ranges::lower_bound(kAliases, token_without_suffix, {}, &IamAlias::token);
  return alias != std::end(kAliases) && alias->token == token_without_suffix ? alias : nullptr;
}

}  // namespace bindery::google
