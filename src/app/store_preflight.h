#pragma once

#include "core/error.h"
#include "core/store_location.h"
#include "report/preflight_report.h"

namespace bindery {

/// Whether the daemon could use that store, or begin one there. Changes nothing.
[[nodiscard]] PreflightCheck PreflightOfStore(const StoreLocation& store);

/// What an error of opening or reading the store means, and what helps: with care for what is in
/// it, as policies kept for a rollback are nowhere else.
[[nodiscard]] PreflightCheck StoreProblem(const StoreLocation& store, const Error& error);

}  // namespace bindery
