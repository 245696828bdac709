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

namespace bindery::app {
namespace {

/// Relative names start from the folder of the configuration.
void AddNamedFiles(const config::Config& config, const std::vector<std::string>& names,
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
  explicit LateClouds(const config::Config& config) : config_(config) {}

  Expected<std::shared_ptr<const cloud::Connection>> Connect(const std::string& provider) {
    if (!clouds_) {
      auto started = StartClouds(config_, EmbeddedCloud::kPrivate);
      if (!started) return Fail(started.error());
      clouds_ = *std::move(started);
    }
    std::shared_ptr<const cloud::Connection>& connection = connections_[provider];
    if (connection == nullptr) {
      auto connected = ConnectProvider(config_.providers.at(provider), *clouds_);
      if (!connected) return Fail(connected.error());
      connection = std::move(connected->connection);
    }
    return connection;
  }

 private:
  const config::Config config_;
  std::optional<Clouds> clouds_;
  std::map<std::string, std::shared_ptr<const cloud::Connection>> connections_;
};

}  // namespace

AccessFiles AccessFiles::Of(const config::Config& config) {
  AccessFiles files;
  for (const auto& [name, provider] : config.providers) {
    const providers::InventorySource* source = providers::FindInventory(provider.type);
    if (source == nullptr) continue;
    AddNamedFiles(config, source->ListGroupFiles(provider), files.groups);
    AddNamedFiles(config, source->ListRoleFiles(provider), files.roles);
  }
  return files;
}

Expected<void> AccessFiles::ReadInto(const std::string& permission,
                                     report::AccessRecords& records) const {
  if (auto read = ReadFiles(groups, records.groups); !read) return read;
  if (permission.empty()) return {};
  return ReadFiles(roles, records.roles, permission);
}

std::shared_ptr<access::GroupAsker> MakeGroupAsker(const config::Config& config, const Clock& clock,
                                                   const ConnectProviderByName& connect) {
  std::vector<access::GroupAsker::Service> services;
  for (const auto& [name, provider] : config.providers) {
    const providers::InventorySource* source = providers::FindInventory(provider.type);
    const providers::GroupPlan plan =
        source == nullptr ? providers::GroupPlan() : source->GetGroups(provider);
    if (plan.directory == nullptr) continue;
    services.push_back(
        {plan.directory, [connect, provider = name] { return connect(provider); }, plan.max_age});
  }
  if (services.empty()) return nullptr;
  return std::make_shared<access::GroupAsker>(std::move(services), clock);
}

Expected<report::AccessRecords> ReadRecords(const store::Store& store, const config::Config& config,
                                            const std::string& permission) {
  report::AccessRecords records{store, &store.inventory()};
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

}  // namespace bindery::app
