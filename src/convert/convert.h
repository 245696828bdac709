#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convert/foreign_facts.h"
#include "core/base/expected.h"
#include "manifests/schema/kind_schemas.h"
#include "manifests/schema/problem.h"
#include "yaml/node.h"

namespace bindery {

/// The tool that a document is of.
enum class ProgramForm { kPulumi, kTerraform, kGcloud, kConfigConnector };

/// "pulumi", "terraform", "gcloud", "configConnector".
[[nodiscard]] std::string_view ToString(ProgramForm form);

/// Something of a program without a counterpart in a manifest, or that is worth knowing.
struct Remark {
  bool left_out = true;  ///< Not carried over; else what is written is complete.
  yaml::Position at;     ///< In the program.
  std::string path;      ///< In the program: "resources.payments.options.parent".
  std::string reason;
  bool harmless = false;  ///< What is left out grants no access.
};

/// One future manifest.
struct Draft {
  std::string name;    ///< metadata.name
  std::string origin;  ///< Its path in the program: "resources.payments".
  const KindSchema* kind = nullptr;
  yaml::Node document;                 ///< Everything is where it was in the program.
  std::vector<std::string> refers_to;  ///< Names of the drafts its spec refers to.
};

/// In the texts of a claim: a part that is not known.
inline constexpr char kUnknownPart = '\x01';

/// What a resource that is left out grants: no manifest may take it from the tool that has it.
struct HeldClaim {
  std::string origin;  ///< As Draft::origin.
  yaml::Position at;
  const KindSchema* kind = nullptr;
  /// A spec of that kind, as far as it is known. A field that is absent is not known.
  yaml::Node spec;
};

/// What became of a program.
struct Conversion {
  ProgramForm form = ProgramForm::kPulumi;
  std::vector<Draft> drafts;
  std::vector<Remark> remarks;
  std::vector<HeldClaim> held;
};

/// How a document is to be read.
struct ConvertWish {
  std::optional<ProgramForm> form = {};  ///< Nothing: what it looks like.
  /// The resource that a policy is of which names none: "//HOST/NAME". Empty: none.
  std::string target = {};
  std::string default_project = {};  ///< Of a resource that names none. Empty: none.
  ForeignFacts facts = {};
};

/// The largest text that is read: a state holds all resources of an organization.
inline constexpr std::size_t kLargestExport = 64U << 20U;

/// Turns a document of another tool into manifests: a Pulumi YAML program or an exported stack,
/// Terraform's JSON configuration, its state or what `terraform show -json` prints, policies that
/// gcloud prints, or Config Connector's manifests. Which of them it is is told by its contents
/// unless the wish says so. A resource is carried over whole or not at all, as without a member or
/// a condition it would grant something else; an option without counterpart is left out by itself.
/// Each draft is valid by itself: LoadFile has nothing against it. kInvalidArgument when the text
/// cannot be read, or is none of these. Pure.
[[nodiscard]] Expected<Conversion> ConvertProgram(std::string_view text, const std::string& file,
                                                  const ConvertWish& wish,
                                                  const KindSchemas& kinds);

/// Takes out what problems of the drafts are about: options by themselves, else the draft and all
/// that refer to it, whose claims are held from then on. Warnings become remarks. True when
/// something was taken out.
bool TakeOut(const std::vector<Problem>& problems, Conversion& conversion);

/// A value of a manifest, with kUnknownPart in the place of what its references stand for.
[[nodiscard]] yaml::Node KnownPart(const yaml::Node& value);

/// The draft as a manifest file of one document.
[[nodiscard]] std::string ManifestText(const Draft& draft);

}  // namespace bindery
