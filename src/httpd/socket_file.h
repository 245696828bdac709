#pragma once

// Private to src/httpd: the file of a UNIX socket.

#include <sys/types.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <string>

#include "core/base/expected.h"

namespace bindery::httpd {

/// The file by which clients reach a UNIX socket: bound, looked at, and removed at the end.
///
/// Invariant: a file of another process is never removed or replaced.
class SocketFile {
 public:
  using Acceptor = boost::asio::local::stream_protocol::acceptor;

  /// What is at the path.
  enum class Found {
    kOwn,
    kNothing,
    kOther,    ///< Another file, or the socket of another process.
    kUnknown,  ///< The folder may not be read.
  };

  SocketFile(boost::asio::io_context& io, std::string path, unsigned mode);
  /// Removes the file if it is still the own one.
  ~SocketFile();
  SocketFile(const SocketFile&) = delete;
  SocketFile& operator=(const SocketFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Makes the file, its folders if need be, and listens. A socket file that a killed server left
  /// behind is replaced.
  [[nodiscard]] Expected<Acceptor> Listen();
  /// The same for a file that went: only where nothing is at the path.
  [[nodiscard]] Expected<Acceptor> ListenAgain();

  [[nodiscard]] Found Look() const;

 private:
  boost::asio::io_context& io_;
  const std::string path_;
  const unsigned mode_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace bindery::httpd
