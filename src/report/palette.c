#include "report/palette.h"

const struct red_colour red_colours[] = {
    [RED_COLOUR_INK] = {"ink", "#1b1f24", "#e6e8ea"},
    [RED_COLOUR_MUTED] = {"muted", "#59616b", "#a3abb4"},
    [RED_COLOUR_GRID] = {"grid", "#d5d9de", "#3a4047"},
    [RED_COLOUR_PAPER] = {"paper", "#fefefe", "#15181c"},
    [RED_COLOUR_CATEGORY] = {"c0", "#1b1f25", "#e6e8eb"}, /* black */
    {"c1", "#0072b2", "#3d9bd9"},                         /* blue, lighter on black */
    {"c2", "#d55e00", "#d55e00"},                         /* vermillion */
    {"c3", "#008a64", "#009e73"},                         /* bluish green */
    {"c4", "#b85c92", "#cc79a7"},                         /* reddish purple */
    {"c5", "#a87400", "#e69f00"},                         /* orange */
    {"c6", "#2f8dc6", "#56b4e9"},                         /* sky blue */
    {"c7", "#857b00", "#f0e442"},                         /* yellow */
};
const size_t red_colours_n = sizeof red_colours / sizeof red_colours[0];
_Static_assert(sizeof red_colours / sizeof red_colours[0] == RED_COLOUR_CATEGORY + RED_CATEGORIES_N,
               "each category has its colour");

const struct red_colour *red_category(unsigned category) {
    return &red_colours[RED_COLOUR_CATEGORY + category % RED_CATEGORIES_N];
}

const char *const red_shades[RED_SHADES_N] = {"#fde737", "#dcc94b", "#bbac5f", "#9b926d",
                                              "#7d7a78", "#5f6372", "#3d4c6c", "#00224e"};
