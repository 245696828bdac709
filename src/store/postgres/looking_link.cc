#include "store/postgres/looking_link.h"

#include "store/sql/engine_error.h"

namespace bindery::store {
namespace {

/// OID of the type text.
constexpr unsigned kText = 25;

}  // namespace

PostgresLink& LookingLink::Reach() {
  if (link_ != nullptr && link_->alive()) return *link_;
  auto link = PostgresLink::Connect(url_, patience_);
  if (!link) {
    throw EngineError(link.error().code, EngineError::Cause::kOther, link.error().message);
  }
  link_ = std::move(*link);
  return *link_;
}

PostgresResult LookingLink::Run(const std::string& sql, std::vector<std::string> values) {
  PostgresLink& link = Reach();
  if (values.empty()) return link.Run(sql);
  const std::size_t count = values.size();
  return link.Execute({sql, "", std::vector<unsigned>(count, kText)},
                      {std::move(values), std::vector<bool>(count, false)});
}

}  // namespace bindery::store
