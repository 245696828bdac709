#pragma once

#include "controller/acceptance_watch.h"
#include "controller/answer_doubts.h"
#include "controller/dropped_conditions.h"
#include "controller/engine_settings.h"
#include "controller/etag_trust.h"
#include "controller/oscillation_watch.h"
#include "controller/refused_grants.h"
#include "controller/removal_control.h"
#include "controller/rollbacks.h"
#include "controller/time_watch.h"
#include "controller/work_schedule.h"

namespace bindery {

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

}  // namespace bindery
