#pragma once

#include <vector>

#include "harness/bench.h"

namespace bindery::bench {

void IdlePass(Bench& bench);
void ScannedPass(Bench& bench);
void LargePolicies(Bench& bench);
void FirstPass(Bench& bench);
void Documents(Bench& bench);
void ColdStart(Bench& bench);
void Restart(Bench& bench);
void Rescan(Bench& bench);
void EditLatency(Bench& bench);
void DriftLatency(Bench& bench);
void Memory(Bench& bench);
void KindsInUse(Bench& bench);
void Reports(Bench& bench);
void People(Bench& bench);
void Access(Bench& bench);
void Soak(Bench& bench);
void ApiCalls(Bench& bench);
void StoreSize(Bench& bench);
void DatabaseStore(Bench& bench);
void ReplicasThatShare(Bench& bench);
void GrowthSweep(Bench& bench);
void Peers(Bench& bench);

/// All workloads, in the order they run in.
[[nodiscard]] const std::vector<Workload>& AllWorkloads();

}  // namespace bindery::bench
