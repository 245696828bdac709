#include "report/values/replica_values.h"

namespace bindery::report {

std::string_view ToString(ReplicaState state) {
  switch (state) {
    case ReplicaState::kAtWork:
      return "at work";
    case ReplicaState::kStandsBy:
      return "stands by";
    case ReplicaState::kSilent:
      break;
  }
  return "silent";
}

}  // namespace bindery::report
