#pragma once

#include "controller/engine/engine.h"
#include "core/base/error.h"

namespace bindery::controller {

/// Told what the loop does besides the engine's work. Called on the loop thread; must be quick.
class LoopObserver {
 public:
  virtual ~LoopObserver() = default;
  /// A scan came into force, or changed nothing.
  virtual void Loaded(const ScanInput& scan, const Engine::Scanned* changes) = 0;
  virtual void LoadFailed(const Error& error) = 0;
  virtual void StoreFailed(const Error& error) = 0;
  /// After every round of work, at most once a second, and at the end.
  virtual void Progress(const Engine& engine) = 0;
};

}  // namespace bindery::controller
