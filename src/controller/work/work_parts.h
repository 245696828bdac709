#pragma once

#include "controller/catalog/rollbacks.h"
#include "controller/gates/dropped_conditions.h"
#include "controller/removals/engine_settings.h"
#include "controller/removals/removal_control.h"
#include "controller/watch/acceptance_watch.h"
#include "controller/watch/answer_doubts.h"
#include "controller/watch/etag_trust.h"
#include "controller/watch/oscillation_watch.h"
#include "controller/watch/refused_grants.h"
#include "controller/watch/time_watch.h"
#include "controller/work/work_schedule.h"

namespace bindery::controller {

/// The collaborators of the work on targets, from its begin (WorkFlow) to its end (WorkEnding).
struct WorkParts {
  Catalog& catalog;
  const EngineSettings& settings;
  EngineObserver& observer;
  Outbox& outbox;
  WorkSchedule& schedule;
  RemovalControl& removals;
  Rollbacks& rollbacks;
  OscillationWatch& oscillation;
  TimeWatch& time;
  AcceptanceWatch& acceptances;
};

/// What earlier work told of how far answers can be trusted.
struct WorkMemory {
  AnswerDoubts doubts;
  DroppedConditions dropped;
  RefusedGrants refused;
  EtagTrust etags;
};

}  // namespace bindery::controller
