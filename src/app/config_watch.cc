#include "app/config_watch.h"

namespace bindery {

ConfigWatch::News ConfigWatch::Look() {
  constexpr int kPatience = 2;
  const ContentStamp now = ContentStampOf(file_);
  if (now.empty()) return ++missed_ == kPatience ? News::kGone : News::kNone;
  const bool back = std::exchange(missed_, 0) >= kPatience;
  return back || now != read_ ? News::kChanged : News::kNone;
}

}  // namespace bindery
