#pragma once

#include <string>
#include <vector>

#include "controller/gates/target_work.h"

namespace bindery::controller {

// A service may store another name for a principal than the one it was asked for: the primary
// address for an alias, lower case, the number of a project for its id. Its answer to the write
// says so. From then on the stored name counts as the declaration of the manifest: nothing is
// written again, and what the write brought goes with the manifest.
//
// All functions are pure; any thread.

/// Replaces in the claims the grants that the service stores under a different name, while `seen`
/// still holds the stored form, and adds these forms to `desired.forms`. All further forms are
/// void: the declared state is requested again.
void ApplyStoredForms(const reconcilers::Kind& kind,
                      const std::vector<reconcilers::StoredForm>& forms,
                      const reconcilers::Observation& seen, reconcilers::Desired& desired);

/// The requested grants that are stored under a different name, by the answer to a write. The
/// answer is compared member by member with the request.
[[nodiscard]] std::vector<reconcilers::StoredForm> LearnForms(
    const WriteJob& job, const reconcilers::Observation& answered);

/// `forms` and `learned`; for the same grant `learned` counts.
[[nodiscard]] std::vector<reconcilers::StoredForm> Merged(
    const std::vector<reconcilers::StoredForm>& forms,
    const std::vector<reconcilers::StoredForm>& learned);

/// Grants whose principal, under a different name, held the role before, and that a write of `plan`
/// has to request again, because the write removes members of the role.
[[nodiscard]] std::vector<Grant> AskedAgain(const reconcilers::TargetPlan& plan,
                                            const std::vector<reconcilers::StoredForm>& forms);

/// The forms without the grants that were requested again, because these may be the cause of a
/// refusal.
[[nodiscard]] std::vector<reconcilers::StoredForm> WithoutRefused(
    std::vector<reconcilers::StoredForm> forms, const Refusal& refusal);

/// The grants stored as `grant`: the grant itself, and grants that were requested under different
/// names.
[[nodiscard]] std::vector<Grant> AsAskedFor(const Grant& grant,
                                            const std::vector<reconcilers::StoredForm>& forms);

/// The same for each of `grants`.
[[nodiscard]] std::vector<Grant> AsAskedFor(const std::vector<Grant>& grants,
                                            const std::vector<reconcilers::StoredForm>& forms);

/// The notes that keep the forms on record, and the conversion back. The content before the write
/// is not on record: a further write tells it again.
[[nodiscard]] std::vector<DriftItem> NotesOfForms(
    const std::vector<reconcilers::StoredForm>& forms);
[[nodiscard]] reconcilers::StoredForm FindForm(const DriftItem& note);

/// For the authors of the manifest.
[[nodiscard]] std::string FormText(const reconcilers::StoredForm& form);

}  // namespace bindery::controller
