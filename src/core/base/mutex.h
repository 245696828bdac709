#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>

// Mutexes for the compiler's analysis. clang's Thread Safety Analysis (-Wthread-safety) refuses the
// use of a GUARDED_BY member without its mutex, and a call of a REQUIRES function without it. The
// macros have the names of clang's documentation, and are empty for further compilers. Constructors
// and destructors are not checked. A lambda is checked alone: a lambda under a lock of its caller
// names the lock with REQUIRES, after its parameters.
#if defined(__clang__)
#define BINDERY_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define BINDERY_THREAD_ATTRIBUTE(x)
#endif

/// Read and written only while the mutex is held.
#define GUARDED_BY(...) BINDERY_THREAD_ATTRIBUTE(guarded_by(__VA_ARGS__))
/// The caller holds the mutex before and after the call.
#define REQUIRES(...) BINDERY_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
/// The caller does not hold the mutex: the function takes it.
#define EXCLUDES(...) BINDERY_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))

// For the classes below.
#define CAPABILITY(x) BINDERY_THREAD_ATTRIBUTE(capability(x))
#define SCOPED_CAPABILITY BINDERY_THREAD_ATTRIBUTE(scoped_lockable)
#define ACQUIRE(...) BINDERY_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define ACQUIRE_SHARED(...) BINDERY_THREAD_ATTRIBUTE(acquire_shared_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) BINDERY_THREAD_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define RELEASE(...) BINDERY_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
#define RELEASE_SHARED(...) BINDERY_THREAD_ATTRIBUTE(release_shared_capability(__VA_ARGS__))

namespace bindery {

/// A std::mutex.
class CAPABILITY("mutex") Mutex {
 public:
  void Lock() ACQUIRE() { mutex_.lock(); }
  [[nodiscard]] bool TryLock() TRY_ACQUIRE(true) { return mutex_.try_lock(); }
  void Unlock() RELEASE() { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

/// Holds a mutex until its scope ends.
class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.Lock(); }
  /// Takes over the lock of TryLock().
  MutexLock(Mutex& mutex, std::adopt_lock_t /*locked*/) REQUIRES(mutex) : mutex_(mutex) {}
  ~MutexLock() RELEASE() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

/// Releases a held mutex until the end of the scope, also after an exception.
class SCOPED_CAPABILITY MutexRelease {
 public:
  explicit MutexRelease(Mutex& mutex) RELEASE(mutex) : mutex_(mutex) { mutex_.Unlock(); }
  // The analysis knows how the mutex was before, and calls the way back to that a release.
  ~MutexRelease() RELEASE() { mutex_.Lock(); }
  MutexRelease(const MutexRelease&) = delete;
  MutexRelease& operator=(const MutexRelease&) = delete;

 private:
  Mutex& mutex_;
};

/// A std::condition_variable. The caller of a waiting function holds the mutex, which is released
/// while it waits. As always, a wait may end without a reason.
class CondVar {
 public:
  void NotifyOne() noexcept { changed_.notify_one(); }
  void NotifyAll() noexcept { changed_.notify_all(); }

  void Wait(Mutex& mutex) REQUIRES(mutex) {
    const Held held(mutex);
    changed_.wait(held.lock);
  }
  /// Until `done` says true; it runs with the mutex held.
  template <typename Done>
  void Wait(Mutex& mutex, Done done) REQUIRES(mutex) {
    const Held held(mutex);
    changed_.wait(held.lock, done);
  }
  template <typename Clock, typename Duration>
  std::cv_status WaitUntil(Mutex& mutex, std::chrono::time_point<Clock, Duration> time)
      REQUIRES(mutex) {
    const Held held(mutex);
    return changed_.wait_until(held.lock, time);
  }
  /// The last result of `done`.
  template <typename Clock, typename Duration, typename Done>
  bool WaitUntil(Mutex& mutex, std::chrono::time_point<Clock, Duration> time, Done done)
      REQUIRES(mutex) {
    const Held held(mutex);
    return changed_.wait_until(held.lock, time, done);
  }
  template <typename Rep, typename Period>
  std::cv_status WaitFor(Mutex& mutex, std::chrono::duration<Rep, Period> time) REQUIRES(mutex) {
    const Held held(mutex);
    return changed_.wait_for(held.lock, time);
  }
  /// The last result of `done`.
  template <typename Rep, typename Period, typename Done>
  bool WaitFor(Mutex& mutex, std::chrono::duration<Rep, Period> time, Done done) REQUIRES(mutex) {
    const Held held(mutex);
    return changed_.wait_for(held.lock, time, done);
  }

 private:
  /// The mutex for std::condition_variable; still locked afterwards.
  struct Held {
    explicit Held(Mutex& mutex) : lock(mutex.mutex_, std::adopt_lock) {}
    ~Held() { lock.release(); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    mutable std::unique_lock<std::mutex> lock;
  };

  std::condition_variable changed_;
};

/// A std::shared_mutex.
class CAPABILITY("shared_mutex") SharedMutex {
 public:
  void Lock() ACQUIRE() { mutex_.lock(); }
  void Unlock() RELEASE() { mutex_.unlock(); }
  void LockShared() ACQUIRE_SHARED() { mutex_.lock_shared(); }
  void UnlockShared() RELEASE_SHARED() { mutex_.unlock_shared(); }

 private:
  std::shared_mutex mutex_;
};

/// Holds a shared mutex alone until its scope ends.
class SCOPED_CAPABILITY WriterLock {
 public:
  explicit WriterLock(SharedMutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.Lock(); }
  ~WriterLock() RELEASE() { mutex_.Unlock(); }
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  SharedMutex& mutex_;
};

/// Holds a shared mutex, together with further readers, until its scope ends.
class SCOPED_CAPABILITY ReaderLock {
 public:
  explicit ReaderLock(SharedMutex& mutex) ACQUIRE_SHARED(mutex) : mutex_(mutex) {
    mutex_.LockShared();
  }
  ~ReaderLock() RELEASE() { mutex_.UnlockShared(); }
  ReaderLock(const ReaderLock&) = delete;
  ReaderLock& operator=(const ReaderLock&) = delete;

 private:
  SharedMutex& mutex_;
};

}  // namespace bindery
