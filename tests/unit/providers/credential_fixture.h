#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "providers/google/credentials/credentials.h"
#include "support/fake_clock.h"
#include "support/http_impostor.h"
#include "support/matchers.h"
#include "support/rsa_key.h"
#include "support/temp_dir.h"

namespace bindery::testing {

inline std::string DecodeBase64Url(std::string_view text) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    bits = (bits << 6U) | static_cast<unsigned>(kLetters.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xFFU);
  }
  return bytes;
}

/// A JWT taken apart; `valid` when the shared key signed it.
struct SignedToken {
  explicit SignedToken(const std::string& text) {
    const std::size_t first = text.find('.');
    const std::size_t second = text.find('.', first + 1);
    header = Json::parse(DecodeBase64Url(text.substr(0, first)));
    claims = Json::parse(DecodeBase64Url(text.substr(first + 1, second - first - 1)));
    valid =
        RsaKey::Shared().Verifies(text.substr(0, second), DecodeBase64Url(text.substr(second + 1)));
  }
  Json header;
  Json claims;
  bool valid = false;
};

/// The fields of a form, decoded.
inline std::map<std::string, std::string> Form(const std::string& body) {
  std::map<std::string, std::string> fields;
  const auto decode = [](std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '%') {
        plain += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
        i += 2;
      } else {
        plain += text[i] == '+' ? ' ' : text[i];
      }
    }
    return plain;
  };
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t end = std::min(body.find('&', at), body.size());
    const std::string_view pair = std::string_view(body).substr(at, end - at);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    fields[decode(pair.substr(0, equals))] = decode(pair.substr(std::min(equals + 1, pair.size())));
    at = end + 1;
  }
  return fields;
}

/// Signing in against a server on this machine, with a clock, an environment and waits that the
/// test decides.
class CredentialTest : public ::testing::Test {
 protected:
  static constexpr const char* kCloudPlatform = "https://www.googleapis.com/auth/cloud-platform";
  static constexpr const char* kIam = "https://www.googleapis.com/auth/iam";

  [[nodiscard]] google::GoogleCredentialSettings Settings() {
    google::GoogleCredentialSettings settings;
    settings.transport = transport_;
    settings.variable = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = variables_.find(name);
      return found == variables_.end() ? std::nullopt : std::make_optional(found->second);
    };
    settings.clock = clock_;
    settings.wait = [this](std::chrono::milliseconds time) {
      waits_.push_back(time);
      clock_->Pass(time);
    };
    settings.machine_name_file = dir_ / "product_name";
    return settings;
  }

  /// Writes a file that only its owner may read.
  std::string File(const Json& content, const std::string& name = "key.json") {
    return TextFile(content.dump(), name);
  }
  std::string TextFile(const std::string& content, const std::string& name) {
    dir_.Write(name, content);
    ::chmod((dir_ / name).c_str(), 0600);
    return dir_ / name;
  }

  [[nodiscard]] Json ServiceAccount() const {
    return {{"type", "service_account"},
            {"project_id", "p-1"},
            {"private_key_id", "key-1"},
            {"private_key", RsaKey::Shared().PrivatePem()},
            {"client_email", "robot@p-1.iam.gserviceaccount.com"},
            {"client_id", "123"},
            {"token_uri", server_.Url("/token")}};
  }
  [[nodiscard]] Json User() const {
    return {{"type", "authorized_user"},
            {"client_id", "id-1"},
            {"client_secret", "client-secret-1"},
            {"refresh_token", "refresh-1"},
            {"token_uri", server_.Url("/token")}};
  }

  /// The headers that credentials put on a request, or the failure.
  static Expected<cloud::HttpRequest> Authorized(
      const Expected<google::GoogleCredentials>& credentials) {
    if (!credentials) return Fail(credentials.error());
    cloud::HttpRequest request;
    if (auto done = credentials->authorizer->Authorize(request); !done) return Fail(done.error());
    return request;
  }

  /// "Bearer …", or the failure.
  static Expected<std::string> Bearer(const Expected<google::GoogleCredentials>& credentials) {
    auto request = Authorized(credentials);
    if (!request) return Fail(request.error());
    for (const auto& [name, value] : request->headers) {
      if (name == "Authorization") return value;
    }
    return Fail(Code::kNotFound, "no Authorization header");
  }

  /// True when a renewal in the background comes to put `bearer` on requests.
  static bool Comes(const Expected<google::GoogleCredentials>& credentials,
                    const std::string& bearer) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (Bearer(credentials).value_or("") != bearer) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::yield();
    }
    return true;
  }

  static std::string Token(const std::string& value, int seconds = 3599) {
    return Json({{"access_token", value}, {"expires_in", seconds}, {"token_type", "Bearer"}})
        .dump();
  }

  TempDir dir_;
  HttpImpostor server_;
  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  std::shared_ptr<cloud::Transport> transport_ =
      std::make_shared<cloud::CurlTransport>(cloud::CurlTransportOptions{"bindery-test"});
  std::map<std::string, std::string> variables_;
  std::vector<std::chrono::milliseconds> waits_;
};

}  // namespace bindery::testing
