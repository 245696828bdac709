#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "cloud/curl/curl_failure.h"
#include "cloud/transport.h"

namespace bindery::cloud {

/// Which transfers may share connections by HTTP/2, and how many connections. For one thread.
class StreamSharing {
 public:
  /// `is_limited`: by the options, and for all transfers.
  explicit StreamSharing(bool is_limited) : is_limited_(is_limited) {}

  /// Over TLS a host is taken to speak HTTP/2 until the host answers by HTTP/1.1. Also then one
  /// transfer can use the connection of that answer.
  [[nodiscard]] bool Takes(const cloud::HttpRequest& request) const {
    if (!request.url.starts_with("https://")) return false;
    return streams_ == 0 || one_by_one_.empty() || !one_by_one_.contains(GetOrigin(request.url));
  }

  /// The connections to a host for one more transfer; nothing where the last limit is enough.
  /// Without a limit libcurl opens a connection for each transfer that finds no free stream.
  [[nodiscard]] std::optional<long> LimitForOneMore() {
    // What servers let a connection carry at once; RFC 9113 asks for no fewer.
    constexpr std::size_t kUsualStreams = 100;
    const std::size_t full = (streams_ + 1 + kUsualStreams - 1) / kUsualStreams;
    const long connections = static_cast<long>(full) + 1;
    if (is_limited_ || connections <= connections_) return std::nullopt;
    connections_ = connections;
    return connections;
  }

  void Began() { ++streams_; }
  void Ended() { --streams_; }

  /// Learns from an answer which hosts carry one transfer at a time.
  void Note(const cloud::HttpExchange& exchange, const std::string& url) {
    if (exchange.status == 0 || !url.starts_with("https://")) return;
    if (exchange.version == cloud::HttpVersion::kHttp1) {
      one_by_one_.insert(GetOrigin(url));
    } else if (!one_by_one_.empty()) {
      one_by_one_.erase(GetOrigin(url));
    }
  }

 private:
  const bool is_limited_;
  std::set<std::string> one_by_one_;  ///< Origins whose last answer over TLS was HTTP/1.1.
  std::size_t streams_ = 0;           ///< Transfers under way.
  long connections_ = 0;              ///< The last limit.
};

}  // namespace bindery::cloud
