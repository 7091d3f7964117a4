/* SPDX-License-Identifier: BSD-2-Clause */
/* This file asks the kernel by sock_diag(7) for the peer of a unix socket. */
#define _GNU_SOURCE
#include "unix_queue.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

struct question {
	struct nlmsghdr header;
	struct unix_diag_req request;
};

static bool ask(int netlink, ino_t inode)
{
	const struct question question = {
		.header = {.nlmsg_len = sizeof question,
			   .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			   .nlmsg_flags = NLM_F_REQUEST},
		.request = {.sdiag_family = AF_UNIX,
			    .udiag_ino = (uint32_t)inode,
			    .udiag_show = UDIAG_SHOW_PEER,
			    .udiag_cookie = {UINT32_MAX, UINT32_MAX}},
	};

	return send(netlink, &question, sizeof question, 0) == (ssize_t)sizeof question;
}

/* The inode of the peer is 0 as long as no process has the socket. */
static bool peer_is_queued(const struct nlmsghdr *answer)
{
	const struct unix_diag_msg *message = NLMSG_DATA(answer);
	const struct rtattr *attribute = (const struct rtattr *)(message + 1);
	unsigned left = (unsigned)NLMSG_PAYLOAD(answer, sizeof *message);
	uint32_t inode;

	for (; RTA_OK(attribute, left); attribute = RTA_NEXT(attribute, left))
		if (attribute->rta_type == UNIX_DIAG_PEER &&
		    RTA_PAYLOAD(attribute) >= sizeof inode) {
			memcpy(&inode, RTA_DATA(attribute), sizeof inode);
			return inode == 0;
		}
	return false;
}

bool dph_unix_queued(int fd)
{
	union {
		struct nlmsghdr header;
		uint8_t bytes[1024];
	} answer;
	const int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	struct stat status;
	ssize_t count = -1;

	if (netlink < 0)
		return false;
	/* The kernel answers within send(), so recv() need not wait. */
	if (fstat(fd, &status) == 0 && ask(netlink, status.st_ino))
		count = recv(netlink, &answer, sizeof answer, MSG_DONTWAIT);
	close(netlink);
	return count > 0 && NLMSG_OK(&answer.header, (unsigned)count) &&
	       answer.header.nlmsg_type == SOCK_DIAG_BY_FAMILY && peer_is_queued(&answer.header);
}
