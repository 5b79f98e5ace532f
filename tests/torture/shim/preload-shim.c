/*
 * Stands between a program and the disk (LD_PRELOAD). What it does is told by the environment:
 *
 *   FSYNC_DELAY_MS      every fsync and fdatasync takes this much longer
 *   TORTURE_ROOT        absolute directory; only files below it are traced and counted
 *   TORTURE_TRACE       file that takes the trace (see trace.ts), appended to
 *   TORTURE_REPORT_FD   what the program writes to this descriptor goes into the trace too, so that
 *                       the order of what it said and what it did to the disk is known
 *   TORTURE_QUOTA       file of three int64 (limit, used, refusals): the disk is full beyond `limit`
 *                       bytes, counted in blocks of 4 KiB; may be changed while the program runs
 *
 * A write is recorded and done under one lock: the trace has the order in which the kernel saw them.
 * A sync is recorded when it begins and when it ends: only writes before its beginning are covered.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind {
  CREATE = 1, WRITE, TRUNCATE, UNLINK, RENAME, SYNC_BEGIN, SYNC_END, MKDIR, RMDIR, REPORT
};

enum flag { DIRECTORY = 1, DATA_ONLY = 2 };

struct header {
  uint8_t kind;
  uint8_t flags;
  uint16_t path_bytes;
  uint32_t data_bytes;
  uint64_t inode;
  uint64_t number; /* offset of a write, size of a truncation, id of a sync */
};

struct quota {
  int64_t limit, used, refusals;
};

enum { max_files = 65536, block = 4096 };

/* What a descriptor stands for; 0: nothing below the root. It may have been closed behind our back. */
static uint64_t inodes[max_files];
static dev_t devices[max_files];
static char *paths[max_files];
static uint8_t directories[max_files];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *root;
static size_t root_length;
static int trace = -1;
static int report = -1;
static struct quota *quota;
static struct timespec delay;
static uint64_t syncs;

#define REAL(name) ((__typeof__(&name))real(&real_##name, #name))
#define POINTER(name) static void *real_##name
POINTER(open); POINTER(open64); POINTER(openat); POINTER(openat64); POINTER(close);
POINTER(write); POINTER(pwrite); POINTER(pwrite64); POINTER(writev); POINTER(pwritev);
POINTER(pwritev64); POINTER(ftruncate); POINTER(ftruncate64); POINTER(fallocate);
POINTER(fallocate64); POINTER(posix_fallocate); POINTER(posix_fallocate64); POINTER(unlink);
POINTER(rename); POINTER(mkdir); POINTER(rmdir); POINTER(fsync);
POINTER(fdatasync);

static void *real(void **pointer, const char *name) {
  if (*pointer == NULL) *pointer = dlsym(RTLD_NEXT, name);
  return *pointer;
}

static void fail(const char *what) {
  char text[256];
  int length = snprintf(text, sizeof text, "preload-shim: %s: %s\n", what, strerror(errno));
  if (length > 0) (void)!syscall(SYS_write, 2, text, (size_t)length);
  _exit(99);
}

