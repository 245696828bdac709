#pragma once

#include "core/base/error.h"
#include "core/settings/store_location.h"
#include "report/checks/preflight_report.h"

namespace bindery::app {

/// Whether the daemon could use or begin the store. Changes nothing.
[[nodiscard]] report::PreflightCheck PreflightOfStore(const StoreLocation& store);

/// The meaning and remedy of an error of opening or reading the store: careful with the content,
/// because policies kept for a rollback are nowhere else.
[[nodiscard]] report::PreflightCheck StoreProblem(const StoreLocation& store, const Error& error);

}  // namespace bindery::app
