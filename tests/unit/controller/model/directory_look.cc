// What a look at the model's directory shows.

#include <algorithm>
#include <utility>

#include "core/access/canonical_json.h"
#include "core/text/digest.h"
#include "core/text/time_text.h"
#include "manifests/documents/loader.h"
#include "manifests/files/held_names.h"
#include "model/directory.h"

namespace bindery::model {
namespace {

/// "t0 roles/viewer user:u1@example.com if …" → the principal.
std::string PrincipalIn(const GrantText& grant) {
  const auto begin = grant.find(' ', grant.find(' ') + 1) + 1;
  return grant.substr(begin, grant.find(' ', begin) - begin);
}

Json MakeSpec(const Doc& doc) {
  Json members = Json::array();
  for (const GrantText& grant : doc.Grants()) {
    const bool looked_up = doc.LooksUp() && members.empty();
    members.push_back(looked_up ? "team:${" + std::string(kTeam) + ".id}" : PrincipalIn(grant));
  }
  if (IsBoard(doc.Target())) {
    return {{"resourceId", kBoardId},
            {"bindings", {{{"relation", doc.Role()}, {"principals", members}}}}};
  }
  Json spec = {{"name", NameOfTarget(doc.Target(), /*by_number=*/doc.slot == 4)},
               {"role", doc.Role()},
               {"members", members}};
  if (doc.until) {
    const std::string end = FormatRfc3339(*doc.until);
    spec["condition"] = {{"title", "until " + end},
                         {"expression", "request.time < timestamp('" + end + "')"}};
  }
  return spec;
}

manifests::Problem ErrorIn(const std::string& path, const char* code) {
  manifests::Problem problem;
  problem.file = path;
  problem.line = 1;
  problem.code = code;
  problem.message = "cannot be used";
  return problem;
}

std::string Words(Unread how) {
  switch (how) {
    case Unread::kSyntax:
      return "holds errors";
    case Unread::kBlank:
      return "holds no document";
    case Unread::kIgnoredName:
      return "is hidden by its name";
    case Unread::kAside:
      return "may hold a file, as it is named like what a tool put aside";
    default:
      return "cannot be read";
  }
}

/// The manifest as it is read from a file.
manifests::Manifest Written(const TypeToken& token, const std::string& name, const Json& spec,
                            const providers::Kinds& kinds) {
  const Json document = {{"apiVersion", token.api_version},
                         {"kind", token.kind},
                         {"metadata", {{"name", name}}},
                         {"spec", spec}};
  const manifests::FileContent content = manifests::LoadFile(document.dump(), "read.json", kinds);
  manifests::Manifest manifest = *content.manifests.at(0);
  manifest.digest = Sha256Digest::Of(manifest.name + manifest.spec);
  return manifest;
}

}  // namespace

std::shared_ptr<const manifests::Manifest> Directory::LookupIn(const std::string& path) const {
  auto lookup = std::make_shared<manifests::Manifest>(
      Written({"monitoring", "getTeam"}, kTeam, {{"handle", kTeam}}, kinds_));
  lookup->source = {path, 100};
  return lookup;
}

std::shared_ptr<const manifests::Manifest> Directory::FindManifest(const Doc& doc,
                                                                   const std::string& path,
                                                                   int line) {
  auto& made = made_[doc];
  if (made == nullptr) {
    const TypeToken token = IsBoard(doc.Target()) ? TypeToken{"monitoring", "RestrictionPolicy"}
                                                  : TypeToken{"cloudnative:networksecurity/v1",
                                                              "AuthorizationPolicyIamBinding"};
    auto manifest = std::make_shared<manifests::Manifest>(
        Written(token, GetName(doc.slot), MakeSpec(doc), kinds_));
    manifest->options.remove_expired = doc.until.has_value();
    manifest->source = {path, line};
    made = std::move(manifest);
  }
  if (made->source.file.str() == path && made->source.line == line) return made;
  auto elsewhere = std::make_shared<manifests::Manifest>(*made);
  elsewhere->source = {path, line};
  made = std::move(elsewhere);
  return made;
}

void Directory::Put(Content& content, const std::string& path, const std::vector<Doc>& docs,
                    Unread how, int bytes) {
  auto file = std::make_shared<manifests::FileContent>();
  file->path = path;
  file->blank = how == Unread::kBlank;
  file->digest = std::to_string(bytes) + " " + std::to_string(static_cast<int>(how));
  if (how == Unread::kSyntax) file->problems.push_back(ErrorIn(path, "Syntax"));
  int line = 1;
  for (const Doc& doc : docs) {
    if (how != Unread::kNo) break;
    file->manifests.push_back(FindManifest(doc, path, line++));
    file->digest += " " + file->manifests.back()->digest.Hex();
    if (doc.LooksUp()) file->manifests.push_back(LookupIn(path));
    for (const GrantText& grant : doc.Grants()) seen_.insert(grant);
  }
  content[path] = std::move(file);
}

void Directory::Show(int index, const File& file, Content& content, controller::ScanInput& input) {
  const std::string path = MakePath(index, file);
  const bool folder_is_shut = folder_ == Folder::kUnreadable && index >= 2;
  if (folder_is_shut) {
    input.broken_files.insert(path);
    return;
  }
  if (file.open) input.facts.under_way.push_back({path, "is open for writing"});
  const auto& docs = ReadDocs(index, file);
  const auto shown = file.open ? Beginning(docs, file.shown) : docs;
  const bool blank = shown.empty() && file.unread == Unread::kNo;
  const Unread how = blank ? Unread::kBlank : file.unread;
  const std::string name = path.substr(path.rfind('/') + 1);
  if (how == Unread::kAside && !manifests::HeldBy(name)) return;
  const bool ignored = how == Unread::kIgnoredName || how == Unread::kAside;
  if (how != Unread::kNo) {
    input.facts.unread.push_back({path, Words(how), std::to_string(file.bytes), ignored});
  }
  if (file.unread == Unread::kUnreadable) input.broken_files.insert(path);
  if (file.unread == Unread::kRefusedName || file.unread == Unread::kUnreadable) {
    input.problems.push_back(ErrorIn(path, "Unreadable"));
    return;
  }
  if (ignored) return;
  Put(content, path, shown, how, file.bytes);
  const auto& problems = content[path]->problems;
  input.problems.insert(input.problems.end(), problems.begin(), problems.end());
}

/// What lay beneath the volume, or lies in the other directory.
void Directory::ShowStale(Content& content) {
  if (mount_ != 2 && mount_ < 4) return;
  const Doc stale{kSlots, 1, false, std::nullopt};
  const bool in_folder = mount_ == 4 || mount_ == 7;
  Put(content, in_folder ? std::string(kFolderPath) + "/old.yaml" : "old.yaml", {stale},
      Unread::kNo, 0);
}

void Directory::ShowFolder(controller::ScanInput& input) {
  if (folder_ == Folder::kFine || mount_ != 0) return;
  const bool shut = folder_ == Folder::kUnreadable;
  input.facts.unread.push_back({kFolderPath,
                                shut ? "cannot be read" : "was a folder and is something else now",
                                std::to_string(folder_changes_), false});
  if (!shut) return;
  input.broken_files.insert(kFolderPath);
  input.problems.push_back(ErrorIn(kFolderPath, "Unreadable"));
}

manifests::Ground Directory::GroundNow() const {
  manifests::Ground ground = home_;
  if (mount_ == 1 || mount_ == 2) {
    ground.device = ground.inode = ground.mount = grounds_;
    ground.mount_point = !ground.mount_point;
    ground.mounts.clear();
  } else if (mount_ == 3 || mount_ == 4) {
    if (ground.mounts.empty()) {
      ground.mounts.push_back({kFolderPath, grounds_, 1});
    } else {
      ground.mounts.clear();
    }
  } else if (mount_ == 6) {
    ground.mount = grounds_;
  } else if (mount_ == 7) {
    ground.mounts.front().mount = grounds_;
  } else if (mount_ == 5) {
    ground.directory = ground.real_path = "/other" + std::to_string(grounds_);
    ground.inode = grounds_;
  }
  return ground;
}

controller::ScanEdit Directory::EditTo(const Content& now) const {
  controller::ScanEdit edit;
  for (const auto& [path, file] : now) {
    const auto before = last_.find(path);
    if (before == last_.end() || before->second->digest != file->digest) edit.now.push_back(file);
  }
  for (const auto& [path, file] : last_) {
    const auto still = now.find(path);
    if (still == now.end() || still->second->digest != file->digest) edit.before.push_back(file);
  }
  return edit;
}

std::optional<controller::ScanInput> Directory::Look(bool hinted, WallTime at) {
  seen_.clear();
  CheckContents(at);
  controller::ScanInput input;
  Content content;
  for (int i = 0; i < 4; ++i) {
    const File& file = files_.at(static_cast<std::size_t>(i));
    if (IsAway(i, file)) {
      read_.at(static_cast<std::size_t>(i)).reset();
    } else {
      Show(i, file, content, input);
    }
    ShowBackup(i, file, input);
    ShowTwin(i, file, content);
  }
  ShowStale(content);
  ShowFolder(input);
  ShowCheckout(content, input);
  if (git_) {
    input.facts.under_way.push_back({".git/index.lock", "is there: git is at work", /*git=*/true});
  }
  if (content.empty() && input.broken_files.empty()) return std::nullopt;
  std::vector<manifests::SharedFile> files;
  for (const auto& [path, file] : content) {
    files.push_back(file);
    input.manifests += file->manifests.size();
    input.digest += path + " " + file->digest + "\n";
  }
  for (const std::string& path : input.broken_files) input.digest += "broken " + path + "\n";
  for (const manifests::Problem& problem : input.problems)
    input.digest += "problem " + problem.file + "\n";
  input.files = manifests::FileList(std::move(files));
  if (!last_.empty()) input.edit = EditTo(content);
  std::sort(input.facts.unread.begin(), input.facts.unread.end(),
            [](const manifests::UnreadItem& a, const manifests::UnreadItem& b) {
              return a.path < b.path;
            });
  if (!hinted) {
    input.facts.ground = GroundNow();
    input.facts.newest = newest_;
    input.facts.begun = at;
    input.facts.stamps_prove = listing_.folders[0].stamps_prove && listing_.folders[1].stamps_prove;
  }
  last_ = std::move(content);
  return input;
}

}  // namespace bindery::model