__attribute__((constructor)) static void start(void) {
  const char *value = getenv("FSYNC_DELAY_MS");
  if (value != NULL) {
    double milliseconds = atof(value);
    delay.tv_sec = (time_t)(milliseconds / 1000);
    delay.tv_nsec = (long)((milliseconds - (double)delay.tv_sec * 1000) * 1e6);
  }
  root = getenv("TORTURE_ROOT");
  if (root == NULL) return;
  root_length = strlen(root);
  value = getenv("TORTURE_TRACE");
  if (value != NULL) {
    int low = (int)syscall(SYS_openat, AT_FDCWD, value, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (low < 0) fail(value);
    /* Out of the way of descriptors that the parent passes on. */
    trace = fcntl(low, F_DUPFD_CLOEXEC, 900);
    syscall(SYS_close, low);
  }
  value = getenv("TORTURE_REPORT_FD");
  if (value != NULL) report = atoi(value);
  value = getenv("TORTURE_QUOTA");
  if (value != NULL) {
    int file = (int)syscall(SYS_openat, AT_FDCWD, value, O_RDWR | O_CLOEXEC, 0);
    if (file < 0) fail(value);
    quota = mmap(NULL, sizeof *quota, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (quota == MAP_FAILED) fail(value);
    syscall(SYS_close, file);
  }
}

/* The path below the root ("" for the root itself), or NULL. */
static const char *below_root(int directory, const char *path, char *buffer) {
  if (root == NULL || path == NULL) return NULL;
  if (path[0] != '/') {
    if (directory != AT_FDCWD || getcwd(buffer, PATH_MAX) == NULL) return NULL;
    size_t length = strlen(buffer);
    if (length + strlen(path) + 2 > PATH_MAX) return NULL;
    buffer[length] = '/';
    strcpy(buffer + length + 1, path);
    path = buffer;
  }
  if (strncmp(path, root, root_length) != 0) return NULL;
  path += root_length;
  if (*path == '\0') return path;
  if (*path != '/') return NULL;
  while (*path == '/') path++;
  return path;
}

/* The shared-memory index of SQLite is not data: it is rebuilt from the log. */
static int is_index(const char *path) {
  size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, "-shm") == 0;
}

static void record(struct header header, const char *path, const void *data) {
  if (trace < 0) return;
  header.path_bytes = (uint16_t)(path == NULL ? 0 : strlen(path));
  struct iovec parts[3] = {
      {&header, sizeof header}, {(void *)path, header.path_bytes}, {(void *)data, header.data_bytes}};
  size_t total = sizeof header + header.path_bytes + header.data_bytes;
  for (int at = 0; total > 0;) {
    ssize_t done = syscall(SYS_writev, trace, parts + at, 3 - at);
    if (done < 0) {
      if (errno == EINTR) continue;
      fail("cannot write the trace");
    }
    total -= (size_t)done;
    while (at < 3 && (size_t)done >= parts[at].iov_len) done -= (ssize_t)parts[at++].iov_len;
    if (at < 3) {
      parts[at].iov_base = (char *)parts[at].iov_base + done;
      parts[at].iov_len -= (size_t)done;
    }
  }
}

static int is_tracked(int fd) {
  struct stat found;
  if (fd < 0 || fd >= max_files || inodes[fd] == 0) return 0;
  int error = errno;
  if (fstat(fd, &found) != 0 || found.st_ino != inodes[fd] || found.st_dev != devices[fd])
    inodes[fd] = 0;
  errno = error;
  return inodes[fd] != 0;
}

static int is_traced(int fd) { return is_tracked(fd) && !is_index(paths[fd]); }

static int64_t blocks(int64_t size) { return (size + block - 1) / block * block; }

static int64_t size_of(int fd) {
  struct stat found;
  return fstat(fd, &found) == 0 ? found.st_size : 0;
}

static void resized(int64_t before, int64_t after) {
  if (quota != NULL) quota->used += blocks(after) - blocks(before);
}

/* How many of these bytes the disk has room for; -1 (ENOSPC) for none. */
static ssize_t room_for(int fd, size_t length, int64_t offset) {
  if (quota == NULL || length == 0) return (ssize_t)length;
  int64_t size = size_of(fd), end = offset + (int64_t)length;
  if (end <= size) return (ssize_t)length;
  int64_t largest = blocks(size) + (quota->limit - quota->used) / block * block;
  if (largest < blocks(size)) largest = blocks(size);
  if (end > largest) {
    quota->refusals++;
    if (largest <= offset) {
      errno = ENOSPC;
      return -1;
    }
    end = largest;
  }
  return (ssize_t)(end - offset);
}

/* ---- opening and closing ---- */

static int opened(int fd, const char *path, int existed, int flags) {
  struct stat found;
  if (fd < 0 || fd >= max_files || fstat(fd, &found) != 0) return fd;
  free(paths[fd]);
  paths[fd] = strdup(path);
  inodes[fd] = found.st_ino;
  devices[fd] = found.st_dev;
  directories[fd] = S_ISDIR(found.st_mode);
  if (is_index(path)) return fd;
  struct header header = {.inode = found.st_ino};
  if (!existed) {
    header.kind = CREATE;
    record(header, path, NULL);
  } else if (flags & O_TRUNC) {
    header.kind = TRUNCATE;
    record(header, NULL, NULL);
  }
  return fd;
}

#define OPEN(name, directory, call)                                                              \
  mode_t mode = 0;                                                                               \
  if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) {                                   \
    va_list rest;                                                                                \
    va_start(rest, flags);                                                                       \
    mode = va_arg(rest, mode_t);                                                                 \
    va_end(rest);                                                                                \
  }                                                                                              \
  char buffer[PATH_MAX];                                                                         \
  const char *below = below_root(directory, path, buffer);                                       \
  if (below == NULL) return call;                                                                \
  pthread_mutex_lock(&lock);                                                                     \
  struct stat before = {0};                                                                      \
  int existed = fstatat(directory, path, &before, 0) == 0;                                       \
  int fd = call;                                                                                 \
  if (fd >= 0 && existed && (flags & O_TRUNC)) resized(before.st_size, 0);                       \
  opened(fd, below, existed, flags);                                                             \
  pthread_mutex_unlock(&lock);                                                                   \
  return fd

