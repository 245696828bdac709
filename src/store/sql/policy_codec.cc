#include "store/sql/policy_codec.h"

#include <zstd.h>

#include <memory>
#include <stdexcept>

namespace bindery::store {
namespace {

// The base of policies without a base: most policies are small, and their common parts need not be
// stored with each. Never to be changed: stored policies need exactly this text.
// clang-format off
constexpr std::string_view kUsual =
    R"usual({"restriction_policy":{"bindings":[{"relation":"editor","principals":["org:","team:","role:","user:"]}]}})usual"
    R"usual({"auditConfigs":[{"bindings":[{"condition":{"description":"","expression":"request.time < timestamp(\"2026-01-01T00:00:00Z\")","title":""},)usual"
    R"usual("members":["principalSet://iam.googleapis.com/projects/","domain:","serviceAccount:@.iam.gserviceaccount.com"],"role":"roles/"}],)usual"
    R"usual("etag":"BwY=","version":3},{"version":1,"bindings":[{"role":"roles/","members":["user:@example.com","group:@example.com"]}]})usual";
// clang-format on

// More makes little difference here and costs several times the time.
constexpr int kLevel = 1;

// No cloud takes a policy this large: a larger size is a sign of damage.
constexpr unsigned long long kLargestPolicy = 64ULL << 20U;

struct Free {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

/// A context a thread: setting one up costs more than packing a small policy.
ZSTD_CCtx* Packer() {
  thread_local const std::unique_ptr<ZSTD_CCtx, Free> kContext(ZSTD_createCCtx());
  return kContext.get();
}

ZSTD_DCtx* Unpacker() {
  thread_local const std::unique_ptr<ZSTD_DCtx, Free> kContext(ZSTD_createDCtx());
  return kContext.get();
}

std::string_view GetPrefix(std::string_view base) { return base.empty() ? kUsual : base; }

}  // namespace

std::string PackPolicy(std::string_view body, std::string_view base) {
  ZSTD_CCtx* context = Packer();
  const std::string_view prefix = GetPrefix(base);
  std::string packed(ZSTD_compressBound(body.size()), '\0');
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, base.empty() ? 0 : 1);
  ZSTD_CCtx_refPrefix(context, prefix.data(), prefix.size());
  const std::size_t size =
      ZSTD_compress2(context, packed.data(), packed.size(), body.data(), body.size());
  if (ZSTD_isError(size) != 0U) throw std::runtime_error(ZSTD_getErrorName(size));
  packed.resize(size);
  return packed;
}

std::optional<std::string> UnpackPolicy(std::string_view packed, std::string_view base) {
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  // zstd's "unknown" and "error" are the largest numbers.
  if (size > kLargestPolicy) return std::nullopt;
  ZSTD_DCtx* context = Unpacker();
  const std::string_view prefix = GetPrefix(base);
  std::string body(size, '\0');
  ZSTD_DCtx_refPrefix(context, prefix.data(), prefix.size());
  const std::size_t unpacked =
      ZSTD_decompressDCtx(context, body.data(), body.size(), packed.data(), packed.size());
  if (unpacked != body.size()) return std::nullopt;
  return body;
}

}  // namespace bindery::store
