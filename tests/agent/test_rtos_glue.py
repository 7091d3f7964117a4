# SPDX-License-Identifier: BSD-2-Clause
"""The ready-made glue of FreeRTOS and NuttX (agent/glue) runs on this machine, with a kernel that the test plays."""
import re
import subprocess

from harness import rtos
from harness.paths import TOP

# Ticks of 16 bits, so that they go round soon; a task that the heap has no room for.
FREERTOS_RUN = """
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include "rtos/FreeRTOS.h"
#define TickType_t uint16_t
#define DPROBES_CODE
typedef uintptr_t dprobes_word;
struct dprobes_task { dprobes_word task; uint32_t pid; const char *name; };
static int started, polls;
static bool more;
static int start_agent(void) { started++; return 0; }
static bool dprobes_poll(void) { polls++; return more; }
#include "freertos_body.c"
static uint16_t tick;
static BaseType_t room = pdFALSE;
static jmp_buf out;
static unsigned waited;
TickType_t xTaskGetTickCountFromISR(void) { return tick; }
BaseType_t xTaskCreate(TaskFunction_t code, const char *name, configSTACK_DEPTH_TYPE words,
                       void *parameters, UBaseType_t priority, TaskHandle_t *created)
{ (void)code, (void)name, (void)words, (void)parameters, (void)priority, (void)created; return room; }
TaskHandle_t xTaskGetCurrentTaskHandle(void) { return NULL; }
char *pcTaskGetName(TaskHandle_t task) { (void)task; return NULL; }
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks) { (void)clear; waited = ticks; longjmp(out, 1); }
void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t *woken) { (void)task, (void)woken; }
void vPortYield(void) {}
int main(void)
{
	uint64_t real = 0;

	assert(dprobes_start() != 0 && started == 0);
	room = pdTRUE;
	assert(dprobes_start() == 0 && started == 1);
	/* the task runs at some ticks only, a hit at each of these */
	for (volatile unsigned i = 0; i < 1000; i++) {
		real += 997;
		tick = (uint16_t)real;
		assert(DPROBES_TICKS() == real);
		if (i % 16 == 15 && setjmp(out) == 0)
			agent_main(NULL);
	}
	assert(polls == 62 && real > 0xffff);
	/* 50 ms without work; a tick, not a loop, while work is left */
	assert(waited >= 50 && waited <= 51);
	more = true;
	if (setjmp(out) == 0)
		agent_main(NULL);
	assert(waited == 1);
	return 0;
}
"""


def test_freertos_ticks_do_not_go_round(tmp_path):
    """The time of records goes on when the tick count begins at 0 again; without a task there is no agent."""
    (tmp_path / "rtos").mkdir()
    rtos.write(tmp_path / "rtos")
    body = (TOP / "agent" / "glue" / "freertos.c").read_text()
    body = re.sub(r'#include "(FreeRTOS|dprobes|dprobes_settings|dprobes_settled)\.h"\n', "", body)
    (tmp_path / "freertos_body.c").write_text(body)
    (tmp_path / "run.c").write_text("#include <setjmp.h>\n" + FREERTOS_RUN)
    subprocess.run(["gcc", "-I", tmp_path / "rtos", "-o", tmp_path / "run", tmp_path / "run.c"], check=True)
    subprocess.run([tmp_path / "run"], check=True)