int open(const char *path, int flags, ...) { OPEN(open, AT_FDCWD, REAL(open)(path, flags, mode)); }
int open64(const char *path, int flags, ...) {
  OPEN(open64, AT_FDCWD, REAL(open64)(path, flags, mode));
}
int openat(int directory, const char *path, int flags, ...) {
  OPEN(openat, directory, REAL(openat)(directory, path, flags, mode));
}
int openat64(int directory, const char *path, int flags, ...) {
  OPEN(openat64, directory, REAL(openat64)(directory, path, flags, mode));
}

int close(int fd) {
  if (!is_tracked(fd)) return REAL(close)(fd);
  pthread_mutex_lock(&lock);
  inodes[fd] = 0;
  int result = REAL(close)(fd);
  pthread_mutex_unlock(&lock);
  return result;
}

/* ---- writing ---- */

typedef ssize_t writer(int fd, const void *data, size_t length, int64_t offset);

static ssize_t at_position(int fd, const void *data, size_t length, int64_t offset) {
  (void)offset;
  return REAL(write)(fd, data, length);
}

static ssize_t at_offset(int fd, const void *data, size_t length, int64_t offset) {
  return REAL(pwrite64)(fd, data, length, offset);
}

static ssize_t traced_write(int fd, struct iovec whole, int64_t offset, writer *call) {
  pthread_mutex_lock(&lock);
  int64_t size = size_of(fd);
  if (offset < 0)
    offset = fcntl(fd, F_GETFL) & O_APPEND ? size : (int64_t)lseek(fd, 0, SEEK_CUR);
  ssize_t done = room_for(fd, whole.iov_len, offset);
  if (done >= 0) done = call(fd, whole.iov_base, (size_t)done, offset);
  int error = errno;
  if (done > 0) {
    if (offset + done > size) resized(size, offset + done);
    if (!is_index(paths[fd])) {
      record((struct header){.kind = WRITE,
                             .inode = inodes[fd],
                             .number = (uint64_t)offset,
                             .data_bytes = (uint32_t)done},
             NULL, whole.iov_base);
    }
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return done;
}

ssize_t write(int fd, const void *data, size_t length) {
  if (is_tracked(fd)) return traced_write(fd, (struct iovec){(void *)data, length}, -1, at_position);
  if (fd != report || trace < 0) return REAL(write)(fd, data, length);
  pthread_mutex_lock(&lock);
  ssize_t done = REAL(write)(fd, data, length);
  int error = errno;
  if (done > 0) record((struct header){.kind = REPORT, .data_bytes = (uint32_t)done}, NULL, data);
  pthread_mutex_unlock(&lock);
  errno = error;
  return done;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
  if (!is_tracked(fd)) return REAL(pwrite)(fd, data, length, offset);
  return traced_write(fd, (struct iovec){(void *)data, length}, offset, at_offset);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  if (!is_tracked(fd)) return REAL(pwrite64)(fd, data, length, offset);
  return traced_write(fd, (struct iovec){(void *)data, length}, offset, at_offset);
}

/* A gathered write may end early: the first part alone is a correct answer. */
ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (!is_tracked(fd) || count < 1) return REAL(writev)(fd, parts, count);
  return traced_write(fd, parts[0], -1, at_position);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  if (!is_tracked(fd) || count < 1) return REAL(pwritev)(fd, parts, count, offset);
  return traced_write(fd, parts[0], offset, at_offset);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
  if (!is_tracked(fd) || count < 1) return REAL(pwritev64)(fd, parts, count, offset);
  return traced_write(fd, parts[0], offset, at_offset);
}

