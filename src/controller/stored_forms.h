#pragma once

#include <string>
#include <vector>

#include "controller/target_work.h"

namespace bindery {

// A service may store another name for a principal than the one it was asked for: the primary
// address for an alias, lower case, the number of a project for its id. Its answer to the write
// says so. From then on the stored name counts as the declaration of the manifest: nothing is
// written again, and what the write brought goes with the manifest.
//
// All functions are pure; any thread.

/// Replaces in the claims what the service stores under another name, as far as `seen` still holds
/// that, and adds those forms to `desired.forms`. The others are void: the declared state is asked
/// for again.
void ApplyStoredForms(const Kind& kind, const std::vector<StoredForm>& forms,
                      const Observation& seen, Desired& desired);

/// What the answer to a write tells: which of the grants that were asked for are stored under
/// another name. The answer is compared member by member with the request.
[[nodiscard]] std::vector<StoredForm> LearnForms(const WriteJob& job, const Observation& answered);

/// `forms` and `learned`, of which the latter count where both speak of one grant.
[[nodiscard]] std::vector<StoredForm> Merged(const std::vector<StoredForm>& forms,
                                             const std::vector<StoredForm>& learned);

/// Grants whose principal is, under another name, among those that held the role before, and that a
/// write of `plan` has to ask for again: it takes members of the role away.
[[nodiscard]] std::vector<Grant> AskedAgain(const TargetPlan& plan,
                                            const std::vector<StoredForm>& forms);

/// The forms without those of grants that were asked for again, and that a write may have been
/// refused for.
[[nodiscard]] std::vector<StoredForm> WithoutRefused(std::vector<StoredForm> forms,
                                                     const Refusal& refusal);

/// The grants stored as `grant`: itself, and those that were asked for under other names.
[[nodiscard]] std::vector<Grant> AsAskedFor(const Grant& grant,
                                            const std::vector<StoredForm>& forms);

/// The same for each of `grants`.
[[nodiscard]] std::vector<Grant> AsAskedFor(const std::vector<Grant>& grants,
                                            const std::vector<StoredForm>& forms);

/// The notes that keep the forms on record, and the way back. What was there before the write is
/// not on record: one write tells it again.
[[nodiscard]] std::vector<DriftItem> NotesOfForms(const std::vector<StoredForm>& forms);
[[nodiscard]] StoredForm FormOf(const DriftItem& note);

/// For the people who wrote the manifest.
[[nodiscard]] std::string FormText(const StoredForm& form);

}  // namespace bindery
