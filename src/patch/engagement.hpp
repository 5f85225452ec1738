#pragma once
// Did the application really run what was put into it? In: the texts and launch shapes that were shipped, and what a
// layer before the OpenCL runtime recorded while the validation command ran without and with the patch. Out: shown, or
// in plain words why not. What is not shown is never taken for shown, nor for a reason against the patch.

#include <map>
#include <string>
#include <vector>

#include "core/template.hpp"

namespace hone::patch {

struct RecordedLaunch {
  std::string kernel;
  std::string source;                      // names one of Recording::sources; empty: the program was no source text
  std::vector<std::size_t> global, local;  // local empty: the runtime chose
  bool operator==(const RecordedLaunch&) const = default;
};

/// One run of the command.
struct Recording {
  bool watched = false;                        // the layer was there to be loaded
  bool loaded = false;                         // and some program loaded it
  bool cut = false;                            // there were more launches than are recorded
  std::string why_not;                         // it was not watched
  std::map<std::string, std::string> sources;  // program texts with what they include, by name
  std::vector<RecordedLaunch> launches;
};

/// What the patch claims to have put there.
struct Shipped {
  std::map<std::string, std::string> before, after;  // definitions by kernel, without and with the patch
  std::vector<LaunchShape> launches;                 // kernels that are absent keep their launch
};

struct Engagement {
  bool shown = false;
  std::string words;         // a sentence, whether shown or not
  std::size_t launches = 0;  // of the shipped kernels, with the patch
};

Engagement engagement_of(const Shipped& shipped, const Recording& before, const Recording& after);

}  // namespace hone::patch
