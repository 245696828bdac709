#include "emulator/google/jwt.h"

#include <openssl/evp.h>
#include <openssl/pem.h>

#include "emulator/google/etag.h"

namespace bindery::emulator {
namespace {

constexpr std::size_t kMaxJwt = 64U << 10U;
constexpr std::int64_t kMaxLife = 3600;

std::optional<Json> DecodeObject(std::string_view part) {
  const auto bytes = DecodeBase64(part);
  if (!bytes) return std::nullopt;
  auto json = ParseJson(*bytes);
  if (!json || !json->is_object()) return std::nullopt;
  return std::move(*json);
}

}  // namespace

Expected<PublicKey> PublicKey::FromPem(const std::string& pem) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(
      BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free);
  std::shared_ptr<evp_pkey_st> key(
      bio == nullptr ? nullptr : PEM_read_bio_PUBKEY(bio.get(), nullptr, nullptr, nullptr),
      &EVP_PKEY_free);
  if (key == nullptr || EVP_PKEY_base_id(key.get()) != EVP_PKEY_RSA) {
    return Fail(Code::kInvalidArgument, "expected an RSA public key in PEM form");
  }
  return PublicKey(std::move(key));
}

bool PublicKey::Verifies(std::string_view message, std::string_view signature) const {
  const auto bytes = [](std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
  };
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  return context != nullptr &&
         EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
         EVP_DigestVerify(context.get(), bytes(signature), signature.size(), bytes(message),
                          message.size()) == 1;
}

std::optional<std::int64_t> Jwt::Seconds(std::string_view claim) const {
  const Json* value = FindMember(claims, claim);
  if (value == nullptr) return std::nullopt;
  // Beyond these limits no real date lies, and sums could overflow.
  constexpr std::int64_t kFar = 1'000'000'000'000;
  if (value->is_number_float()) {
    const double seconds = value->get<double>();
    if (!(seconds >= 0 && seconds <= static_cast<double>(kFar))) return std::nullopt;
    return static_cast<std::int64_t>(seconds);
  }
  if (!value->is_number_integer()) return std::nullopt;
  const auto seconds = value->get<std::int64_t>();
  if (seconds < 0 || seconds > kFar) return std::nullopt;
  return seconds;
}

std::optional<Jwt> ParseJwt(std::string_view text) {
  if (text.size() > kMaxJwt) return std::nullopt;
  const std::size_t first = text.find('.');
  const std::size_t second = first == std::string_view::npos ? first : text.find('.', first + 1);
  if (second == std::string_view::npos || text.find('.', second + 1) != std::string_view::npos) {
    return std::nullopt;
  }
  const auto header = DecodeObject(text.substr(0, first));
  auto claims = DecodeObject(text.substr(first + 1, second - first - 1));
  auto signature = DecodeBase64(text.substr(second + 1));
  if (!header || !claims || !signature) return std::nullopt;
  Jwt jwt;
  jwt.algorithm = StringMember(*header, "alg");
  jwt.key_id = StringMember(*header, "kid");
  jwt.claims = std::move(*claims);
  jwt.signed_part = text.substr(0, second);
  jwt.signature = std::move(*signature);
  return jwt;
}

bool IsTimely(const Jwt& jwt, WallTime now) {
  const auto issued = jwt.Seconds("iat");
  const auto expires = jwt.Seconds("exp");
  if (!issued || !expires || *expires <= *issued || *expires - *issued > kMaxLife) return false;
  const std::int64_t seconds =
      std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
  const std::int64_t tolerance = std::chrono::seconds(kJwtTolerance).count();
  return *issued <= seconds + tolerance && seconds < *expires + tolerance;
}

}  // namespace bindery::emulator
