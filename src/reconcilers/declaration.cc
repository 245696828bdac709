#include "reconcilers/declaration.h"

#include "manifests/documents/spec.h"

namespace bindery::reconcilers {

Expected<Declaration> MakeDeclaration(const Kind& kind, const manifests::Manifest& manifest,
                                      const std::string& default_project) {
  const Expected<Json> spec = manifests::MakeSpec(manifest);
  if (!spec) return Fail(spec.error());
  return kind.Declare(*spec, default_project);
}

}  // namespace bindery::reconcilers
