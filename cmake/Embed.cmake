# Files of assets/ as strings in a program, so that an installed hone needs no data folder.
#   hone_embed(hone_agents assets/prompts/generate.md)
# gives the target a header "embedded/<target>.hpp" with one `std::string_view` per file, named by its path below assets/:
#   hone::embedded::prompts_generate_md
# The bytes are written as numbers: no length limit of string literals, no delimiter a file could contain.
function(hone_embed target)
  set(folder ${CMAKE_BINARY_DIR}/embedded_${target})
  set(inputs)
  foreach(file ${ARGN})
    list(APPEND inputs ${PROJECT_SOURCE_DIR}/${file})
  endforeach()
  set(header ${folder}/embedded/${target}.hpp)
  set(source ${folder}/embedded/${target}.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake)
  add_custom_command(
    OUTPUT ${header} ${source}
    COMMAND ${CMAKE_COMMAND} "-DINPUTS=${inputs}" -DROOT=${PROJECT_SOURCE_DIR}/assets -DTARGET=${target} -DHEADER=${header} -DSOURCE=${source} -P ${script}
    DEPENDS ${inputs} ${script}
    VERBATIM)
  target_sources(${target} PRIVATE ${header} ${source})
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
