#include "store/postgres/postgres_url.h"

#include <libpq-fe.h>

#include <memory>
#include <string_view>
#include <utility>

namespace bindery::store {
namespace {

/// Shorter secrets are parts of ordinary words.
constexpr std::size_t kShortestSecret = 3;

struct OptionsDeleter {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

Error Unreadable(const std::string& why) {
  return {Code::kInvalidArgument,
          "store.url cannot be read: " + why +
              "; in a password write @ : / ? # & % as %40 %3A %2F %3F %23 %26 %25, or keep it in a "
              "passfile"};
}

using Options = std::unique_ptr<PQconninfoOption, OptionsDeleter>;

bool IsListOfPorts(std::string_view text) {
  return text.find_first_not_of("0123456789,") == std::string_view::npos;
}

}  // namespace

std::string PostgresSecrets::Masked(std::string message) const {
  constexpr std::string_view kMask = "***";
  for (const std::string& secret : values) {
    for (std::size_t at = message.find(secret); at != std::string::npos;
         at = message.find(secret, at + kMask.size())) {
      message.replace(at, secret.size(), kMask);
    }
  }
  return message;
}

Expected<PostgresSecrets> ReadPostgresUrl(const std::string& url) {
  char* fault = nullptr;
  const Options options(PQconninfoParse(url.c_str(), &fault));
  PQfreemem(fault);
  if (options == nullptr) return Fail(Unreadable("it is no URL of libpq"));
  PostgresSecrets secrets;
  for (const PQconninfoOption* each = options.get(); each->keyword != nullptr; ++each) {
    const std::string_view key = each->keyword;
    const std::string value = each->val == nullptr ? "" : each->val;
    if (key == "host" && value.find('@') != std::string::npos) {
      return Fail(Unreadable("the name of the host has an @"));
    }
    if (key == "port" && !IsListOfPorts(value)) {
      return Fail(Unreadable("the port is no number"));
    }
    const bool secret = key == "password" || key == "sslpassword";
    if (secret && value.size() >= kShortestSecret) secrets.values.push_back(value);
  }
  return secrets;
}

std::string GetOption(pg_conn* connection, std::string_view key) {
  const Options options(PQconninfo(connection));
  const PQconninfoOption* each = options.get();
  while (each != nullptr && each->keyword != nullptr && key != each->keyword) ++each;
  return each == nullptr || each->val == nullptr ? "" : each->val;
}

}  // namespace bindery::store
