#include "app/clouds/access_facts.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "access/group_members.h"
#include "access/role_permissions.h"
#include "app/clouds/clouds.h"
#include "providers/inventory_source.h"

namespace bindery {
namespace {

/// Relative names start from the folder of the configuration.
void AddNamedFiles(const Config& config, const std::vector<std::string>& names,
                   std::vector<std::filesystem::path>& files) {
  for (const std::string& name : names) {
    files.push_back((config.file.parent_path() / name).lexically_normal());
  }
}

/// Null without files. `asked`: the further arguments of Content::Read().
template <typename Content, typename... Asked>
Expected<void> ReadFiles(const std::vector<std::filesystem::path>& files,
                         std::shared_ptr<const Content>& content, const Asked&... asked) {
  if (files.empty()) return {};
  auto read = Content::Read(files, asked...);
  if (!read) return Fail(read.error());
  content = std::make_shared<const Content>(*std::move(read));
  return {};
}

/// The ways of a command to providers: the clouds are started when they are needed first.
class LateClouds {
 public:
  explicit LateClouds(const Config& config) : config_(config) {}

  Expected<std::shared_ptr<const Connection>> Connect(const std::string& provider) {
    if (!clouds_) {
      auto started = StartClouds(config_, EmbeddedCloud::kPrivate);
      if (!started) return Fail(started.error());
      clouds_ = *std::move(started);
    }
    std::shared_ptr<const Connection>& connection = connections_[provider];
    if (connection == nullptr) {
      auto connected = ConnectProvider(config_.providers.at(provider), *clouds_);
      if (!connected) return Fail(connected.error());
      connection = std::move(connected->connection);
    }
    return connection;
  }

 private:
  const Config config_;
  std::optional<Clouds> clouds_;
  std::map<std::string, std::shared_ptr<const Connection>> connections_;
};

}  // namespace

AccessFiles AccessFiles::Of(const Config& config) {
  AccessFiles files;
  for (const auto& [name, provider] : config.providers) {
    const InventorySource* source = FindInventory(provider.type);
    if (source == nullptr) continue;
    AddNamedFiles(config, source->ListGroupFiles(provider), files.groups);
    AddNamedFiles(config, source->ListRoleFiles(provider), files.roles);
  }
  return files;
}

Expected<void> AccessFiles::ReadInto(const std::string& permission, AccessRecords& records) const {
  if (auto read = ReadFiles(groups, records.groups); !read) return read;
  if (permission.empty()) return {};
  return ReadFiles(roles, records.roles, permission);
}

std::shared_ptr<GroupAsker> MakeGroupAsker(const Config& config, const Clock& clock,
                                           const ConnectProviderByName& connect) {
  std::vector<GroupAsker::Service> services;
  for (const auto& [name, provider] : config.providers) {
    const InventorySource* source = FindInventory(provider.type);
    const GroupPlan plan = source == nullptr ? GroupPlan() : source->GetGroups(provider);
    if (plan.directory == nullptr) continue;
    services.push_back(
        {plan.directory, [connect, provider = name] { return connect(provider); }, plan.max_age});
  }
  if (services.empty()) return nullptr;
  return std::make_shared<GroupAsker>(std::move(services), clock);
}

Expected<AccessRecords> ReadRecords(const Store& store, const Config& config,
                                    const std::string& permission) {
  AccessRecords records{store, &store.inventory()};
  const auto read = AccessFiles::Of(config).ReadInto(permission, records);
  if (!read) return Fail(read.error());
  records.provider_types = ProviderTypes(config);
  static const SystemClock kClock;
  records.group_asker = MakeGroupAsker(
      config, kClock, [clouds = std::make_shared<LateClouds>(config)](const std::string& name) {
        return clouds->Connect(name);
      });
  return records;
}

}  // namespace bindery
