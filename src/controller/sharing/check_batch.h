#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "controller/claims/lent_check.h"
#include "core/base/expected.h"

namespace bindery::controller {

/// The data of a check for a helper. The helper makes the call itself, for a known kind: a row in
/// the store can cause a read, and nothing else.
struct AskedCheck {
  std::string provider;
  std::string kind;  ///< As Target::kind.
  std::string name;  ///< Of the target.
  std::string call;  ///< Digest of the call: the helper must come to the same one.
  Sha256Digest known_body;
  bool operator==(const AskedCheck&) const = default;
};

/// kInvalidArgument where the kind cannot make the call.
[[nodiscard]] Expected<AskedCheck> ReadAskedCheck(const LentCheck& check);

/// Of the sent data: method, URL and body, without credentials. Without `base`, the address of the
/// service too: replicas may have ways of their own to it.
[[nodiscard]] std::string DigestOfCall(const cloud::PolicyCall& call, std::string_view base);

// As texts, for the store.
[[nodiscard]] std::string TextOfChecks(const std::vector<AskedCheck>& checks);
[[nodiscard]] Expected<std::vector<AskedCheck>> ParseChecks(std::string_view text);
[[nodiscard]] std::string TextOfAnswers(const std::vector<LentAnswer>& answers);
/// kInvalidArgument unless the text has `count` answers.
[[nodiscard]] Expected<std::vector<LentAnswer>> ParseAnswers(std::string_view text,
                                                             std::size_t count);

}  // namespace bindery::controller
