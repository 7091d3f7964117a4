/* SPDX-License-Identifier: BSD-2-Clause */
/* Run the workload: the sensor, the task that reads the samples, and the monitor. */
#include "sensor.h"

#include "board.h"
#include "console.h"
#include "kernel.h"

#define QUEUE_SIZE         64u
#define BATCH_MAX          16u
#define BACKLOG            8u /* from here on one message at a time is too slow */
#define PERIOD_QUIET_US    20000u
#define PERIOD_LOAD_US     397u /* no multiple of the tick */
#define CALIBRATE_MS       25u
#define MONITOR_MS         1000u
#define MONITOR_CONFIRM_MS 2u

struct sensor_counters sensor_counters;
struct queue sensor_queue;
struct lateness sensor_lateness;

static struct msg ring[QUEUE_SIZE];
static volatile bool loaded;
static volatile bool resync; /* the monitor asks the reader to begin anew */

/* What one channel of an A/D converter would deliver: a triangle with a little noise. */
static uint32_t convert(uint32_t n)
{
	uint32_t phase = n & 1023;
	uint32_t level = phase < 512 ? phase : 1023 - phase;

	return 4 * level + ((n * 2654435761u) >> 28);
}

PROBE_TARGET void sensor_isr(void)
{
	struct msg m = {
		.kind = MSG_SAMPLE,
		.sequence = sensor_counters.made,
		.tick = tick_count,
	};

	lateness_note(&sensor_lateness);
	for (unsigned i = 0; i < MSG_VALUES; i++)
		m.value[i] = convert(m.sequence + 256 * i);
	sensor_counters.made++;
	if (!queue_put(&sensor_queue, &m))
		sensor_counters.refused++;
}

PROBE_TARGET static void sensor_use(const struct msg *m)
{
	if (m->kind == MSG_CALIBRATION) {
		sensor_counters.calibrations++;
		return;
	}
	sensor_counters.seen++;
	sensor_counters.average += ((int32_t)(m->value[0] * 16 - sensor_counters.average)) / 16;
}

static void sensor_main(void *arg)
{
	static struct msg batch[BATCH_MAX];
	uint32_t n;

	(void)arg;
	for (;;) {
		if (resync) {
			queue_flush(&sensor_queue);
			resync = false;
		}
		if (sensor_queue.count >= BACKLOG) {
			n = queue_get_batch(&sensor_queue, batch, BATCH_MAX);
			sensor_counters.batches++;
		} else {
			queue_get(&sensor_queue, batch);
			n = 1;
		}
		for (uint32_t i = 0; i < n; i++)
			sensor_use(&batch[i]);
	}
}

/* Under load the reference is measured too; its messages travel with the samples. */
static void calibrate_main(void *arg)
{
	(void)arg;
	for (;;) {
		struct msg m = {.kind = MSG_CALIBRATION, .tick = tick_count, .value = {2048}};

		if (loaded)
			queue_put(&sensor_queue, &m);
		task_sleep_ms(CALIBRATE_MS);
	}
}

/* Messages put, not got, and not waiting either. */
static int32_t unaccounted(const struct queue *q)
{
	unsigned state = arch_irq_save();
	int32_t result = (int32_t)(q->puts - q->gets - q->count);

	arch_irq_restore(state);
	return result;
}

PROBE_TARGET static void monitor_alarm(int32_t missing)
{
	sensor_counters.alarms++;
	sensor_counters.missing += (uint32_t)missing;
	say("monitor: sensor: %ld sample%s missing (tick %lu)\n", (long)missing,
	    missing == 1 ? "" : "s", (unsigned long)tick_count);
	resync = true;
}

/* Once a second, do the books balance? Asked twice, because a reader may be at work. */
static void monitor_main(void *arg)
{
	(void)arg;
	for (;;) {
		int32_t missing = unaccounted(&sensor_queue);

		if (missing != 0) {
			task_sleep_ms(MONITOR_CONFIRM_MS);
			if (unaccounted(&sensor_queue) == missing && !resync)
				monitor_alarm(missing);
		}
		task_sleep_ms(MONITOR_MS);
	}
}

void sensor_load(bool on)
{
	unsigned state = arch_irq_save();

	loaded = on;
	lateness_start(&sensor_lateness, board_sensor_start(on ? PERIOD_LOAD_US : PERIOD_QUIET_US));
	arch_irq_restore(state);
}

void sensor_create(void)
{
	static uint64_t sensor_stack[192], calibrate_stack[192], monitor_stack[256];

	queue_init(&sensor_queue, "sensor", ring, QUEUE_SIZE);
	task_create("sensor", PRIORITY_WORK, sensor_main, NULL, sensor_stack, sizeof(sensor_stack));
	task_create("calibrate", PRIORITY_CALIBRATE, calibrate_main, NULL, calibrate_stack,
		    sizeof(calibrate_stack));
	task_create("monitor", PRIORITY_MONITOR, monitor_main, NULL, monitor_stack,
		    sizeof(monitor_stack));
	sensor_load(false);
}
