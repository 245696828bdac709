#include "httpd/coding/content_coding.h"

#include <algorithm>
#include <boost/beast/zlib.hpp>
#include <boost/crc.hpp>
#include <cstdint>
#include <utility>
#include <vector>

namespace bindery::httpd {
namespace {

namespace zlib = boost::beast::zlib;
using Result = tl::expected<void, DecodeFault>;

tl::unexpected<DecodeFault> Damaged(const std::string& what) {
  return tl::unexpected(DecodeFault{400, "the body is not valid " + what});
}

/// Little-endian, from four bytes.
std::uint32_t Number(std::string_view bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = 4; i-- > 0;) {
    number = (number << 8U) | static_cast<unsigned char>(bytes[i]);
  }
  return number;
}

/// The decoded part, and the rest.
class Decoder {
 public:
  Decoder(std::string_view body, const DecodeLimits& limits) : rest_(body), size_(body.size()) {
    allowed_ = std::min(limits.max_bytes, std::max(limits.small_bytes,
                                                   limits.max_ratio * std::max(size_, size_t{1})));
  }

  /// One deflate stream; bytes behind it are left in rest().
  Result Inflate(const std::string& what) {
    zlib::inflate_stream stream;
    zlib::z_params params = {};
    params.next_in = rest_.data();
    params.avail_in = rest_.size();
    std::vector<char> buffer(kBuffer);
    boost::system::error_code error;
    while (error != zlib::error::end_of_stream) {
      params.next_out = buffer.data();
      params.avail_out = buffer.size();
      stream.write(params, zlib::Flush::sync, error);
      const std::size_t made = buffer.size() - params.avail_out;
      if (out_.size() + made > allowed_) {
        return tl::unexpected(DecodeFault{
            413, "the body is larger than " + std::to_string(allowed_) + " bytes when decoded"});
      }
      out_.append(buffer.data(), made);
      const bool starved = made == 0 && params.avail_in == 0;
      const bool fails =
          error && error != zlib::error::end_of_stream && error != zlib::error::need_buffers;
      if (fails || (starved && error != zlib::error::end_of_stream)) return Damaged(what);
    }
    rest_.remove_prefix(rest_.size() - params.avail_in);
    return {};
  }

  [[nodiscard]] std::string_view rest() const { return rest_; }
  void Skip(std::size_t count) { rest_.remove_prefix(std::min(count, rest_.size())); }
  [[nodiscard]] const std::string& out() const { return out_; }
  std::string TakeOut() { return std::move(out_); }

 private:
  static constexpr std::size_t kBuffer = 64U << 10U;
  using size_t = std::size_t;

