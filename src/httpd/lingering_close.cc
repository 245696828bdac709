#include "httpd/lingering_close.h"

#include <chrono>
#include <cstddef>
#include <utility>

namespace bindery::httpd {
namespace {

constexpr std::chrono::seconds kDrainTime{2};
constexpr std::size_t kDrainBytes = 16U << 20U;

void Drain(ByteStream& stream, boost::beast::flat_buffer& buffer, std::size_t drained,
           std::function<void()> done) {
  constexpr std::size_t kChunk = 16U << 10U;
  buffer.clear();
  stream.ReadSome(buffer.prepare(kChunk),
                  [&stream, &buffer, drained, done = std::move(done)](
                      const boost::system::error_code& error, std::size_t size) {
                    if (error || drained + size > kDrainBytes) return done();
                    Drain(stream, buffer, drained + size, done);
                  });
}

}  // namespace

void CloseSlowly(ByteStream& stream, boost::beast::flat_buffer& buffer,
                 std::function<void()> done) {
  boost::system::error_code ignored;
  stream.socket().shutdown(boost::asio::socket_base::shutdown_send, ignored);
  // One time-out for all of the draining, however slowly the peer sends.
  stream.expires_after(kDrainTime);
  Drain(stream, buffer, 0, std::move(done));
}

void SayGoodbye(ByteStream& stream, std::function<void()> done) {
  stream.expires_after(kDrainTime);
  stream.Shutdown(
      [done = std::move(done)](const boost::system::error_code&, std::size_t) { done(); });
}

}  // namespace bindery::httpd
