#pragma once
// Short vectors that a kernel holds for itself, one variable for each component, so that the components of several
// work-items can go onto vectors of their own.
//
//   float4 me = pos[i];                ->     float me_x = pos[i].x, me_y = pos[i].y, me_z = ..., me_w = ...;
//   float3 d = me.xyz - other.xyz;            float d_x = me_x - other.x, d_y = me_y - other.y, d_z = ...;
//
// What is only known as a whole (an image's pixel, a call) is held whole first. A kernel that does something else with
// such a vector stays as it is.

#include "ir/tree.hpp"

namespace hone::rules {

ir::NodePtr with_vectors_split(const ir::NodePtr& function);

}  // namespace hone::rules
