#pragma once
// hone show TEMPLATE --mep X.mep --at VX=8,TI=4: one configuration of a template as the text and the launches that
// would be judged. For people who want to read it, and for other tuners that search the same space.

#include <string>
#include <vector>

#include "app/console.hpp"
#include "core/template.hpp"

namespace hone::app {

/// The default with what was named ("TI=4") changed; E-SET for a name the template does not have and for a value it
/// does not list.
Result<Configuration> configuration_at(const Template& of, const std::vector<std::string>& at);

Result<Answer> show_variant(const std::string& template_folder, const std::string& mep_folder,
                            const std::vector<std::string>& at);

}  // namespace hone::app
