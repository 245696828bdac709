#include <algorithm>
#include <boost/beast/zlib.hpp>
#include <boost/crc.hpp>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

#include "httpd/coding/content_coding.h"
#include "httpd/message.h"

namespace bindery::httpd {
namespace {

namespace zlib = boost::beast::zlib;

std::string_view WithoutBlanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// "zstd;q=0.5": the name, and the weight in thousandths. A weight that cannot be read is 0.
std::pair<std::string_view, int> ReadChoice(std::string_view choice) {
  constexpr int kFull = 1'000;
  const std::size_t end = choice.find(';');
  const std::string_view name = WithoutBlanks(choice.substr(0, end));
  if (end == std::string_view::npos) return {name, kFull};
  std::string_view weight = WithoutBlanks(choice.substr(end + 1));
  if (!weight.starts_with("q=") && !weight.starts_with("Q=")) return {name, 0};
  weight.remove_prefix(2);
  if (weight.empty() || (weight[0] != '0' && weight[0] != '1')) return {name, 0};
  if (weight[0] == '1') return {name, kFull};
  int thousandths = 0;
  int place = 100;
  for (const char digit : weight.substr(std::min<std::size_t>(2, weight.size()))) {
    if (digit < '0' || digit > '9') return {name, 0};
    thousandths += (digit - '0') * place;
    place /= 10;
  }
  return {name, thousandths};
}

void AppendNumber(std::uint32_t number, std::string& bytes) {
  for (int byte = 0; byte < 4; ++byte) {
    bytes += static_cast<char>(number & 0xFFU);
    number >>= 8U;
  }
}

}  // namespace

std::string_view ToString(ContentCoding coding) {
  switch (coding) {
    case ContentCoding::kIdentity:
      return "";
    case ContentCoding::kGzip:
      return "gzip";
    case ContentCoding::kZstd:
      return "zstd";
  }
  return "";
}

ContentCoding WantedCoding(std::string_view accept_encoding) {
  int gzip = 0;
  int zstd = 0;
  while (!accept_encoding.empty()) {
    const std::size_t comma = std::min(accept_encoding.find(','), accept_encoding.size());
    const auto [name, weight] = ReadChoice(accept_encoding.substr(0, comma));
    if (EqualsIgnoringCase(name, "gzip") || EqualsIgnoringCase(name, "x-gzip")) gzip = weight;
    if (EqualsIgnoringCase(name, "zstd")) zstd = weight;
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
  }
  if (gzip == 0 && zstd == 0) return ContentCoding::kIdentity;
  return gzip >= zstd ? ContentCoding::kGzip : ContentCoding::kZstd;
}

struct GzipWriter::Deflate {
  zlib::deflate_stream stream;
  boost::crc_32_type crc;
  std::uint32_t size = 0;  ///< Modulo 2^32.
  bool begun = false;

  void Write(std::string_view bytes, zlib::Flush flush, std::string& out) {
    constexpr std::size_t kStep = 64U << 10U;
    if (!begun) out.append("\x1F\x8B\x08\0\0\0\0\0\x04\xFF", 10);  // No time; fastest; no system.
    begun = true;
    zlib::z_params params = {};
    params.next_in = bytes.data();
    params.avail_in = bytes.size();
    boost::system::error_code error;
    do {
      const std::size_t before = out.size();
      out.resize(before + kStep);
      params.next_out = out.data() + before;
      params.avail_out = kStep;
      stream.write(params, flush, error);
      out.resize(out.size() - params.avail_out);
      if (error && error != zlib::error::need_buffers && error != zlib::error::end_of_stream) {
        throw std::bad_alloc();  // It fails for nothing else.
      }
    } while (params.avail_out == 0 && error != zlib::error::end_of_stream);
  }
};

GzipWriter::GzipWriter() : deflate_(std::make_unique<Deflate>()) {
  constexpr int kFastest = 1;
  constexpr int kWindowBits = 15;
  constexpr int kMemory = 8;
  deflate_->stream.reset(kFastest, kWindowBits, kMemory, zlib::Strategy::normal);
}

GzipWriter::~GzipWriter() = default;

std::string GzipWriter::Add(std::string_view bytes) {
  std::string out;
  deflate_->crc.process_bytes(bytes.data(), bytes.size());
  deflate_->size += static_cast<std::uint32_t>(bytes.size());
  deflate_->Write(bytes, zlib::Flush::none, out);
  return out;
}

std::string GzipWriter::Finish() {
  std::string out;
  deflate_->Write({}, zlib::Flush::finish, out);
  AppendNumber(deflate_->crc.checksum(), out);
  AppendNumber(deflate_->size, out);
  return out;
}

}  // namespace bindery::httpd
