#pragma once

#include <string>
#include <vector>

#include "core/access/grant.h"
#include "core/base/clock.h"

namespace bindery {

/// The details of a change in an entry of an audit log.
enum class AuditDetail {
  kNone,           ///< That the policy was changed.
  kChanges,        ///< Which grants were added and removed, all of them.
  kPolicy,         ///< Which grants there were afterwards, all of them.
  kTargetRemoved,  ///< That the target itself was deleted.
};

struct AuditedGrant {
  Grant grant;
  bool added = true;  ///< Else removed.

  bool operator==(const AuditedGrant&) const = default;
};

/// One change of one target's policy, from an audit log. The texts are foreign: without control
/// characters, of bounded length, and not to be trusted further.
struct AuditEntry {
  std::string id;      ///< The log's own; unique among all entries.
  std::string target;  ///< Target::name.
  WallTime time;
  std::string actor;         ///< Who called; empty when the log does not say.
  std::string impersonator;  ///< Who acted as the actor; empty: no other.
  std::string method;
  std::string agent;   ///< What the caller's program called itself.
  std::string source;  ///< "FILE:LINE" in the folder it was read from.
  AuditDetail detail = AuditDetail::kNone;
  std::vector<AuditedGrant> grants;  ///< What `detail` says they are.

  bool operator==(const AuditEntry&) const = default;
};

/// A file of audit logs, and the read position.
struct AuditFile {
  std::string path;  ///< Within the folder.
  std::int64_t inode = 0;
  std::int64_t offset = 0;  ///< In bytes; what is behind it was not read yet.
  std::int64_t lines = 0;   ///< Before the offset.

  bool operator==(const AuditFile&) const = default;
};

}  // namespace bindery
