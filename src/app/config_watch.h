#pragma once

#include <filesystem>
#include <utility>

#include "config/content_stamp.h"

namespace bindery {

/// Tells when the configuration file is not the one that was read any more. Single-threaded.
class ConfigWatch {
 public:
  enum class News {
    kNone,
    /// It is another, or back after it was gone: to be read. It looked the same twice in a row, and
    /// nobody has it open for writing: half a configuration is one without protections.
    kChanged,
    kGone,  ///< It was not there twice in a row: once may be while it is replaced. Told once.
  };

  explicit ConfigWatch(std::filesystem::path file)
      : file_(std::move(file)), read_(ContentStampOf(file_)) {}

  [[nodiscard]] News Look();
  /// It is another than was read, and nobody is writing it: without a second look, for those who
  /// looked last long ago.
  [[nodiscard]] bool IsOther() const;

  /// It is read now, as it is.
  void NoteRead();

 private:
  std::filesystem::path file_;
  ContentStamp read_;
  ContentStamp seen_;  ///< At the last look, where it is another than `read_`.
  int rested_ = 0;     ///< Looks in a row at which it was `seen_`.
  int missed_ = 0;     ///< In a row.
};

}  // namespace bindery
