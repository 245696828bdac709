#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/request_relay.h"
#include "app/service_manager.h"
#include "app/standby_control.h"
#include "app/standby_helper.h"
#include "config/config.h"
#include "core/clock.h"
#include "server/api_server.h"
#include "server/change_signal.h"
#include "store/sharing.h"
#include "store/store.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace bindery {

/// A replica while a different one has the lease of the store: it answers the read data, from the
/// store as the other one leaves it, has the other one carry out the request, and waits.
/// Single-threaded.
class Standby {
 public:
  /// All must outlive the object.
  struct Parts {
    const Config& config;
    Logger& log;
    Metrics& metrics;
    const Clock& clock;
    ServiceManager& services;
    std::shared_ptr<StoreWitness> witness = nullptr;  ///< As StoreSharing::witness.
  };

  /// `once`: serves nobody and gives up soon, as there is somebody who waits for the end.
  Standby(const Parts& parts, bool once);
  ~Standby();
  Standby(const Standby&) = delete;
  Standby& operator=(const Standby&) = delete;

  /// As StoreSharing::Waiting.
  bool Wait(const LeaseHolder* holder, const std::string& why);

  /// It waited, and was asked to end.
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  void TellOnce(const LeaseHolder* holder, const std::string& why);
  void Serve();

  const Parts parts_;
  const bool once_;
  const MonoTime began_;
  std::string told_;
  bool ended_ = false;
  std::unique_ptr<Store> store_;
  ChangeSignal changes_;
  RequestRelay relay_;
  StandbyControl control_;
  bool helps_ = false;                     ///< Or was to.
  std::unique_ptr<StandbyHelper> helper_;  ///< Null where it does not help.
  std::unique_ptr<ApiServer> server_;      ///< Last: it uses what is above.
};

/// Opens the store for a daemon. One in a database belongs to one replica at a time: this one
/// stands by until it is free. Null when it was asked to end meanwhile.
[[nodiscard]] Expected<std::unique_ptr<Store>> TakeStore(const Standby::Parts& parts, bool once);

}  // namespace bindery
