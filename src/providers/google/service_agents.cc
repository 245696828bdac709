#include "providers/google/service_agents.h"

#include <re2/set.h>

#include <stdexcept>
#include <string_view>
#include <vector>

namespace bindery {
namespace {

struct ServiceAgent {
  const char* pattern;
  std::string_view role;
};

constexpr ServiceAgent kAgents[] = {
#include "providers/google/service_agents.inc"
};

/// All patterns at once. Made at the first use: most programs never ask.
const re2::RE2::Set& Patterns() {
  static const re2::RE2::Set* const kPatterns = [] {
    auto* set = new re2::RE2::Set(re2::RE2::DefaultOptions, re2::RE2::ANCHOR_BOTH);
    for (const ServiceAgent& agent : kAgents) {
      if (set->Add(agent.pattern, nullptr) < 0) throw std::logic_error(agent.pattern);
    }
    if (!set->Compile())
      throw std::logic_error("the patterns of service agents take too much memory");
    return set;
  }();
  return *kPatterns;
}

}  // namespace

bool IsOfServiceAgent(const Grant& grant) {
  constexpr std::string_view kType = "serviceAccount:";
  // A condition is nothing that Google grants with.
  if (grant.condition || !grant.principal.starts_with(kType)) return false;
  std::vector<int> found;
  if (!Patterns().Match(grant.principal, &found)) return false;
  for (const int index : found) {
    if (kAgents[index].role == grant.role) return true;
  }
  return false;
}

}  // namespace bindery
