#include "store/postgres/postgres_link.h"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "store/postgres/postgres_ground.h"
#include "store/postgres/postgres_url.h"
#include "store/sql/engine_error.h"

namespace bindery::store {
namespace {

using Cause = EngineError::Cause;
using SteadyTime = std::chrono::steady_clock::time_point;

/// libpq ends its messages with a line break, and may write several lines.
std::string OneLine(const char* message) {
  std::string text = message == nullptr ? "" : message;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  // Hints of the server are on lines of their own that begin with a tab.
  std::ranges::replace(text, '\n', ' ');
  std::erase(text, '\t');
  return text;
}

struct StateMeaning {
  std::string_view prefix;
  Code code;
};

// By https://www.postgresql.org/docs/15/errcodes-appendix.html; the first that fits.
constexpr std::array kStates = {
    StateMeaning{"08", Code::kUnavailable},
    StateMeaning{"57014", Code::kUnavailable},
    StateMeaning{"57P", Code::kUnavailable},
    StateMeaning{"53100", Code::kResourceExhausted},
    StateMeaning{"53200", Code::kResourceExhausted},
    StateMeaning{"53", Code::kUnavailable},
    StateMeaning{"25", Code::kUnavailable},
    StateMeaning{"40", Code::kUnavailable},
    StateMeaning{"55P03", Code::kUnavailable},
    StateMeaning{"23", Code::kAlreadyExists},
    StateMeaning{"42501", Code::kPermissionDenied},
    StateMeaning{"28", Code::kPermissionDenied},
    StateMeaning{"3D", Code::kNotFound},
};

/// A write in a transaction that takes none.
constexpr std::string_view kReadOnlyState = "25006";

Code CodeOfState(std::string_view state) {
  const auto* found = std::ranges::find_if(
      kStates, [state](const StateMeaning& each) { return state.starts_with(each.prefix); });
  return found == kStates.end() ? Code::kInternal : found->code;
}

Cause CauseOfState(std::string_view state) {
  if (state == "23505") return Cause::kNotUnique;
  if (state == "55P03" || state == "57014") return Cause::kBlocked;
  if (state == "XX001" || state == "XX002") return Cause::kDamaged;
  return Cause::kOther;
}

/// A session that could not be begun has no SQLSTATE: only the text tells why.
Code CodeOfRefusal(std::string_view message) {
  const auto says = [message](std::string_view part) {
    return message.find(part) != std::string_view::npos;
  };
  if (says("authentication failed") || says("no pg_hba.conf entry") ||
      says("no password supplied") || says("valid client certificate"))
    return Code::kPermissionDenied;
  // pgbouncer has different words.
  if ((says("role ") && says("does not exist")) || says("no such user"))
    return Code::kPermissionDenied;
  if ((says("database ") && says("does not exist")) || says("no such database"))
    return Code::kNotFound;
  if (says("invalid connection option") || says("invalid URI") || says("missing \"=\""))
    return Code::kInvalidArgument;
  return Code::kUnavailable;
}

struct ParametersView {
  explicit ParametersView(const PostgresParameters& parameters) {
    for (std::size_t i = 0; i < parameters.values.size(); ++i) {
      const bool null = parameters.nulls[i];
      values.push_back(null ? nullptr : parameters.values[i].data());
      lengths.push_back(static_cast<int>(parameters.values[i].size()));
      formats.push_back(1);
    }
  }
  std::vector<const char*> values;
  std::vector<int> lengths;
  std::vector<int> formats;
};

}  // namespace

void ResultDeleter::operator()(pg_result* result) const { PQclear(result); }

bool HasRow(const PostgresResult& result) { return PQntuples(result.get()) > 0; }

PostgresLink::PostgresLink(pg_conn* connection, std::chrono::milliseconds patience)
    : connection_(connection), patience_(patience) {
  PQsetNoticeReceiver(
      connection_,
      [](void* link, const PGresult* notice) {
        const char* message = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
        const std::string_view text = message == nullptr ? "" : message;
        // https://www.postgresql.org/docs/15/warm-standby.html#SYNCHRONOUS-REPLICATION: the wait of
        // a commit that is cancelled is a success with the warning.
        if (text.find("synchronous replication") != std::string_view::npos) {
          static_cast<PostgresLink*>(link)->unreplicated_ = true;
        }
      },
      this);
}

PostgresLink::~PostgresLink() { PQfinish(connection_); }

Expected<std::unique_ptr<PostgresLink>> PostgresLink::Connect(const std::string& url,
                                                              std::chrono::milliseconds patience) {
  const auto secrets = ReadPostgresUrl(url);
  if (!secrets) return Fail(secrets.error());
  // What stands before "dbname" holds where the URL says nothing. libpq waits for each address at
  // most connect_timeout seconds, and for an acknowledgement of what it sent tcp_user_timeout.
  constexpr std::array kNames = {"connect_timeout",           "tcp_user_timeout",
                                 "keepalives_idle",           "keepalives_interval",
                                 "keepalives_count",          "target_session_attrs",
                                 "fallback_application_name", "dbname",
                                 "client_encoding",           static_cast<const char*>(nullptr)};
  const std::array values = {
      "3",          "4000",    "5",         "2",    "3",
      "read-write", "bindery", url.c_str(), "UTF8", static_cast<const char*>(nullptr)};
  pg_conn* const connection = PQconnectdbParams(kNames.data(), values.data(), /*expand_dbname=*/1);
  std::unique_ptr<PostgresLink> link(new PostgresLink(connection, patience));
  if (PQstatus(connection) == CONNECTION_OK && PQsetnonblocking(connection, 1) == 0) return link;
  const std::string message = OneLine(PQerrorMessage(connection));
  return Fail(CodeOfRefusal(message), secrets->Masked(message));
}

bool PostgresLink::alive() const { return !given_up_ && PQstatus(connection_) == CONNECTION_OK; }

bool PostgresLink::in_transaction() const {
  const PGTransactionStatusType status = PQtransactionStatus(connection_);
  return status == PQTRANS_INTRANS || status == PQTRANS_INERROR;
}

bool PostgresLink::IsPooled() {
  // A pooler gives its clients keys of its own to cancel by, as it must know whose statement is
  // meant: https://www.postgresql.org/docs/15/protocol-flow.html (BackendKeyData).
  const PostgresResult result = Run("SELECT pg_backend_pid()");
  return std::to_string(PQbackendPID(connection_)) != PQgetvalue(result.get(), 0, 0);
}

LinkProtection PostgresLink::protection() const {
  const auto text = [](const char* value) { return value == nullptr ? "" : value; };
  const std::string sslmode = GetOption(connection_, "sslmode");
  return JudgeProtection({.host = text(PQhost(connection_)),
                          .address = text(PQhostaddr(connection_)),
                          .sslmode = sslmode,
                          .tls = PQsslInUse(connection_) != 0,
                          .kerberos = PQgssEncInUse(connection_) != 0});
}

bool PostgresLink::TakeUnreplicated() { return std::exchange(unreplicated_, false); }

PostgresResult PostgresLink::Run(const std::string& sql, std::chrono::milliseconds patience) {
  CheckSent(PQsendQuery(connection_, ForPrimary(sql).c_str()));
  return Await(patience);
}

void PostgresLink::Prepare(PostgresText& text) {
  CheckSent(PQsendPrepare(connection_, text.name.c_str(), text.sql.c_str(), 0, nullptr));
  Await(patience_);
  CheckSent(PQsendDescribePrepared(connection_, text.name.c_str()));
  const PostgresResult described = Await(patience_);
  text.types.clear();
  for (int i = 0; i < PQnparams(described.get()); ++i) {
    text.types.push_back(PQparamtype(described.get(), i));
  }
}

PostgresResult PostgresLink::Execute(const PostgresText& text,
                                     const PostgresParameters& parameters) {
  Send(text, parameters);
  return Await(patience_);
}

void PostgresLink::ExecuteAll(const std::vector<Deferred>& statements) {
  if (PQenterPipelineMode(connection_) != 1) ThrowLost(OneLine(PQerrorMessage(connection_)));
  for (const Deferred& each : statements) Send(*each.text, each.parameters);
  CheckSent(PQpipelineSync(connection_));
  const SteadyTime deadline = std::chrono::steady_clock::now() + patience_;
  PostgresResult failed;
  // Of each statement its result and a null pointer, then the result of the sync.
  for (bool synced = false; !synced;) {
    PostgresResult result = NextResult(deadline);
    const ExecStatusType status = PQresultStatus(result.get());
    synced = status == PGRES_PIPELINE_SYNC;
    if (result != nullptr && status == PGRES_FATAL_ERROR && failed == nullptr) {
      failed = std::move(result);
    }
    if (PQstatus(connection_) != CONNECTION_OK) ThrowLost(OneLine(PQerrorMessage(connection_)));
  }
  if (PQexitPipelineMode(connection_) != 1) ThrowLost(OneLine(PQerrorMessage(connection_)));
  if (failed != nullptr) ThrowFailure(failed);
}

PostgresResult PostgresLink::Await(std::chrono::milliseconds patience) {
  const SteadyTime deadline = std::chrono::steady_clock::now() + patience;
  PostgresResult last;
  PostgresResult failed;
  while (PostgresResult result = NextResult(deadline)) {
    const bool bad = PQresultStatus(result.get()) == PGRES_FATAL_ERROR;
    (bad ? failed : last) = std::move(result);
  }
  if (failed != nullptr) ThrowFailure(failed);
  if (last == nullptr) ThrowLost(OneLine(PQerrorMessage(connection_)));
  return last;
}

std::chrono::milliseconds PostgresLink::Patience(SteadyTime deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline - std::chrono::steady_clock::now());
  if (left.count() <= 0) ThrowLost("the database does not answer");
  if (ended_ == nullptr) return left;
  if (*ended_) ThrowLost("reads have ended");
  constexpr std::chrono::milliseconds kBetweenLooks(100);
  return std::min(left, kBetweenLooks);
}

