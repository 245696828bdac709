#include "workloads/workloads.h"

namespace bindery::bench {

const std::vector<Workload>& AllWorkloads() {
  static const std::vector<Workload> all = {
      {"idle_pass", "10,000 targets read again, nothing to do", IdlePass},
      {"scanned_pass", "scans of 10,000 targets, nothing to do; a foreign change", ScannedPass},
      {"large_policies", "1,000 policies of 500 members, checked by their etags", LargePolicies},
      {"first_pass", "10,000 targets read and written for the first time", FirstPass},
      {"documents", "100,000 documents made into trees, and validated", Documents},
      {"cold_start", "100,000 manifests read without a store", ColdStart},
      {"restart", "100,000 manifests that did not change, known from the store", Restart},
      {"rescan", "100,000 files looked at again, none changed", Rescan},
      {"edit_latency", "a manifest changed while everything is read again", EditLatency},
      {"drift_latency", "policies changed behind the daemon's back", DriftLatency},
      {"memory", "resident memory by bindings, and over 100 idle passes", Memory},
      {"kinds", "10,000 targets of 200 kinds beside as many of one", KindsInUse},
      {"reports", "a stop while a large first pass is reported, and the size of its report",
       Reports},
      {"people", "what people ask for, of 1,000 and 10,000 resources, beside nginx", People},
      {"access", "questions about access to 5,000, 20,000 and 40,000 grants", Access},
      {"soak", "memory over minutes of readers, edits and foreign changes", Soak},
      {"api_calls", "reads and writes for idle passes and for changes", ApiCalls},
      {"store_size", "bytes a binding, and of a history of changes", StoreSize},
      {"database", "a store in PostgreSQL, near and 20 ms away, beside one in a file",
       DatabaseStore},
      {"replicas", "checks of 1, 2 and 4 replicas on one database, 20 ms from all",
       ReplicasThatShare},
      {"growth", "cost of an item from 100 bindings to 100,000", GrowthSweep},
      {"peers", "the same work by what else is on this machine", Peers},
  };
  return all;
}

}  // namespace bindery::bench
