#include "app/settings/fixed_settings.h"

#include <tuple>

namespace bindery::app {
namespace {

auto GetFixed(const config::TransportConfig& transport) {
  return std::tie(transport.ca_file, transport.proxy, transport.no_proxy,
                  transport.connect_timeout);
}

auto GetFixed(const config::TracingConfig& tracing) {
  return std::tie(tracing.endpoint, tracing.headers_file, tracing.service_name, tracing.timeout);
}

/// What is passed over or refused of the directory; the rest of its settings is not fixed.
auto GetFixed(const config::ManifestsConfig& manifests) {
  return std::tie(manifests.recursive, manifests.max_files, manifests.max_bytes,
                  manifests.verify_content);
}

auto GetLimits(const config::ServerConfig& server) {
  return std::tie(server.max_connections, server.max_connections_per_peer,
                  server.max_socket_connections, server.max_streams, server.max_streams_per_reader);
}

}  // namespace

std::vector<std::string> FixedSettingsThatDiffer(const config::Config& in_force,
                                                 const config::Config& wanted) {
  std::vector<std::string> keys;
  const auto note = [&keys](bool differs, const char* key) {
    if (differs) keys.emplace_back(key);
  };
  note(!(wanted.store == in_force.store), "store.url");
  note(wanted.store_witness != in_force.store_witness, "store.witness");
  note(wanted.manifests.directory != in_force.manifests.directory, "manifests.directory");
  note(GetFixed(wanted.manifests) != GetFixed(in_force.manifests), "manifests");
  note(wanted.server.listen != in_force.server.listen, "server.listen");
  note(wanted.server.socket != in_force.server.socket, "server.socket");
  note(wanted.server.web_config != in_force.server.web_config, "server.webConfigFile");
  note(wanted.server.insecure != in_force.server.insecure, "server.insecure");
  note(wanted.server.allowed_hosts != in_force.server.allowed_hosts, "server.allowedHosts");
  note(GetLimits(wanted.server) != GetLimits(in_force.server), "server.max*");
  note(GetFixed(wanted.transport) != GetFixed(in_force.transport), "transport");
  note(GetFixed(wanted.tracing) != GetFixed(in_force.tracing), "tracing");
  note(wanted.embedded_cloud.listen != in_force.embedded_cloud.listen, "embeddedCloud.listen");
  note(wanted.embedded_cloud.store != in_force.embedded_cloud.store, "embeddedCloud.store");
  note(wanted.embedded_cloud.max_connections != in_force.embedded_cloud.max_connections,
       "embeddedCloud.maxConnections");
  note(wanted.embedded_cloud.seed != in_force.embedded_cloud.seed, "embeddedCloud.seed");
  note(wanted.server.hardening != in_force.server.hardening, "hardening");
  note(wanted.reconcile.concurrency > in_force.reconcile.concurrency, "reconcile.concurrency");
  note(wanted.reconcile.share_checks != in_force.reconcile.share_checks, "reconcile.shareChecks");
  return keys;
}

}  // namespace bindery::app
