#include "controller/loop/scan_patience.h"

namespace bindery::controller {

void ScanPatience::Began(MonoTime now) {
  running_ = true;
  if (!since_) since_ = now;
}

void ScanPatience::Ended(bool usable, const Error* why) {
  running_ = false;
  if (usable) {
    since_.reset();
    last_.clear();
    return;
  }
  last_ = why == nullptr ? "it changes all the time" : why->message;
}

std::optional<Error> ScanPatience::Overdue(MonoTime now) const {
  if (!since_ || now - *since_ < kLongest) return std::nullopt;
  Error error;
  error.code = Code::kDeadlineExceeded;
  error.message = "no scan of the manifests directory had a result for more than " +
                  std::to_string(kLongest.count()) +
                  " s: " + (last_.empty() ? "its file system does not answer" : last_);
  return error;
}

}  // namespace bindery::controller
