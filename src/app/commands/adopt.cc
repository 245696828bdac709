// bindery adopt: makes a difference declared.

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

#include "app/command_line.h"
#include "app/plan/adopted_item.h"
#include "app/plan/drift_item.h"
#include "app/plan/import_room.h"
#include "app/plan/manifest_folder.h"
#include "app/plan/manifest_writer.h"
#include "app/process/waiting_line.h"
#include "app/shell/common.h"
#include "core/text/printable.h"

namespace bindery::app {
namespace {

namespace fs = std::filesystem;

struct AdoptArguments {
  std::int64_t item = 0;  ///< Its id in drift reports.
  bool only_print = false;
};

/// "viewers", with what became of the manifest.
std::string DescribeManifest(const AdoptionEdit& edit) {
  if (edit.removes_file) return ": the manifest " + edit.manifest + " is removed with its file";
  if (edit.removes_manifest) return ": the manifest " + edit.manifest + " is removed";
  return (edit.is_new ? " by the new manifest " : ": ") + edit.manifest;
}

std::string AdoptedText(const AdoptionEdit& edit, const store::DriftRecord& record,
                        const std::string& file) {
  std::string text = file + ": " + edit.change + DescribeManifest(edit) + "\n";
  if (record.resolved_at) {
    text += record.item.drift_class == DriftClass::kUndeclared
                ? "The grant was removed meanwhile: the next pass grants it again.\n"
                : "The grant is back meanwhile: the next pass removes it.\n";
  }
  return text +
         (edit.removes_manifest ? "A daemon that runs notices the removal"
                                : "A daemon that runs takes the manifest up") +
         "; bindery plan shows what it changes.\n";
}

/// Removes a file, as rm does, but no link.
Expected<void> RemoveManifestFile(const fs::path& file) {
  std::error_code failed;
  if (fs::is_symlink(file, failed)) {
    return Fail(Code::kFailedPrecondition,
                "\"" + file.string() + "\" is a link: remove its file by hand");
  }
  if (fs::remove(file, failed)) return {};
  return Fail(Code::kFailedPrecondition,
              "\"" + file.string() + "\" cannot be removed: " + failed.message());
}

/// Whether bindery reads the directory with the edit.
Expected<void> CheckSize(const config::Config& config, const AdoptionEdit& edit,
                         const fs::path& file) {
  ImportRoom room = ImportRoom::Measure(config.manifests);
  if (edit.is_new) return room.Take(edit.file, edit.text);
  std::error_code failed;
  const std::uintmax_t before = fs::file_size(file, failed);
  return failed ? Expected<void>() : room.Resize(before, edit.text.size());
}

Expected<void> WriteAdoption(const config::Config& config, const AdoptionEdit& edit,
                             const fs::path& file) {
  if (edit.removes_file) return RemoveManifestFile(file);
  if (auto fits = CheckSize(config, edit, file); !fits) return fits;
  return edit.is_new ? WriteNewBelow(config.manifests.directory, file, edit.text)
                     : ReplaceFile(file, edit.text);
}

int AdoptCommand(const CommandContext& context, const AdoptArguments& arguments) {
  const Expected<config::Config> config = ReadConfig(context);
  if (!config) return PrintError(config.error());
  const auto store = OpenForReading(*config);
  if (!store) return PrintError(store.error());
  const Expected<store::DriftRecord> record = FindDifference(**store, arguments.item);
  if (!record) return PrintError(record.error());
  const auto declared = ReadDeclared(*config, {}, providers::KnownKinds());
  if (!declared) return PrintError(declared.error());
  const auto edit = EditForDifference(*config, *record, declared->manifests);
  if (!edit) return PrintError(edit.error());
  const fs::path file = config->manifests.directory / edit->file;
  if (arguments.only_print) {
    EndWaiting();
    std::fwrite(edit->text.data(), 1, edit->text.size(), stdout);
    return kExitOk;
  }
  if (auto written = WriteAdoption(*config, *edit, file); !written)
    return PrintError(written.error());
  const Json report = {{"file", file.string()},
                       {"manifest", edit->manifest},
                       {"isNew", edit->is_new},
                       {"isRemoved", edit->removes_manifest},
                       {"fileIsRemoved", edit->removes_file},
                       {"change", edit->change}};
  Print(context, report, [&](const Json& /*the same*/, const report::TextStyle& /*style*/) {
    return AdoptedText(*edit, *record, file.string());
  });
  return kExitOk;
}

}  // namespace

void DefineAdopt(CommandLine& line) {
  auto& arguments = line.Keep<AdoptArguments>();
  const Command adopt(line, "adopt",
                      "Declare what a difference shows: write or edit the one manifest");
  adopt->add_option("item", arguments.item, "ID of the difference, from bindery drift")
      ->required()
      ->check(RequireNumber("the ID of a difference: bindery drift shows the IDs"))
      ->type_name(kItemType);
  adopt->add_flag("--stdout", arguments.only_print, "Print the file afterwards, write no file");
  adopt.Notes(
      "An undeclared grant joins the manifest of its role, or gets a manifest of its own; a grant\n"
      "that is missing in the cloud leaves its manifest. A manifest of nothing else is removed,\n"
      "and so is its file if the file is then empty. Comments and the order of a file stay.");
  adopt.Waits();
  adopt.Output({"text", "json", "yaml"});
  adopt.Examples(
      "bindery adopt 17\n"
      "bindery adopt 17 --stdout");
  adopt.Runs(
      [&arguments](const CommandContext& context) { return AdoptCommand(context, arguments); });
}

}  // namespace bindery::app
