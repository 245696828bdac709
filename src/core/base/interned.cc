#include "core/base/interned.h"

#include <functional>
#include <unordered_set>

#include "core/base/mutex.h"

namespace bindery {
namespace {

struct Hash : std::hash<std::string_view> {
  using is_transparent = void;
};

struct Pool {
  SharedMutex mutex;  ///< Guards texts, whose elements never move.
  std::unordered_set<std::string, Hash, std::equal_to<>> texts GUARDED_BY(mutex);
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
  {
    // Nearly always the text is known: look-ups do not wait for each other.
    const ReaderLock lock(pool.mutex);
    const auto known = pool.texts.find(text);
    if (known != pool.texts.end()) {
      text_ = &*known;
      return;
    }
  }
  const WriterLock lock(pool.mutex);
  text_ = &*pool.texts.emplace(text).first;
}

}  // namespace bindery
