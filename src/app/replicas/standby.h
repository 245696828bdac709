#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/process/service_manager.h"
#include "app/replicas/request_relay.h"
#include "app/replicas/standby_control.h"
#include "app/replicas/standby_helper.h"
#include "config/config.h"
#include "core/base/clock.h"
#include "server/api_server.h"
#include "server/requests/change_signal.h"
#include "store/ports/sharing.h"
#include "store/ports/store.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace bindery::app {

/// A replica without the lease of the store: answers read requests from the store
/// of the holder, passes further requests to the holder, and waits.
/// Single-threaded.
class Standby {
 public:
  /// All must outlive the object.
  struct Parts {
    const config::Config& config;
    telemetry::Logger& log;
    telemetry::Metrics& metrics;
    const Clock& clock;
    ServiceManager& services;
    std::shared_ptr<store::StoreWitness> witness = nullptr;  ///< As StoreSharing::witness.
  };

  /// `once`: serves nobody and gives up early, because a caller waits for the end.
  Standby(const Parts& parts, bool once);
  ~Standby();
  Standby(const Standby&) = delete;
  Standby& operator=(const Standby&) = delete;

  /// As StoreSharing::Waiting.
  bool Wait(const store::LeaseHolder* holder, const std::string& why);

  /// The standby was told to end.
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  void TellOnce(const store::LeaseHolder* holder, const std::string& why);
  void Serve();

  const Parts parts_;
  const bool once_;
  const MonoTime began_;
  std::string told_;
  bool ended_ = false;
  std::unique_ptr<store::Store> store_;
  server::ChangeSignal changes_;
  RequestRelay relay_;
  StandbyControl control_;
  bool helps_ = false;                         ///< Or was to.
  std::unique_ptr<StandbyHelper> helper_;      ///< Null where it does not help.
  std::unique_ptr<server::ApiServer> server_;  ///< Last: it uses what is above.
};

/// Opens the store for a daemon. A store in a database belongs to one replica at a time: this
/// replica stands by until the lease is free. Null when told to end meanwhile.
[[nodiscard]] Expected<std::unique_ptr<store::Store>> TakeStore(const Standby::Parts& parts,
                                                                bool once);

}  // namespace bindery::app
