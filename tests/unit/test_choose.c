#include "tests/unit/testing.h"

#include "model/device_info.h"

enum { INFOS_N = 5 };

static void infos_make(struct red_device_info infos[INFOS_N]) {
    static const char *const names[INFOS_N][2] = {{"NVIDIA CUDA", "NVIDIA H200"},
                                                  {"Portable Computing Language", "Intel(R) Xeon(R)"},
                                                  {"NVIDIA CUDA", "NVIDIA H200"},
                                                  {"clvk", "llvmpipe"},
                                                  {"clvk", "NVIDIA H200"}};
    memset(infos, 0, INFOS_N * sizeof infos[0]);
    for (size_t i = 0; i < INFOS_N; i++) {
        strcpy(infos[i].platform, names[i][0]);
        strcpy(infos[i].name, names[i][1]);
        red_device_id_set(&infos[i]);
    }
    red_device_ids_make_unique(infos, INFOS_N);
}

static void ids_are_short_and_unique(void **state) {
    static const char *const ids[INFOS_N] = {"nvidia.0", "pocl", "nvidia.1", "clvk.0", "clvk.1"};
    struct red_device_info infos[INFOS_N], nameless = {.platform = "!"};
    infos_make(infos);
    for (size_t i = 0; i < INFOS_N; i++)
        assert_string_equal(infos[i].id, ids[i]);
    red_device_id_set(&nameless);
    assert_string_equal(nameless.id, "device");
}

static void names_mean_their_devices(void **state) {
    static const struct {
        const char *patterns;
        unsigned chosen; /* bit i: device i */
    } rows[] = {
        {NULL, 31},    {"nvidia.1", 4}, {"nvidia", 5},     {"NVidia", 5},    {"nvidia.*", 5},
        {"clvk", 24},  {"*.0", 9},      {"pocl,clvk", 26}, {"intel", 0},     {"Xeon", 2},
        {"h200", 21},  {"nvidi", 21},   {"", 0},           {",", 0},         {"nvidia.2", 0},
        {"pocl.0", 0}, {"llvm*", 8},    {"*H200", 21},     {"pocl,pocl", 2},
    };
    struct red_device_info infos[INFOS_N];
    infos_make(infos);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (size_t i = 0; i < INFOS_N; i++)
            if (red_device_info_is_selected(infos, INFOS_N, &infos[i], rows[r].patterns) !=
                (rows[r].chosen >> i & 1))
                fail_msg("'%s' and %s", rows[r].patterns, infos[i].id);
}

/* "2031": devices 2, 0, 3 and 1. */
static void devices_are_taken_in_the_order_of_their_patterns(void **state) {
    static const struct {
        const char *patterns, *order;
        size_t max;
    } rows[] = {
        {NULL, "01234", 9},
        {"*", "01234", 9},
        {"clvk,pocl", "341", 9},
        {"nvidia.1,nvidia", "20", 9},
        {"pocl,*,pocl", "10234", 9},
        {"clvk.1,nvidia", "402", 9},
        {"", "", 9},
        {"intel,pocl", "1", 9},
        {"clvk,pocl", "34", 2},
    };
    struct red_device_info infos[INFOS_N];
    infos_make(infos);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        size_t chosen[9];
        char order[10] = "";
        const size_t n = red_device_info_select(infos, INFOS_N, rows[r].patterns, chosen, rows[r].max);
        for (size_t i = 0; i < n; i++)
            order[i] = (char)('0' + chosen[i]);
        assert_string_equal(order, rows[r].order);
    }
}

static void the_smaller_version_counts(void **state) {
    assert_int_equal(red_api_version("OpenCL 3.0 PoCL 5.0", "OpenCL 1.2 pocl"), 12);
    assert_int_equal(red_api_version("OpenCL 1.1 AMD-APP", "OpenCL 1.2"), 11);
    assert_int_equal(red_api_version("", "OpenCL 2.0"), 20);
    assert_int_equal(red_api_version("OpenCL 3.0", "nonsense"), 30);
    assert_int_equal(red_api_version("", ""), 10);
    struct red_device_info info = {.api_version = 11};
    struct red_error error;
    assert_int_equal(red_device_info_check_version(&info, &error), RED_E_UNSUPPORTED);
    assert_string_equal(error.text, "OpenCL 1.1; 1.2 is needed");
    info.api_version = 12;
    assert_int_equal(red_device_info_check_version(&info, &error), RED_OK);
}