  std::string_view rest_;
  std::size_t size_;
  std::size_t allowed_ = 0;
  std::string out_;
};

/// Moves behind the header of a member (RFC 1952); false if none exists.
bool SkipGzipHeader(Decoder& decoder) {
  constexpr std::size_t kFixed = 10;
  constexpr unsigned kHeaderCrc = 2;
  constexpr unsigned kExtra = 4;
  constexpr unsigned kName = 8;
  constexpr unsigned kComment = 16;
  const std::string_view head = decoder.rest();
  if (head.size() < kFixed || !head.starts_with("\x1F\x8B\x08")) return false;
  const auto flags = static_cast<unsigned char>(head[3]);
  if ((flags & 0xE0U) != 0) return false;
  decoder.Skip(kFixed);
  if ((flags & kExtra) != 0) {
    const std::string_view rest = decoder.rest();
    if (rest.size() < 2) return false;
    const std::size_t length = static_cast<unsigned char>(rest[0]) +
                               (std::size_t{static_cast<unsigned char>(rest[1])} << 8U);
    if (rest.size() < 2 + length) return false;
    decoder.Skip(2 + length);
  }
  for (const unsigned text : {kName, kComment}) {
    if ((flags & text) == 0) continue;
    const std::size_t end = decoder.rest().find('\0');
    if (end == std::string_view::npos) return false;
    decoder.Skip(end + 1);
  }
  if ((flags & kHeaderCrc) != 0) decoder.Skip(2);
  return true;
}

tl::expected<std::string, DecodeFault> DecodeGzip(std::string_view body,
                                                  const DecodeLimits& limits) {
  constexpr std::size_t kTrailer = 8;
  Decoder decoder(body, limits);
  do {
    if (!SkipGzipHeader(decoder)) return Damaged("gzip");
    const std::size_t before = decoder.out().size();
    if (auto done = decoder.Inflate("gzip"); !done) return tl::unexpected(done.error());
    const std::string_view member = std::string_view(decoder.out()).substr(before);
    const std::string_view trailer = decoder.rest();
    if (trailer.size() < kTrailer) return Damaged("gzip");
    boost::crc_32_type crc;
    crc.process_bytes(member.data(), member.size());
    const bool whole = Number(trailer) == crc.checksum() &&
                       Number(trailer.substr(4)) == static_cast<std::uint32_t>(member.size());
    if (!whole) return Damaged("gzip");
    decoder.Skip(kTrailer);
  } while (!decoder.rest().empty());
  return decoder.TakeOut();
}

std::uint32_t Adler32(std::string_view text) {
  constexpr std::uint32_t kModulus = 65521;
  std::uint32_t low = 1;
  std::uint32_t high = 0;
  for (const char c : text) {
    low = (low + static_cast<unsigned char>(c)) % kModulus;
    high = (high + low) % kModulus;
  }
  return (high << 16U) | low;
}

/// "deflate" is the zlib form (RFC 1950); some send the bare stream.
tl::expected<std::string, DecodeFault> DecodeDeflate(std::string_view body,
                                                     const DecodeLimits& limits) {
  const auto first = body.empty() ? 0U : static_cast<unsigned char>(body[0]);
  const auto second = body.size() < 2 ? 0U : static_cast<unsigned char>(body[1]);
  const bool framed = body.size() >= 2 && (first & 0x0FU) == 8 && (first * 256 + second) % 31 == 0;
  // The decoder knows the end of a bare stream only when something follows.
  const std::string bare = framed ? std::string() : std::string(body) + std::string(8, '\0');
  Decoder decoder(framed ? body.substr(2) : std::string_view(bare), limits);
  if (auto done = decoder.Inflate("deflate"); !done) return tl::unexpected(done.error());
  if (!framed) {
    if (decoder.rest().size() != 8) return Damaged("deflate");
    return decoder.TakeOut();
  }
  std::string trailer(decoder.rest());
  if (trailer.size() != 4) return Damaged("deflate");
  std::reverse(trailer.begin(), trailer.end());
  if (Number(trailer) != Adler32(decoder.out())) return Damaged("deflate");
  return decoder.TakeOut();
}

}  // namespace

tl::expected<void, DecodeFault> DecodeBody(Request& request, const DecodeLimits& limits) {
  const std::string coding = request.headers.Get("Content-Encoding");
  if (coding.empty()) return {};
  tl::expected<std::string, DecodeFault> decoded;
  if (EqualsIgnoringCase(coding, "identity")) {
    decoded = std::move(request.body);
  } else if (EqualsIgnoringCase(coding, "gzip") || EqualsIgnoringCase(coding, "x-gzip")) {
    decoded = DecodeGzip(request.body, limits);
  } else if (EqualsIgnoringCase(coding, "deflate")) {
    decoded = DecodeDeflate(request.body, limits);
  } else {
    return tl::unexpected(DecodeFault{415, "Content-Encoding \"" + coding + "\" is not known"});
  }
  if (!decoded) return tl::unexpected(decoded.error());
  request.body = *std::move(decoded);
  Headers kept;
  for (const auto& [name, value] : request.headers.fields()) {
    if (!EqualsIgnoringCase(name, "Content-Encoding")) kept.Add(name, value);
  }
  request.headers = std::move(kept);
  return {};
}

}  // namespace bindery::httpd
