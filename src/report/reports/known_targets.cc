#include "report/reports/known_targets.h"

#include "providers/bindery/own_kinds.h"

namespace bindery::report {

bool CountsAsTarget(const Target& target) {
  // The scope of a kind whose names mean something within a provider is the provider.
  return target.scope.str() != providers::kOwnProvider;
}

}  // namespace bindery::report
