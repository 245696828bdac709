#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/expected.h"
#include "providers/google/credentials/token_source.h"

namespace bindery::google {

/// The server for the identity of a machine, a pod or a function of Google Cloud. Plain HTTP and
/// never through a proxy: the server is on the machine's own link.
class MetadataServer {
 public:
  using Variable = std::function<std::optional<std::string>(const std::string&)>;

  /// Reads GCE_METADATA_HOST (older: GCE_METADATA_ROOT), GCE_METADATA_IP and GCE_METADATA_TIMEOUT
  /// (seconds). kInvalidArgument, naming the variable, when one of them is wrong.
  [[nodiscard]] static Expected<MetadataServer> FromVariables(const TokenContext& context,
                                                              const Variable& variable);

  /// True when a server answers and identifies itself as Google's; up to three attempts.
  [[nodiscard]] bool Answers() const;

  /// The text at "/computeMetadata/v1/" + path; nothing when the server has none, or does not
  /// answer.
  [[nodiscard]] std::optional<std::string> Read(const std::string& path) const;

  /// Tokens of the default service account.
  [[nodiscard]] std::unique_ptr<TokenSource> Tokens() const;

  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  MetadataServer(TokenContext context, std::string url, std::string ping_url,
                 std::chrono::milliseconds timeout);

  const TokenContext context_;
  const std::string url_;
  const std::string ping_url_;
  const std::chrono::milliseconds timeout_;
};

/// True when the machine's firmware names Google: the metadata server may be slow to come up.
/// `product_name_file` is /sys/class/dmi/id/product_name.
[[nodiscard]] bool IsGoogleHardware(const std::string& product_name_file);

}  // namespace bindery::google
