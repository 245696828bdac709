#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>

#include "controller/loop/manifest_source.h"
#include "core/base/work_pool.h"

namespace bindery::controller {

/// Waits for what the operating system tells of a source's directory, and takes it on a separate
/// thread: to follow the directory's links may take as long as its file system. Belongs to the
/// loop's thread.
class HintWatch {
 public:
  /// `hinted` is called on the loop's thread. All must outlive the object.
  HintWatch(boost::asio::io_context& io, ManifestSource& source, std::function<void()> hinted);

  /// A source that tells nothing is not watched.
  void Start();

  /// `idle` is called when the thread no longer uses the source, which may be never.
  void Stop(std::function<void()> idle);

  /// The thread uses the source.
  [[nodiscard]] bool busy() const { return busy_; }

 private:
  void Wait();
  void Take();

  boost::asio::io_context& io_;
  ManifestSource& source_;
  std::function<void()> hinted_;
  std::function<void()> idle_;
  boost::asio::posix::stream_descriptor descriptor_;
  bool busy_ = false;
  bool stopped_ = false;
  WorkPool thread_{1};
};

}  // namespace bindery::controller
