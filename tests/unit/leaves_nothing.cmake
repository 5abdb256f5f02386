# Fails where FOLDER, in which all unit tests started, is not empty.
file(GLOB_RECURSE found LIST_DIRECTORIES true RELATIVE ${FOLDER} ${FOLDER}/* ${FOLDER}/.*)
if(found)
  list(JOIN found " " found)
  message(FATAL_ERROR "a unit test wrote where it was started, in ${FOLDER}, and not in a folder of its own: ${found}; "
    "remove what is there once the test is mended")
endif()