# The rings of a driver, small so that they go round: each character once and in order, whatever room the agent has.
NUTTX_RUN = """
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#define DPROBES_CODE
typedef uintptr_t dprobes_word;
struct dprobes_task { dprobes_word task; uint32_t pid; const char *name; };
static int dprobes_console_room(unsigned line);
static size_t dprobes_console_write(unsigned line, const void *text, size_t bytes);
static bool dprobes_rx(unsigned line, uint8_t byte);
static bool dprobes_poll(void);
static int start_agent(void);
int dprobes_start(void);
#include "nuttx/serial/serial.h"
static char sending[7], receiving[5];
static struct uart_ops_s own;
static uart_dev_t console_dev = {{0, 0, 7, sending}, {0, 0, 5, receiving}, &own};
#include "nuttx_body.c"

static unsigned masked, sent, woken, given, there, arrived, left, disabled;
static bool ours, runs = true;
irqstate_t enter_critical_section(void) { return masked++; }
void leave_critical_section(irqstate_t flags) { masked = flags; }
void uart_datasent(uart_dev_t *dev) { assert(dev == &console_dev && !masked); sent++; }
void uart_datareceived(uart_dev_t *dev) { assert(dev == &console_dev && !masked); woken++; }
static int dprobes_console_room(unsigned line) { return line == 0 && runs ? (int)there : -1; }
static size_t dprobes_console_write(unsigned line, const void *text, size_t bytes)
{
	const uint8_t *from = text;
	assert(line == 0 && bytes <= there);
	bytes -= rand() % 4 == 0 && bytes > 1; /* an interrupt has taken room */
	for (size_t i = 0; i < bytes; i++)
		assert(from[i] == (uint8_t)given++);
	there -= (unsigned)bytes;
	return bytes;
}
size_t dprobes_print(const char *text, size_t bytes)
{
	if (runs)
		return dprobes_console_write(0, text, bytes);
	for (size_t i = 0; i < bytes; i++)
		assert((uint8_t)text[i] == (uint8_t)given++);
	return bytes;
}
static bool dprobes_rx(unsigned line, uint8_t byte) { return line == 0 && ours && byte == 0xff; }
/* The hardware: `left` bytes wait, of which some are the agent's. */
static int receive(struct uart_dev_s *dev, unsigned *status)
{
	assert(dev == &console_dev && left > 0);
	left--;
	*status = 0;
	return ours ? 0xff : (int)(arrived++ % 255);
}
static bool rxavailable(struct uart_dev_s *dev) { ours = rand() % 2; return dev == &console_dev && left > 0; }
static bool txready(struct uart_dev_s *dev) { return dev == &console_dev; }
static void send(struct uart_dev_s *dev, int byte) { (void)dev, (void)byte; assert(0); }
static void txint(struct uart_dev_s *dev, bool enable) { assert(dev == &console_dev && !enable); disabled++; }
static struct uart_ops_s own = {.rxavailable = rxavailable, .txready = txready, .send = send, .txint = txint};
static struct inode node;
static int has_console;
int file_open(struct file *filep, const char *path, int oflags, ...)
{
	filep->f_inode = &node;
	return has_console && path[0] == '/' && oflags ? 0 : -2;
}
int file_close(struct file *filep) { return filep->f_inode != &node; }
/* The serial layer, as the interrupt calls it. */
static void receive_chars(uart_dev_t *dev)
{
	unsigned status;

	while (dev->ops->rxavailable(dev)) {
		struct uart_buffer_s *in = &dev->recv;
		int byte = dev->ops->receive(dev, &status), next = (in->head + 1) % in->size;

		assert(byte != 0xff && next != in->tail);
		in->buffer[in->head] = (char)byte;
		in->head = (int16_t)next;
	}
}
static bool dprobes_poll(void) { return false; }
static int answer;
static int start_agent(void) { assert(masked); return answer; }
clock_t clock_systime_ticks(void) { return 0; }
struct tcb_s *nxsched_self(void) { static struct tcb_s task = {5, "t"}; return &task; }
int nxsem_init(sem_t *sem, int shared, unsigned value) { sem->count = shared + (int)value; return 0; }
int nxsem_post(sem_t *sem) { sem->count++; return 0; }
int nxsem_tickwait(sem_t *sem, uint32_t delay) { (void)sem, (void)delay; return 0; }
static int room_for_thread;
int kthread_create(const char *name, int priority, int bytes, main_t entry, char *const argv[])
{
	(void)name, (void)priority, (void)bytes, (void)argv;
	return entry == agent_main && room_for_thread ? 3 : -12;
}

int main(void)
{
	struct uart_buffer_s *out = &console_dev.xmit, *in = &console_dev.recv;
	struct dprobes_task now;
	unsigned put = 0, read = 0;

	agent_wake();
	assert(work.count == 0); /* before the start */
	assert(dprobes_start() == -2); /* no such device */
	has_console = 1;
	assert(dprobes_start() == -2); /* no uart_dev_t */
	node.i_private = &console_dev;
	assert(dprobes_start() == -2); /* no receive: a driver of whole buffers */
	own.receive = receive;
	assert(dprobes_start() == -1);
	room_for_thread = 1;
	answer = 7;
	assert(dprobes_start() == 7 && !masked && console_dev.ops == &own);
	assert(dprobes_start() == 7); /* not a second thread */
	is_started = false;
	answer = 0;
	assert(dprobes_start() == 0 && console_dev.ops != &own && console_dev.ops->txready(&console_dev));
	agent_wake();
	assert(work.count == 1);
	current_task(&now);
	assert(now.pid == 5 && now.name[0] == 't');
	for (unsigned round = 0; round < 100000; round++) {
		while (rand() % 3 && (out->head + 1) % out->size != out->tail) {
			sending[out->head] = (char)(uint8_t)put++;
			out->head = (int16_t)((out->head + 1) % out->size);
		}
		there = (unsigned)rand() % 9;
		runs = rand() % 5 != 0;
		console_dev.ops->txint(&console_dev, true);
		assert(runs || out->head == out->tail); /* without an agent nothing waits */
		assert(put - given == (unsigned)(out->head - out->tail + out->size) % (unsigned)out->size);
		left = (unsigned)(in->tail - in->head + in->size - 1) % (unsigned)in->size;
		receive_chars(&console_dev);
		while (rand() % 2 && in->head != in->tail) {
			assert((uint8_t)receiving[in->tail] == (uint8_t)(read++ % 255));
			in->tail = (int16_t)((in->tail + 1) % in->size);
		}
	}
	assert(given > 10000 && sent > 1000 && read > 10000);
	/* a handler's text goes past the ring; a byte that the agent held comes back, or is dropped */
	runs = true;
	there = 1;
	console_dev.ops->send(&console_dev, (int)(uint8_t)given);
	console_dev.ops->txint(&console_dev, false);
	assert(disabled == 1);
	in->head = in->tail = 0;
	for (int i = 0; i < 6; i++)
		give_back(&console_dev, (uint8_t)i);
	assert(woken == 4 && in->head == 4 && receiving[3] == 3);
	return 0;
}
"""


def test_nuttx_rings(tmp_path):
    (tmp_path / "rtos").mkdir()
    rtos.write_nuttx(tmp_path / "rtos")
    clock = tmp_path / "rtos/nuttx/clock.h"
    clock.write_text(clock.read_text().replace("typedef uint64_t clock_t;\n", ""))
    body = (TOP / "agent" / "glue" / "nuttx.c").read_text()
    body = re.sub(r'#include "(dprobes|dprobes_settings|dprobes_settled)\.h"\n', "", body)
    (tmp_path / "nuttx_body.c").write_text(body)
    (tmp_path / "run.c").write_text("#include <time.h>\n" + NUTTX_RUN.replace("\n\nstatic unsigned masked", "\nstatic unsigned masked", 1))
    subprocess.run(["gcc", "-Wall", "-Werror", "-Wno-unused-function", "-fsanitize=address,undefined", "-I", tmp_path / "rtos", "-o", tmp_path / "run", tmp_path / "run.c"], check=True)
    subprocess.run([tmp_path / "run"], check=True)
