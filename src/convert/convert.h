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

namespace bindery::convert {

/// The tool that a document is of.
enum class ProgramForm { kPulumi, kTerraform, kGcloud, kConfigConnector };

/// "pulumi", "terraform", "gcloud", "configConnector".
[[nodiscard]] std::string_view ToString(ProgramForm form);

/// A part of a program without a counterpart in a manifest, or a remark about a part.
struct Remark {
  bool left_out = true;  ///< The part is not converted. False: a remark about a complete part.
  yaml::Position at;     ///< In the program.
  std::string path;      ///< In the program: "resources.payments.options.parent".
  std::string reason;
  bool harmless = false;  ///< The part grants no access.
};

/// One future manifest.
struct Draft {
  std::string name;    ///< metadata.name
  std::string origin;  ///< Its path in the program: "resources.payments".
  const manifests::KindSchema* kind = nullptr;
  yaml::Node document;                 ///< Positions are those in the program.
  std::vector<std::string> refers_to;  ///< Names of the drafts that the spec refers to.
};

/// Stands for an unknown part in the texts of a claim.
inline constexpr char kUnknownPart = '\x01';

/// The grants of a resource that is left out. No manifest may take these grants from the tool.
struct HeldClaim {
  std::string origin;  ///< As Draft::origin.
  yaml::Position at;
  const manifests::KindSchema* kind = nullptr;
  /// The known fields of a spec of the kind. An absent field is unknown.
  yaml::Node spec;
};

/// The result of a conversion.
struct Conversion {
  ProgramForm form = ProgramForm::kPulumi;
  std::vector<Draft> drafts;
  std::vector<Remark> remarks;
  std::vector<HeldClaim> held;
};

/// How a document is to be read.
struct ConvertWish {
  std::optional<ProgramForm> form = {};  ///< Nothing: the contents decide.
  /// The resource of a policy that names no resource: "//HOST/NAME". Empty: none.
  std::string target = {};
  std::string default_project = {};  ///< Of a resource without a project. Empty: none.
  ForeignFacts facts = {};
};

/// The largest text that is read: a state holds all resources of an organization.
inline constexpr std::size_t kLargestExport = 64U << 20U;

/// Turns a document of another tool into manifests: a Pulumi YAML program or an exported stack,
/// Terraform's JSON configuration, its state or what `terraform show -json` prints, policies that
/// gcloud prints, or Config Connector's manifests. The contents tell the form unless the wish names
/// a form. A resource is converted whole or not at all: without a member or a condition the
/// manifest would grant something else. An option without counterpart is left out alone. Each draft
/// is valid: LoadFile accepts the draft. kInvalidArgument if the text cannot be read, or has no
/// known form. Pure.
[[nodiscard]] Expected<Conversion> ConvertProgram(std::string_view text, const std::string& file,
                                                  const ConvertWish& wish,
                                                  const manifests::KindSchemas& kinds);

/// Takes out the causes of problems: an option alone, otherwise the draft with all drafts that
/// refer to the draft. The claims of these drafts are held from then on. Warnings become remarks.
/// True if something was taken out.
bool TakeOut(const std::vector<manifests::Problem>& problems, Conversion& conversion);

/// A value of a manifest, with kUnknownPart in place of each reference.
[[nodiscard]] yaml::Node KnownPart(const yaml::Node& value);

/// The draft as a manifest file of one document.
[[nodiscard]] std::string ManifestText(const Draft& draft);

}  // namespace bindery::convert
