#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "attribution/audit_log.h"
#include "attribution/entry_text.h"
#include "attribution/log_records.h"
#include "providers/registry/providers.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

/// What is kept of a record is clean and complete, whatever the record is.
void CheckRecord(std::string_view record) {
  using namespace bindery::attribution;
  static_cast<void>(TimestampIn(record));
  static const auto kReaders = bindery::AuditLogReaders();
  const auto entries = ReadRecord(record, kReaders);
  if (!entries) return;
  for (const bindery::AuditEntry& entry : *entries) {
    Require(!entry.id.empty() && !entry.target.empty());
    Require(entry.grants.size() <= 2 * kMostGrants);
    for (const auto& text :
         {entry.id, entry.target, entry.actor, entry.impersonator, entry.method, entry.agent}) {
      Require(text.size() <= kLongestText && CleanText(text) == text);
    }
  }
}

}  // namespace

/// A file is cut into records that lie within it, however it is written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using bindery::attribution::RecordCutter;
  using bindery::attribution::RecordForm;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckRecord(text);
  for (const RecordForm form : {RecordForm::kLines, RecordForm::kArray}) {
    RecordCutter cutter(form, 0,
                        [](const RecordCutter::Record& record) { CheckRecord(record.text); });
    cutter.Feed(text.substr(0, size / 2));
    cutter.Feed(text.substr(size / 2));
    Require(cutter.consumed() >= 0 && cutter.consumed() <= static_cast<std::int64_t>(size));
  }
  return 0;
}
