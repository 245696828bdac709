#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/expected.h"
#include "manifests/kind_schemas.h"
#include "manifests/problem.h"
#include "yaml/node.h"

namespace bindery {

enum class ProgramForm { kPulumi, kTerraform };

/// Something of a program that has no counterpart in a manifest, or that is worth knowing.
struct Remark {
  bool left_out = true;  ///< Not carried over; else what is written is complete.
  yaml::Position at;     ///< In the program.
  std::string path;      ///< In the program: "resources.payments.options.parent".
  std::string reason;
};

/// One manifest to be.
struct Draft {
  std::string name;    ///< metadata.name
  std::string origin;  ///< Its path in the program: "resources.payments".
  const KindSchema* kind = nullptr;
  yaml::Node document;                 ///< Everything is where it was in the program.
  std::vector<std::string> refers_to;  ///< Names of the drafts its spec refers to.
};

/// What became of a program.
struct Conversion {
  ProgramForm form = ProgramForm::kPulumi;
  std::vector<Draft> drafts;
  std::vector<Remark> remarks;
};

/// Turns a program, a Pulumi YAML program or Terraform's JSON configuration, into manifests. Which
/// of them it is is told by its contents unless `form` says so. A resource is carried over whole or
/// not at all, as without a member or a condition it would grant something else; an option without
/// counterpart is left out by itself. Each draft is valid by itself: LoadFile has nothing against
/// it. kInvalidArgument when the text cannot be read, or is neither. Pure.
[[nodiscard]] Expected<Conversion> ConvertProgram(std::string_view text, const std::string& file,
                                                  std::optional<ProgramForm> form,
                                                  const KindSchemas& kinds);

/// Takes out what problems of the drafts are about: options by themselves, else the draft and all
/// that refer to it. Warnings become remarks. True when something was taken out.
bool TakeOut(const std::vector<Problem>& problems, Conversion& conversion);

/// The draft as a manifest file of one document.
[[nodiscard]] std::string ManifestText(const Draft& draft);

}  // namespace bindery
