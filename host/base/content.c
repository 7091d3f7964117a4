/* SPDX-License-Identifier: BSD-2-Clause */
/* The contents of files: read once, shared by those who use them. */
#define _GNU_SOURCE
#include "content.h"

#include "pool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	UNSTEADY = ESTALE,   /* read of a local file never fails so */
	IS_DEVICE = ENOTBLK, /* the same */
	TOO_LARGE = EFBIG,
	TRIES_MAX = 50, /* of a file that changes while it is read */
	PAUSE_US = 20000,
	PIECE = 65536,
};

/* A content with its uses, and the file as it was. */
struct kept {
	struct dph_content content; /* first: the others see this member alone */
	unsigned uses;
	struct stat file;
	struct kept *next;
};

static bool keeps;
static struct kept *first, **last = &first;

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Nothing was written between the two looks. */
static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       same_time(&a->st_mtim, &b->st_mtim) && same_time(&a->st_ctim, &b->st_ctim);
}

/* Read from the place of the descriptor to the end. */
static bool read_rest(int fd, size_t expected, struct dph_bytes *bytes)
{
	for (;;) {
		const size_t room = expected > bytes->count ? expected - bytes->count + 1 : PIECE;
		dph_bytes_zero(bytes, room);
		bytes->count -= room;
		const ssize_t n = read(fd, bytes->data + bytes->count, room);
		if (n == 0)
			return true;
		if (n < 0 && errno != EINTR)
			return false;
		bytes->count += n > 0 ? (size_t)n : 0;
		if (bytes->count > DPH_CONTENT_MAX) {
			errno = TOO_LARGE;
			return false;
		}
	}
}

/* Returns false with errno; UNSTEADY: the file changed meanwhile. */
static bool read_once(int fd, struct dph_bytes *bytes, struct stat *file)
{
	struct stat after;
	bytes->count = 0;
	if (fstat(fd, file) != 0)
		return false;
	const bool regular = S_ISREG(file->st_mode);
	if (regular && lseek(fd, 0, SEEK_SET) < 0)
		return false;
	errno = TOO_LARGE;
	if (regular && file->st_size > DPH_CONTENT_MAX)
		return false;
	if (!read_rest(fd, regular ? (size_t)file->st_size : 0, bytes) || fstat(fd, &after) != 0)
		return false;
	errno = UNSTEADY;
	return !regular || (same_file(file, &after) && bytes->count == (size_t)file->st_size);
}

static bool read_steady(int fd, struct dph_bytes *bytes, struct stat *file)
{
	for (unsigned i = 0; i < TRIES_MAX; i++) {
		if (read_once(fd, bytes, file))
			return true;
		if (errno != UNSTEADY)
			return false;
		usleep(PAUSE_US);
	}
	errno = UNSTEADY;
	return false;
}

/* A device may have no end, and the opening of a serial line may wait or reset a board. Returns
 * true with errno. */
static bool is_device(const char *path)
{
	struct stat file;
	const bool is = stat(path, &file) == 0 && (S_ISCHR(file.st_mode) || S_ISBLK(file.st_mode));
	if (is)
		errno = IS_DEVICE;
	return is;
}

static bool read_path(const char *path, struct dph_bytes *bytes, struct stat *file)
{
	const int fd = is_device(path) ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	const bool good = read_steady(fd, bytes, file);
	const int error = errno;
	close(fd);
	errno = error;
	return good;
}

static struct kept *find(const char *path)
{
	struct kept *kept = first;
	while (kept && strcmp(kept->content.path, path) != 0)
		kept = kept->next;
	return kept;
}

/* The list has a use of its own. */
static void remember(struct kept *kept)
{
	kept->uses++;
	*last = kept;
	last = &kept->next;
}

struct dph_content *dph_content_open(const char *path)
{
	struct kept *kept = find(path);
	if (kept)
		return dph_content_share(&kept->content);
	struct dph_bytes bytes = {0};
	struct stat file;
	if (!read_path(path, &bytes, &file)) {
		const int error = errno;
		free(bytes.data);
		errno = error;
		return NULL;
	}
	dph_bytes_zero(&bytes, 1);
	kept = dph_malloc(sizeof(*kept));
	*kept = (struct kept){
		.content = {dph_strdup(path), (char *)bytes.data, bytes.count - 1},
		.uses = 1,
		.file = file,
	};
	if (keeps)
		remember(kept);
	return &kept->content;
}

const char *dph_content_why(int error)
{
	switch (error) {
	case UNSTEADY:
		return "it changes while it is read; try again when it is written";
	case IS_DEVICE:
		return "it is a device, and no file";
	case TOO_LARGE:
		return "it has more than 2 GB";
	default:
		return strerror(error);
	}
}

struct dph_content *dph_content_share(struct dph_content *content)
{
	((struct kept *)content)->uses++;
	return content;
}

void dph_content_close(struct dph_content *content)
{
	struct kept *kept = (struct kept *)content;
	if (!kept || --kept->uses)
		return;
	free((char *)content->path);
	free(content->data);
	free(kept);
}

void dph_contents_keep(void)
{
	keeps = true;
}

/* Has the file other bytes than the content? */
static bool has_changed(const struct kept *kept)
{
	struct dph_bytes bytes = {0};
	struct stat file;
	if (!S_ISREG(kept->file.st_mode) ||
	    (stat(kept->content.path, &file) == 0 && same_file(&file, &kept->file)))
		return false;
	const bool same = read_path(kept->content.path, &bytes, &file) &&
			  bytes.count == kept->content.bytes &&
			  memcmp(bytes.data, kept->content.data, bytes.count) == 0;
	free(bytes.data);
	return !same;
}

void dph_contents_changed(void (*tell)(const char *path))
{
	for (const struct kept *kept = first; kept; kept = kept->next)
		if (has_changed(kept))
			tell(kept->content.path);
}
