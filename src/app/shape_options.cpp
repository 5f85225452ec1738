#include "app/shape_options.hpp"

#include "core/shapes.hpp"

namespace hone::app {

void ShapeOptions::add_options(CLI::App& command) {
  command
      .add_option(
          "--shape", tune,
          "NAME=NUMBER,...: sizes to tune on; repeat it for several, then one general configuration is found and "
          "one for each")
      ->delimiter('\0');
  command
      .add_option("--held-out", held_out, "NAME=NUMBER,...: sizes to report on that nothing is chosen by; repeat it")
      ->delimiter('\0');
}

Result<Mep> shaped(Mep mep, const ShapeOptions& options) {
  std::vector<Shape> shapes;
  for (const auto role : {Role::Tune, Role::HeldOut})
    for (const auto& text : role == Role::Tune ? options.tune : options.held_out) {
      auto shape = parse_shape(text, role);
      if (!shape) return fail(std::move(shape).error());
      shapes.push_back(std::move(*shape));
    }
  return with_shapes(std::move(mep), shapes);
}

}  // namespace hone::app
