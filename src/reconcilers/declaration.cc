#include "reconcilers/declaration.h"

#include "manifests/documents/spec.h"

namespace bindery {

Expected<Declaration> MakeDeclaration(const Kind& kind, const Manifest& manifest,
                                      const std::string& default_project) {
  const Expected<Json> spec = MakeSpec(manifest);
  if (!spec) return Fail(spec.error());
  return kind.Declare(*spec, default_project);
}

}  // namespace bindery