PostgresResult PostgresLink::NextResult(SteadyTime deadline) {
  for (;;) {
    const int unsent = PQflush(connection_);
    if (unsent < 0) ThrowLost(OneLine(PQerrorMessage(connection_)));
    if (unsent == 0 && PQisBusy(connection_) == 0) return PostgresResult(PQgetResult(connection_));
    pollfd socket{PQsocket(connection_), POLLIN, 0};
    if (unsent > 0) socket.events |= POLLOUT;
    const int ready = ::poll(&socket, 1, static_cast<int>(Patience(deadline).count()) + 1);
    if (ready < 0 && errno != EINTR) ThrowLost("poll() failed");
    if (ready > 0 && PQconsumeInput(connection_) != 1) {
      ThrowLost(OneLine(PQerrorMessage(connection_)));
    }
  }
}

void PostgresLink::Send(const PostgresText& text, const PostgresParameters& parameters) {
  const ParametersView view(parameters);
  const int count = static_cast<int>(view.values.size());
  constexpr int kBinary = 1;
  CheckSent(text.name.empty()
                ? PQsendQueryParams(connection_, ForPrimary(text.sql).c_str(), count,
                                    text.types.data(), view.values.data(), view.lengths.data(),
                                    view.formats.data(), kBinary)
                : PQsendQueryPrepared(connection_, text.name.c_str(), count, view.values.data(),
                                      view.lengths.data(), view.formats.data(), kBinary));
}

void PostgresLink::CheckSent(int sent) {
  if (sent != 1) ThrowLost(OneLine(PQerrorMessage(connection_)));
}

void PostgresLink::ThrowFailure(const PostgresResult& result) {
  const char* state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
  if (state == nullptr) ThrowLost(OneLine(PQresultErrorMessage(result.get())));
  const char* message = PQresultErrorField(result.get(), PG_DIAG_MESSAGE_PRIMARY);
  // The server behind a pooler has become a standby: another host may take writes.
  if (std::string_view(state) == kReadOnlyState) given_up_ = true;
  if (std::string_view(state) == kElsewhereState) {
    given_up_ = true;
    throw EngineError(Code::kUnavailable, Cause::kOther,
                      "a read was answered by a standby, or by another server than the one where "
                      "its transaction began: a pooler balances reads");
  }
  throw EngineError(CodeOfState(state), CauseOfState(state),
                    OneLine(message) + " (SQLSTATE " + state + ")");
}

void PostgresLink::ThrowLost(const std::string& why) {
  given_up_ = true;
  throw EngineError(Code::kUnavailable, Cause::kOther,
                    "the connection to PostgreSQL is lost: " + why);
}

}  // namespace bindery::store
