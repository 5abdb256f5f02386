#define _POSIX_C_SOURCE 200809L /* clock_gettime, sigaction */
/* Stands in for libFuzzer where a compiler has none: inputs of the corpus, then changed ones until the time
 * is over. It sees no coverage, so it keeps nothing. What ends the target is left in ./crash-drive. TARGET
 * SECONDS SEED FOLDER... */
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LARGEST    32768
#define INPUTS     8192
#define PATIENCE_S 10

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
void __sanitizer_set_death_callback(void (*callback)(void));

struct input {
    unsigned char *bytes;
    size_t n;
};

static struct input inputs[INPUTS];
static size_t inputs_n;
static unsigned char now[LARGEST];
static size_t now_n;
static uint64_t state;

/* xorshift64 */
static size_t draw(size_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % below);
}

static void keep_input(void) {
    FILE *file = fopen("crash-drive", "wb");
    if (file != NULL) {
        (void)fwrite(now, 1, now_n, file);
        (void)fclose(file);
    }
}

static void on_alarm(int number) {
    (void)number;
    static const char text[] = "fuzz: one input takes too long\n";
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    keep_input();
    _exit(1);
}

static void read_folder(const char *folder) {
    DIR *listed = opendir(folder);
    if (listed == NULL)
        return;
    for (const struct dirent *entry; inputs_n < INPUTS && (entry = readdir(listed)) != NULL;) {
        char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path)
            continue;
        FILE *file = fopen(path, "rb");
        if (file == NULL)
            continue;
        const size_t n = fread(now, 1, sizeof now, file);
        (void)fclose(file);
        unsigned char *bytes = malloc(n > 0 ? n : 1);
        if (n > 0 && bytes != NULL) {
            memcpy(bytes, now, n);
            inputs[inputs_n++] = (struct input){bytes, n};
        } else {
            free(bytes);
        }
    }
    (void)closedir(listed);
}

/* Puts so many bytes of another input, or of this one, at a place. */
static void splice(void) {
    const struct input *from = &inputs[draw(inputs_n)];
    const size_t first = draw(from->n);
    size_t n = 1 + draw(from->n - first);
    const size_t at = draw(now_n + 1);
    n = n > LARGEST - now_n ? LARGEST - now_n : n;
    memmove(now + at + n, now + at, now_n - at);
    memcpy(now + at, from->bytes + first, n);
    now_n += n;
}

static void change(void) {
    static const unsigned char odd[] = "\0\xff\"{}[],:-.\n\033/\\#=*09eE";
    switch (now_n > 0 ? draw(4) : 3) {
    case 0:
        now[draw(now_n)] ^= (unsigned char)(1u << draw(8));
        break;
    case 1:
        now[draw(now_n)] = odd[draw(sizeof odd - 1)];
        break;
    case 2: {
        const size_t at = draw(now_n);
        const size_t n = 1 + draw(now_n - at < 64 ? now_n - at : 64);
        memmove(now + at, now + at + n, now_n - at - n);
        now_n -= n;
        break;
    }
    default:
        splice();
        break;
    }
}

static void try_now(void) {
    /* A block of its own size, so that a read behind the end is one. */
    unsigned char *block = malloc(now_n > 0 ? now_n : 1);
    if (block == NULL)
        exit(1);
    memcpy(block, now, now_n);
    (void)alarm(PATIENCE_S);
    (void)LLVMFuzzerTestOneInput(block, now_n);
    (void)alarm(0);
    free(block);
}

static double now_s(void) {
    struct timespec at;
    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc < 4)
        return 4;
    const double end_s = now_s() + atof(argv[1]);
    state = strtoull(argv[2], NULL, 10) * 2 + 1;
    for (int i = 3; i < argc; i++)
        read_folder(argv[i]);
    if (inputs_n == 0)
        return 4;
    __sanitizer_set_death_callback(keep_input);
    (void)sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm}, NULL);
    unsigned long tried = 0;
    for (; tried < inputs_n || now_s() < end_s; tried++) {
        const struct input *from = &inputs[tried < inputs_n ? tried : draw(inputs_n)];
        memcpy(now, from->bytes, from->n);
        now_n = from->n;
        for (size_t i = tried < inputs_n ? 0 : 1 + draw(8); i > 0; i--)
            change();
        try_now();
    }
    printf("stat::number_of_executed_units: %lu\n", tried);
    return 0;
}
