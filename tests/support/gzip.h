#pragma once

#include <boost/beast/zlib.hpp>
#include <boost/crc.hpp>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bindery::testing {

/// The text as a bare deflate stream.
inline std::string Deflate(std::string_view text) {
  namespace zlib = boost::beast::zlib;
  zlib::deflate_stream stream;
  std::string out(stream.upper_bound(text.size()) + 64, '\0');
  zlib::z_params params = {};
  params.next_in = text.data();
  params.avail_in = text.size();
  params.next_out = out.data();
  params.avail_out = out.size();
  boost::system::error_code error;
  stream.write(params, zlib::Flush::finish, error);
  if (error != zlib::error::end_of_stream) throw std::runtime_error("deflate: " + error.message());
  out.resize(out.size() - params.avail_out);
  return out;
}

/// The text as gzip: one member, without a name.
inline std::string Gzip(std::string_view text) {
  const auto number = [](std::uint32_t value) {
    std::string bytes;
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xFFU);
    return bytes;
  };
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  return std::string("\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\xFF", 10) + Deflate(text) +
         number(crc.checksum()) + number(static_cast<std::uint32_t>(text.size()));
}

}  // namespace bindery::testing
