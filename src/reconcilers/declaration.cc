#include "reconcilers/declaration.h"

#include "manifests/documents/spec.h"

namespace bindery {

Expected<Declaration> DeclarationOf(const Kind& kind, const Manifest& manifest,
                                    const std::string& default_project) {
  const Expected<Json> spec = SpecOf(manifest);
  if (!spec) return Fail(spec.error());
  return kind.Declare(*spec, default_project);
}

}  // namespace bindery
