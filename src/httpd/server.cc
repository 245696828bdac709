#include "httpd/server.h"

#include "httpd/core.h"
#include "httpd/pending_answer.h"

namespace bindery::httpd {

void Responder::Send(Response response) const { pending_->Send(std::move(response)); }

Stream Responder::Begin(Response head) const { return Stream(pending_->Begin(std::move(head))); }

bool Stream::Write(std::string bytes) const { return open_->Write(std::move(bytes)); }

void Stream::Close() const { open_->Close(); }

bool Stream::is_open() const { return open_->is_open(); }

void Responder::Drop() const { pending_->Drop(); }

void Responder::After(std::chrono::milliseconds delay, std::function<void()> task) const {
  pending_->After(delay, std::move(task));
}

Expected<std::unique_ptr<Server>> Server::Start(const ServerOptions& options, Handler handler) {
  auto core = std::make_shared<Core>(options, std::move(handler));
  if (auto listening = core->Listen(); !listening) {
    core->Stop(std::chrono::milliseconds(0));
    return Fail(listening.error());
  }
  core->Run();
  return std::unique_ptr<Server>(new Server(std::move(core)));
}

Server::~Server() { Stop(std::chrono::milliseconds(0)); }

std::uint16_t Server::Port() const { return core_->tcp_address().port; }

std::string Server::Address() const {
  return core_->options().listen.empty() ? std::string() : core_->tcp_address().Text();
}

void Server::After(std::chrono::milliseconds delay, std::function<void()> task) {
  core_->After(delay, std::move(task));
}

void Server::Stop(std::chrono::milliseconds deadline) { core_->Stop(deadline); }

}  // namespace bindery::httpd
