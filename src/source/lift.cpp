#include "source/lift.hpp"

#include "source/clang_parse.hpp"
#include "source/lift_state.hpp"

namespace hone::source {

Result<ir::Unit> ClangLifter::lift(const std::string& text, ir::Dialect dialect, const ir::LiftOptions& options) const {
  auto shared = std::make_shared<const ir::SourceText>(ir::SourceText{text, dialect});
  ir::Unit unit;
  unit.dialect = dialect;
  unit.defines = options.defines;
  const auto status =
      parse({text, dialect, options.defines, options.include_dirs, options.file_name, {}}, [&](const Parsed& parsed) {
        unit.root = Lift(parsed, shared).unit();
        unit.notes = parsed.notes;
        for (const auto& error : parsed.errors) unit.notes.push_back(error.message);
      });
  if (!status) return fail(status.error());
  return unit;
}

}  // namespace hone::source
