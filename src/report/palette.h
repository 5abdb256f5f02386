/* Colours of pictures and pages. */
#ifndef CLREDUCE_REPORT_PALETTE_H
#define CLREDUCE_REPORT_PALETTE_H

#include <stddef.h>

/* One colour of the page by its role: a variable of its style sheet, with a value for either theme. Pictures
 * are drawn in the values of the light theme, by which the variable is found again, so those differ. */
struct red_colour {
    const char *name, *light, *dark; /* "#rrggbb", small letters */
};

/* Ink, muted (axes, notes), grid, paper, and those of categories: Okabe and Ito's colours for people who see
 * colours differently (Color Universal Design, 2008), on white as much darker as contrast 3 takes (WCAG 2.2,
 * 1.4.11), on black as they are. */
enum { RED_COLOUR_INK, RED_COLOUR_MUTED, RED_COLOUR_GRID, RED_COLOUR_PAPER, RED_COLOUR_CATEGORY };
extern const struct red_colour red_colours[];
extern const size_t red_colours_n;

/* How many colours tell categories apart; the first is ink, for what is compared with. */
enum { RED_CATEGORIES_N = 8 };
const struct red_colour *red_category(unsigned category);

/* Cividis, from best (light) to worst, for amounts (Nunez, Anderton and Renslow, PLOS ONE 13(7), 2018): eight
 * stops, "#rrggbb", of which the first few are so light that black is read on them, on the others white. */
enum { RED_SHADES_N = 8, RED_SHADES_LIGHT = 5 };
extern const char *const red_shades[RED_SHADES_N];

#endif
