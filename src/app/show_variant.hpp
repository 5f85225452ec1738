#pragma once
// hone show TEMPLATE --mep X.mep --at VX=8,TI=4: one configuration of a template as the text and the launches that
// would be judged. For people who want to read it, and for other tuners that search the same space.

#include <string>
#include <vector>

#include "app/console.hpp"

namespace hone::app {

Result<Answer> show_variant(const std::string& template_folder, const std::string& mep_folder,
                            const std::vector<std::string>& at);

}  // namespace hone::app
