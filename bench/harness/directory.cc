#include "harness/directory.h"

#include <filesystem>

#include "harness/files.h"

namespace bindery::bench {
namespace {

/// "/PREFIX000123.yaml"
std::string FileName(const char* prefix, std::size_t number) {
  const std::string digits = std::to_string(number);
  return std::string("/") + prefix + std::string(digits.size() < 6 ? 6 - digits.size() : 0, '0') +
         digits + ".yaml";
}

/// The rename every careful editor does, from a name that is not a manifest's.
void Replace(const std::string& path, const std::string& text) {
  WriteText(path + ".new~", text);
  std::filesystem::rename(path + ".new~", path);
}

std::string MemberLine(const std::string& member) {
  return member.empty() ? "" : "    - " + member + "\n";
}

/// The form of a target, its name with its number.
TargetForm FindForm(std::size_t target, const Shape& shape) {
  if (shape.forms.empty()) {
    return {"cloudnative:networksecurity/v1", "AuthorizationPolicyIamBinding", TargetName(target),
            "networksecurity.googleapis.com"};
  }
  TargetForm form = shape.forms[target % shape.forms.size()];
  form.name += std::to_string(target);
  return form;
}

/// A manifest up to its members.
std::string BindingHead(std::size_t target, std::size_t role, const Shape& shape) {
  const TargetForm form = FindForm(target, shape);
  const std::string t = std::to_string(target);
  const std::string r = std::to_string(role);
  return "apiVersion: " + form.api_version + "\nkind: " + form.kind + "\nmetadata:\n  name: t" + t +
         "-r" + r + "\n  labels: {team: team" + std::to_string(target % 50) +
         "}\nspec:\n  name: " + form.name + "\n  role: " + shape.role + r + "\n  members:\n";
}

std::string BindingText(std::size_t target, std::size_t role, const Shape& shape) {
  std::string text = BindingHead(target, role, shape) + "    - user:ana" + std::to_string(target) +
                     "@example.com\n    - group:sre@example.com\n";
  for (std::size_t member = 2; member < shape.members; ++member) {
    text += MemberLine("user:person" + std::to_string(member) + "@example.com");
  }
  return text;
}

}  // namespace

std::string TargetName(std::size_t number) {
  return "projects/acme/locations/global/authorizationPolicies/p" + std::to_string(number);
}

std::string ProbeName(std::size_t number) {
  return "projects/acme/locations/europe-west1/managementServers/m" + std::to_string(number);
}

void WriteManifests(const std::string& folder, const Shape& shape) {
  std::filesystem::create_directories(folder);
  std::string text;
  std::size_t in_file = 0;
  std::size_t files = 0;
  const auto flush = [&] {
    if (in_file > 0) WriteText(folder + FileName("f", files++), text);
    text.clear();
    in_file = 0;
  };
  for (std::size_t target = 0; target < shape.targets; ++target) {
    for (std::size_t role = 0; role < shape.bindings_per_target; ++role) {
      if (in_file > 0) text += "---\n";
      text += BindingText(target, role, shape);
      if (++in_file == shape.bindings_per_file) flush();
    }
  }
  flush();
  for (std::size_t probe = 0; probe < shape.probes; ++probe) WriteProbe(folder, probe, "");
}

void WriteProbe(const std::string& folder, std::size_t number, const std::string& member) {
  const std::string path = folder + FileName("probe", number);
  Replace(path,
          "apiVersion: cloudnative:backupdr/v1\nkind: ManagementServerIamBinding\n"
          "metadata: {name: probe-" +
              std::to_string(number) + "}\nspec:\n  name: " + ProbeName(number) +
              "\n  role: roles/backupdr.viewer\n  members:\n"
              "    - group:sre@example.com\n" +
              MemberLine(member));
}

void WriteTargetFile(const std::string& folder, std::size_t target, const Shape& shape,
                     const std::string& member) {
  std::string text;
  for (std::size_t role = 0; role < shape.bindings_per_target; ++role) {
    text += "---\n" + BindingText(target, role, shape) + MemberLine(member);
  }
  Replace(folder + FileName("f", target), text);
}

void WriteLongBinding(const std::string& folder, std::size_t members, std::size_t without) {
  std::string text = BindingHead(0, 0, {});
  for (std::size_t member = 0; member < members; ++member) {
    if (member != without) {
      text += MemberLine("user:person" + std::to_string(member) + "@example.com");
    }
  }
  Replace(folder + FileName("f", 0), text);
}

std::vector<std::string> OneBindingEach(const Shape& shape) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < shape.targets; ++i) names.push_back("t" + std::to_string(i) + "-r0");
  for (std::size_t i = 0; i < shape.probes; ++i) names.push_back("probe-" + std::to_string(i));
  return names;
}

std::string MakeSeed(const Shape& shape) {
  std::string text = "authorizationPolicies:\n";
  for (std::size_t i = 0; i < shape.targets; ++i) text += "  - " + TargetName(i) + "\n";
  if (shape.targets == 0) text = "authorizationPolicies: []\n";
  if (!shape.forms.empty()) {
    text = "iamPolicies:\n";
    for (std::size_t i = 0; i < shape.targets; ++i) {
      const TargetForm form = FindForm(i, shape);
      text += "  \"//" + form.host + "/" + form.name + "\": {}\n";
    }
  }
  if (shape.probes == 0) return text;
  text += "managementServers:\n";
  for (std::size_t i = 0; i < shape.probes; ++i) text += "  - " + ProbeName(i) + "\n";
  return text;
}

}  // namespace bindery::bench
