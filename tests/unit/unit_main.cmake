# Writes OUTPUT: the tests of SOURCE, which are found by their form and run in their order, and the main function that runs them.
file(STRINGS ${SOURCE} tests REGEX "^static void [a-z0-9_]+\\(void \\*\\*state\\) {$")
if(NOT tests)
  message(FATAL_ERROR "${SOURCE} has no test: no line such as 'static void what_is_so(void **state) {'")
endif()
list(TRANSFORM tests REPLACE "^static void ([a-z0-9_]+).*" "        cmocka_unit_test(\\1),\n")
list(JOIN tests "" tests)
file(WRITE ${OUTPUT} "#include \"${SOURCE}\"

#ifndef SET_UP
#define SET_UP NULL
#define TEAR_DOWN NULL
#endif

int main(int argc, char **argv) {
    char folder[FOLDER_BYTES];
    const struct CMUnitTest tests[] = {
${tests}    };
    enter_folder(argc > 1 ? argv[1] : NULL, folder);
    const int failed_n = cmocka_run_group_tests(tests, SET_UP, TEAR_DOWN);
    remove_folder(folder);
    return failed_n;
}
")
