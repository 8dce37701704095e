/* Ends the process with SIGKILL right after its n-th change to files below a folder, whoever in it makes that change:
   Python, DuckDB, SQLite or hnswlib. Preloaded with LD_PRELOAD; crash_arm starts the counting. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[PATH_MAX], skipped[PATH_MAX];
static long wanted = -1, counted = 0;
static int armed = 0;

void crash_arm(const char *below, const char *skip, long step) {
    strncpy(folder, below, PATH_MAX - 1);
    strncpy(skipped, skip, PATH_MAX - 1);
    wanted = step;
    counted = 0;
    armed = 1;
}

long crash_count(void) { return counted; }

static void step(const char *path) {
    if (strncmp(path, folder, strlen(folder)) != 0) return;
    if (skipped[0] && strncmp(path, skipped, strlen(skipped)) == 0) return;
    if (__sync_add_and_fetch(&counted, 1) == wanted) kill(getpid(), SIGKILL);
}

static void step_handle(int handle) {
    char link[64], path[PATH_MAX];
    if (!armed) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t size = readlink(link, path, PATH_MAX - 1);
    if (size < 0) return;
    path[size] = 0;
    step(path);
}

static void step_at(int handle, const char *path) {
    if (!armed) return;
    if (path[0] == '/') step(path);
    else if (handle != AT_FDCWD) step_handle(handle);
}

#define REAL(kind, name, ...) \
    static kind (*real)(__VA_ARGS__); \
    if (!real) real = (kind (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

ssize_t write(int h, const void *b, size_t n) {
    REAL(ssize_t, "write", int, const void *, size_t);
    ssize_t done = real(h, b, n);
    step_handle(h);
    return done;
}
ssize_t pwrite(int h, const void *b, size_t n, off_t o) {
    REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
    ssize_t done = real(h, b, n, o);
    step_handle(h);
    return done;
}
ssize_t pwrite64(int h, const void *b, size_t n, off64_t o) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    ssize_t done = real(h, b, n, o);
    step_handle(h);
    return done;
}
ssize_t writev(int h, const struct iovec *v, int n) {
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    ssize_t done = real(h, v, n);
    step_handle(h);
    return done;
}
int fsync(int h) {
    REAL(int, "fsync", int);
    int done = real(h);
    step_handle(h);
    return done;
}
int fdatasync(int h) {
    REAL(int, "fdatasync", int);
    int done = real(h);
    step_handle(h);
    return done;
}
int ftruncate(int h, off_t n) {
    REAL(int, "ftruncate", int, off_t);
    int done = real(h, n);
    step_handle(h);
    return done;
}
int ftruncate64(int h, off64_t n) {
    REAL(int, "ftruncate64", int, off64_t);
    int done = real(h, n);
    step_handle(h);
    return done;
}
int rename(const char *a, const char *b) {
    REAL(int, "rename", const char *, const char *);
    int done = real(a, b);
    step_at(AT_FDCWD, b);
    return done;
}
int renameat(int x, const char *a, int y, const char *b) {
    REAL(int, "renameat", int, const char *, int, const char *);
    int done = real(x, a, y, b);
    step_at(y, b);
    return done;
}
int unlink(const char *a) {
    REAL(int, "unlink", const char *);
    int done = real(a);
    step_at(AT_FDCWD, a);
    return done;
}
int unlinkat(int x, const char *a, int flags) {
    REAL(int, "unlinkat", int, const char *, int);
    int done = real(x, a, flags);
    step_at(x, a);
    return done;
}
int mkdir(const char *a, mode_t m) {
    REAL(int, "mkdir", const char *, mode_t);
    int done = real(a, m);
    step_at(AT_FDCWD, a);
    return done;
}
static int opened(int (*real)(const char *, int, ...), const char *a, int flags, mode_t mode) {
    int handle = real(a, flags, mode);
    if (armed && handle >= 0 && (flags & O_CREAT)) step_handle(handle);
    return handle;
}
int open(const char *a, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    REAL(int, "open", const char *, int, ...);
    return opened(real, a, flags, mode);
}
int open64(const char *a, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    REAL(int, "open64", const char *, int, ...);
    return opened(real, a, flags, mode);
}