static int traced_resize(int fd, int64_t size) {
  pthread_mutex_lock(&lock);
  int64_t before = size_of(fd);
  int result = REAL(ftruncate64)(fd, size);
  int error = errno;
  if (result == 0) {
    /* Growing by ftruncate makes a hole: it takes no blocks, but later writes into it count none. */
    resized(before, size);
    if (is_traced(fd)) {
      record((struct header){.kind = TRUNCATE, .inode = inodes[fd], .number = (uint64_t)size}, NULL,
             NULL);
    }
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int ftruncate(int fd, off_t size) {
  return is_tracked(fd) ? traced_resize(fd, size) : REAL(ftruncate)(fd, size);
}
int ftruncate64(int fd, off64_t size) {
  return is_tracked(fd) ? traced_resize(fd, size) : REAL(ftruncate64)(fd, size);
}

/* Below the root nothing can be allocated ahead: callers then write zeros, which the trace sees. */
int fallocate(int fd, int mode, off_t offset, off_t length) {
  if (!is_tracked(fd)) return REAL(fallocate)(fd, mode, offset, length);
  errno = EOPNOTSUPP;
  return -1;
}
int fallocate64(int fd, int mode, off64_t offset, off64_t length) {
  if (!is_tracked(fd)) return REAL(fallocate64)(fd, mode, offset, length);
  errno = EOPNOTSUPP;
  return -1;
}
int posix_fallocate(int fd, off_t offset, off_t length) {
  return is_tracked(fd) ? EOPNOTSUPP : REAL(posix_fallocate)(fd, offset, length);
}
int posix_fallocate64(int fd, off64_t offset, off64_t length) {
  return is_tracked(fd) ? EOPNOTSUPP : REAL(posix_fallocate64)(fd, offset, length);
}

/* ---- names ---- */

#define NAME(kind_, directory, path_, call)                                                      \
  char buffer[PATH_MAX];                                                                         \
  const char *below = below_root(directory, path_, buffer);                                      \
  if (below == NULL) return call;                                                                \
  pthread_mutex_lock(&lock);                                                                     \
  struct stat before = {0};                                                                      \
  int existed = fstatat(directory, path_, &before, AT_SYMLINK_NOFOLLOW) == 0;                    \
  int result = call;                                                                             \
  int error = errno;                                                                             \
  if (result == 0 && !is_index(below)) {                                                         \
    record((struct header){.kind = kind_, .inode = before.st_ino}, below, NULL);                 \
  }                                                                                              \
  if (result == 0 && existed && (kind_) == UNLINK) resized(before.st_size, 0);                     \
  pthread_mutex_unlock(&lock);                                                                   \
  errno = error;                                                                                 \
  return result

int unlink(const char *path) { NAME(UNLINK, AT_FDCWD, path, REAL(unlink)(path)); }
int mkdir(const char *path, mode_t mode) { NAME(MKDIR, AT_FDCWD, path, REAL(mkdir)(path, mode)); }
int rmdir(const char *path) { NAME(RMDIR, AT_FDCWD, path, REAL(rmdir)(path)); }

int rename(const char *from, const char *to) {
  char from_buffer[PATH_MAX], to_buffer[PATH_MAX], both[2 * PATH_MAX];
  const char *from_below = below_root(AT_FDCWD, from, from_buffer);
  const char *to_below = below_root(AT_FDCWD, to, to_buffer);
  if (from_below == NULL || to_below == NULL) return REAL(rename)(from, to);
  pthread_mutex_lock(&lock);
  int result = REAL(rename)(from, to);
  int error = errno;
  if (result == 0) {
    snprintf(both, sizeof both, "%s\n%s", from_below, to_below);
    record((struct header){.kind = RENAME}, both, NULL);
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

/* ---- syncing ---- */

static int traced_sync(int fd, int (*call)(int), uint8_t flags) {
  if (delay.tv_sec != 0 || delay.tv_nsec != 0) nanosleep(&delay, NULL);
  if (!is_traced(fd)) return call(fd);
  pthread_mutex_lock(&lock);
  struct header header = {.kind = SYNC_BEGIN,
                          .inode = inodes[fd],
                          .number = ++syncs,
                          .flags = flags | (directories[fd] ? DIRECTORY : 0)};
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s", paths[fd]);
  record(header, path, NULL);
  pthread_mutex_unlock(&lock);
  int result = call(fd);
  int error = errno;
  if (result == 0) {
    pthread_mutex_lock(&lock);
    header.kind = SYNC_END;
    record(header, path, NULL);
    pthread_mutex_unlock(&lock);
  }
  errno = error;
  return result;
}

int fsync(int fd) { return traced_sync(fd, REAL(fsync), 0); }
int fdatasync(int fd) { return traced_sync(fd, REAL(fdatasync), DATA_ONLY); }
