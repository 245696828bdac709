#include "emulator/delayed_calls.h"

namespace bindery::emulator {

DelayedCalls::Id DelayedCalls::Keep(const httpd::Responder& responder) {
  const MutexLock lock(mutex_);
  const Id id = ++last_;
  if (dropping_) {
    responder.Drop();
  } else {
    waiting_.emplace(id, responder);
  }
  return id;
}

bool DelayedCalls::Take(Id id) {
  const MutexLock lock(mutex_);
  return waiting_.erase(id) > 0;
}

void DelayedCalls::DropAll() {
  std::map<Id, httpd::Responder> waiting;
  {
    const MutexLock lock(mutex_);
    dropping_ = true;
    waiting.swap(waiting_);
  }
  for (const auto& entry : waiting) entry.second.Drop();
}

}  // namespace bindery::emulator
