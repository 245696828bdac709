#include "core/interned.h"

#include <mutex>
#include <unordered_set>

namespace bindery {
namespace {

struct Pool {
  std::mutex mutex;  ///< Guards texts, whose elements never move.
  std::unordered_set<std::string> texts;
};

/// Never destroyed: texts are used until the last static object is gone.
Pool& ThePool() {
  static Pool* const kPool = new Pool;
  return *kPool;
}

}  // namespace

Interned::Interned(std::string_view text) {
  static const std::string kEmpty;
  if (text.empty()) {
    text_ = &kEmpty;
    return;
  }
  Pool& pool = ThePool();
  const std::lock_guard lock(pool.mutex);
  text_ = &*pool.texts.emplace(text).first;
}

}  // namespace bindery
