#include "httpd/workers.h"

namespace bindery::httpd {
namespace {

std::unique_ptr<WorkPool> MakePool(unsigned threads) {
  return threads > 0 ? std::make_unique<WorkPool>(threads) : nullptr;
}

}  // namespace

Workers::Workers(const ServerOptions& options)
    : options_(options),
      common_(MakePool(options.workers)),
      socket_(MakePool(options.socket_workers)),
      vital_(MakePool(options.vital_workers)) {}

boost::asio::thread_pool* Workers::For(const Request& request) const {
  if (request.peer.is_unix && socket_ != nullptr) return socket_.get();
  if (vital_ != nullptr && options_.IsVital(request.path)) return vital_.get();
  return common_.get();
}

void Workers::Stop() {
  for (const auto* pool : {&common_, &socket_, &vital_}) {
    if (*pool == nullptr) continue;
    (*pool)->stop();
    (*pool)->join();
  }
}

void Workers::Clear() {
  for (auto* pool : {&common_, &socket_, &vital_}) pool->reset();
}

}  // namespace bindery::httpd
