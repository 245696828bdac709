#pragma once

#include <filesystem>
#include <utility>

#include "config/content_stamp.h"

namespace bindery::app {

/// Reports when the configuration file differs from the read file. Single-threaded.
class ConfigWatch {
 public:
  enum class News {
    kNone,
    /// The file is changed, or back after it was gone: to be read. Two looks in a row found the
    /// same file, and nobody has the file open for writing: half a configuration is a configuration
    /// without protections.
    kChanged,
    kGone,  ///< It was not there twice in a row: once may be while it is replaced. Told once.
  };

  explicit ConfigWatch(std::filesystem::path file)
      : file_(std::move(file)), read_(config::MakeContentStamp(file_)) {}

  [[nodiscard]] News Look();
  /// The file differs from the read file, and nobody is writing the file: without a second look,
  /// for callers whose last look is long ago.
  [[nodiscard]] bool IsOther() const;

  /// The present file has been read.
  void NoteRead();

 private:
  std::filesystem::path file_;
  config::ContentStamp read_;
  config::ContentStamp seen_;  ///< At the last look, where it is another than `read_`.
  int rested_ = 0;             ///< Looks in a row at which it was `seen_`.
  int missed_ = 0;             ///< In a row.
};

}  // namespace bindery::app
