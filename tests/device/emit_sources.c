/* Writes the whole program text of every kernel x type with one of the operations in turn (which the kernels
 * do not see: the prelude does), in turns plain, poisoned and (of finishes that do so) over partial results,
 * of scans in turns for each of their launches, to FOLDER/<standard>/<name>.cl: for a compiler that checks
 * the syntax. emit_sources FOLDER
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/catalogue.h"

static int emit(const char *folder, const struct red_build_spec *v) {
    char path[1024], *text = NULL;
    struct red_error error;
    if (red_source_text(v, &text, &error) != RED_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    snprintf(path, sizeof path, "%s/%s/%s_%s_%s_%zu%s%s.cl", folder,
             red_strategy_standard_name(v->strategy->standard), v->strategy->name, v->dtype->name,
             v->op->name, v->group_size, v->poison_local ? "_poison" : "",
             v->over_partials ? "_partials" : "");
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
    free(text);
    return 0;
}

static const struct { unsigned width, loads; } lanes[] = {{0, 0}, {1, 1}, {16, 8}, {2, 2}, {8, 1}};

/* Of a scan with several launches: which of them the type's is; two_levels has each over the carries, too. */
static void set_scan_launch(struct red_build_spec *build, unsigned t) {
    if (build->op->primitive != RED_PRIMITIVE_SCAN)
        return;
    build->pass = build->strategy->finish == RED_STRATEGY_SINGLE_PASS ? 0 : t % 3;
    build->over_partials = build->strategy->finish == RED_STRATEGY_TWO_LEVELS && t / 3 % 2 == 1;
}

/* One form of each; forms, group sizes and lanes take turns. */
static int emit_all(const char *folder, const struct red_strategy *strategy, size_t turn) {
    static const size_t group_sizes[] = {1, 7, 256};
    int failed = 0;
    size_t emitted_n = 0;
    for (size_t t = 0; t < red_dtypes_n; t++)
        for (size_t k = 0, form = (t + turn) % 3; k < red_ops_n; k++) {
            size_t o = (t + turn + k) % red_ops_n;
            struct red_build_spec variant = {
                .strategy = strategy,
                .dtype = &red_dtypes[t],
                .op = &red_ops[o],
                .group_size = group_sizes[(t + o) % 3],
                .width = lanes[(t + o) % 5].width,
                .loads = lanes[(t + o) % 5].loads,
                .poison_local = form == 1,
                .over_partials = form == 2 && red_strategy_finish_has(strategy, RED_FINISH_PARTIALS),
                .pass = form == 2,
                .is_computed =
                    form == 0 && red_strategy_is_segmented(strategy) && red_ops[o].role != RED_ROLE_PLACE};
            if (red_strategy_check_type_and_op(strategy, variant.dtype, variant.op, NULL) != RED_OK)
                continue;
            set_scan_launch(&variant, (unsigned)t);
            failed |= emit(folder, &variant);
            emitted_n++;
            break;
        }
    if (emitted_n == 0)
        fprintf(stderr, "%s: no program for any type and operation\n", strategy->name);
    return failed || emitted_n == 0;
}

int main(int argc, char **argv) {
    struct red_catalogue *catalogue = NULL;
    struct red_error error;
    if (argc != 2 || red_catalogue_create(&catalogue, &error) != RED_OK) {
        fprintf(stderr, "usage: emit_sources FOLDER\n");
        return 4;
    }
    int failed = 0;
    for (size_t i = 0; i < red_catalogue_n(catalogue); i++)
        if (red_catalogue_get(catalogue, i)->text != NULL)
            failed |= emit_all(argv[1], red_catalogue_get(catalogue, i), i);
    red_catalogue_destroy(catalogue);
    return failed;
}
