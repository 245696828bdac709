#include "app/settings/config_watch.h"

#include <fcntl.h>

#include "manifests/files/descriptor.h"
#include "manifests/files/open_for_writing.h"

namespace bindery::app {
namespace {

bool HasWriter(const std::filesystem::path& file) {
  const manifests::Descriptor fd(
      ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  return fd.valid() && manifests::IsOpenForWriting(fd.get()).value_or(false);
}

}  // namespace

void ConfigWatch::NoteRead() {
  read_ = config::MakeContentStamp(file_);
  seen_ = {};
}

bool ConfigWatch::IsOther() const {
  const config::ContentStamp now = config::MakeContentStamp(file_);
  return !now.empty() && now != read_ && !HasWriter(file_);
}

ConfigWatch::News ConfigWatch::Look() {
  constexpr int kPatience = 2;
  constexpr int kPatienceWithWriters = 60;
  const config::ContentStamp now = config::MakeContentStamp(file_);
  if (now.empty()) return ++missed_ == kPatience ? News::kGone : News::kNone;
  if (std::exchange(missed_, 0) >= kPatience) read_ = {};
  if (now == read_) return News::kNone;
  rested_ = now == seen_ ? rested_ + 1 : 1;
  seen_ = now;
  if (rested_ < kPatience) return News::kNone;
  return rested_ >= kPatienceWithWriters || !HasWriter(file_) ? News::kChanged : News::kNone;
}

}  // namespace bindery::app
