#include "app/clouds/provider_twins.h"

#include <map>
#include <optional>
#include <string>

#include "providers/registry/providers.h"

namespace bindery::app {

Expected<void> RefuseTwins(const controller::Engine::Connections& connections) {
  std::map<std::string, std::string> known;
  for (const auto& [name, connection] : connections) {
    const std::optional<providers::Account> account =
        providers::ProviderOfType(connection->type).LookUpAccount(*connection);
    if (!account) continue;
    const auto [twin, first] = known.try_emplace(account->id, name);
    if (first) continue;
    return Fail(Code::kFailedPrecondition,
                "providers." + name + ": it reaches the same organization as providers." +
                    twin->second + " (" + account->service +
                    ", with the same key): what manifests declare " +
                    "through the one and through the other would be written in turn; keep one of "
                    "them");
  }
  return {};
}

}  // namespace bindery::app
