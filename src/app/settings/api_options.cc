#include "app/settings/api_options.h"

#include <cstddef>

namespace bindery::app {

server::ApiOptions MakeApiOptions(const config::ServerConfig& config) {
  const auto count = [](int number) { return static_cast<std::size_t>(number); };
  server::ApiOptions options;
  options.listen = config.listen.Text();
  options.socket = config.socket.string();
  options.web_config = config.web_config;
  options.insecure = config.insecure;
  options.allowed_hosts = config.allowed_hosts;
  options.connections = {count(config.max_connections), count(config.max_connections_per_peer)};
  options.socket_connections = {count(config.max_socket_connections), 0};
  options.streams.all = count(config.max_streams);
  options.streams.per_reader = count(config.max_streams_per_reader);
  return options;
}

}  // namespace bindery::app
