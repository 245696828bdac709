#include "httpd/socket_file.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/system/error_code.hpp>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

#include "httpd/listen_error.h"

namespace bindery::httpd {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using LocalEndpoint = asio::local::stream_protocol::endpoint;

/// Removes a socket file that a killed server left behind; refuses anything else in the way.
Expected<void> ClearStaleSocket(asio::io_context& io, const std::string& path) {
  struct stat found = {};
  if (::lstat(path.c_str(), &found) != 0) return {};
  if (!S_ISSOCK(found.st_mode)) {
    return Fail(Code::kFailedPrecondition,
                "cannot listen on \"" + path + "\": it exists and is not a socket");
  }
  asio::local::stream_protocol::socket probe(io);
  error_code failure;
  probe.connect(LocalEndpoint(path), failure);
  if (!failure) {
    return Fail(Code::kAlreadyExists,
                "cannot listen on \"" + path + "\": another process listens there");
  }
  if (failure != asio::error::connection_refused) {
    return Fail(ListenError("\"" + path + "\"", failure));
  }
  ::unlink(path.c_str());
  return {};
}

}  // namespace

SocketFile::SocketFile(asio::io_context& io, std::string path, unsigned mode)
    : io_(io), path_(std::move(path)), mode_(mode) {}

SocketFile::~SocketFile() {
  if (inode_ != 0 && Look() == Found::kOwn) ::unlink(path_.c_str());
}

SocketFile::Found SocketFile::Look() const {
  struct stat found = {};
  if (::lstat(path_.c_str(), &found) != 0) {
    return errno == ENOENT ? Found::kNothing : Found::kUnknown;
  }
  // The open socket keeps its inode: nobody else gets the number meanwhile.
  return found.st_dev == device_ && found.st_ino == inode_ ? Found::kOwn : Found::kOther;
}

Expected<SocketFile::Acceptor> SocketFile::Listen() {
  constexpr std::size_t kMaxPath = sizeof(sockaddr_un{}.sun_path) - 1;
  if (path_.size() > kMaxPath) {
    return Fail(Code::kInvalidArgument, "cannot listen on \"" + path_ +
                                            "\": the path of a socket may have at most " +
                                            std::to_string(kMaxPath) + " bytes");
  }
  if (auto cleared = ClearStaleSocket(io_, path_); !cleared) return Fail(cleared.error());
  return ListenAgain();
}

Expected<SocketFile::Acceptor> SocketFile::ListenAgain() {
  std::error_code ignored;  // bind() says what is wrong with the folder.
  const std::filesystem::path parent = std::filesystem::path(path_).parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, ignored);
  Acceptor acceptor(io_);
  error_code failure;
  acceptor.open(asio::local::stream_protocol(), failure);
  // Linux gives the file the mode of the unbound socket: there is no moment with a wider one.
  if (!failure) ::fchmod(acceptor.native_handle(), static_cast<mode_t>(mode_));
  if (!failure) acceptor.bind(LocalEndpoint(path_), failure);
  if (!failure && ::chmod(path_.c_str(), static_cast<mode_t>(mode_)) != 0) {
    failure = error_code(errno, boost::system::system_category());
  }
  if (!failure) acceptor.listen(asio::socket_base::max_listen_connections, failure);
  if (failure) return Fail(ListenError("\"" + path_ + "\"", failure));
  struct stat made = {};
  if (::lstat(path_.c_str(), &made) == 0) {
    device_ = made.st_dev;
    inode_ = made.st_ino;
  }
  return acceptor;
}

}  // namespace bindery::httpd
