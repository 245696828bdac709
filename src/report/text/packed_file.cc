#include "report/text/packed_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/private_file.h"
#include "manifests/files/descriptor.h"

namespace bindery::report {
namespace {

namespace fs = std::filesystem;

struct FreePacker {
  void operator()(ZSTD_CCtx* packer) const { ZSTD_freeCCtx(packer); }
};

bool WriteAll(int fd, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ::ssize_t written = ::write(fd, bytes, size);
    if (written < 0) return false;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

/// All of `from` into `to`, on the disk.
bool Pack(int from, int to, const std::atomic<bool>* dropped) {
  const std::unique_ptr<ZSTD_CCtx, FreePacker> packer(ZSTD_createCCtx());
  std::vector<char> read(ZSTD_CStreamInSize());
  std::vector<char> packed(ZSTD_CStreamOutSize());
  ZSTD_CCtx_setParameter(packer.get(), ZSTD_c_checksumFlag, 1);
  for (bool ended = false; !ended;) {
    if (dropped != nullptr && *dropped) return false;
    const ::ssize_t size = ::read(from, read.data(), read.size());
    if (size < 0) return false;
    ended = size == 0;
    ZSTD_inBuffer in = {read.data(), static_cast<std::size_t>(size), 0};
    for (std::size_t left = 1; in.pos < in.size || (ended && left > 0);) {
      ZSTD_outBuffer out = {packed.data(), packed.size(), 0};
      left = ZSTD_compressStream2(packer.get(), &out, &in, ended ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0 || !WriteAll(to, packed.data(), out.pos)) return false;
    }
  }
  return ::fsync(to) == 0;
}

}  // namespace

void PackFile(const fs::path& file, const std::atomic<bool>* dropped) {
  constexpr unsigned kMode = 0640;  // As the file's.
  const fs::path packed = file.string() + ".zst";
  const fs::path unfinished = packed.parent_path() / ("." + packed.filename().string());
  const manifests::Descriptor from(OpenPrivateFile(file.string(), O_RDONLY));
  const manifests::Descriptor to(
      OpenPrivateFile(unfinished.string(), O_WRONLY | O_CREAT | O_TRUNC, kMode));
  if (!from.valid() || !to.valid()) return;
  std::error_code ignored;
  if (!Pack(from.get(), to.get(), dropped)) {
    fs::remove(unfinished, ignored);
    return;
  }
  if (::rename(unfinished.c_str(), packed.c_str()) == 0) fs::remove(file, ignored);
}

}  // namespace bindery::report
