/* SPDX-License-Identifier: BSD-3-Clause */
/* work.c: see work.h. Where threads cannot be had, the caller does all of it. */
#include "tools/predict/work.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <time.h>

#include "tools/predict/progress.h"

enum { THREADS_MOST = 8 };

struct work {
    pthread_mutex_t lock;
    pthread_cond_t done_one;
    size_t count, begun, done;
    void (*job)(void *context, size_t i);
    void *context;
};

int shunt_work_threads(void)
{
    cpu_set_t set;
    const int count = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    return count < 1 ? 1 : count < THREADS_MOST ? count : THREADS_MOST;
}

/* The next one; count: none is left. */
static size_t begin_next(struct work *work)
{
    pthread_mutex_lock(&work->lock);
    const size_t next = work->begun < work->count ? work->begun++ : work->count;
    pthread_mutex_unlock(&work->lock);
    return next;
}

static void end_one(struct work *work)
{
    pthread_mutex_lock(&work->lock);
    work->done++;
    pthread_cond_signal(&work->done_one);
    pthread_mutex_unlock(&work->lock);
}

static void *run(void *argument)
{
    struct work *work = argument;
    for (size_t i; (i = begin_next(work)) < work->count;) {
        work->job(work->context, i);
        end_one(work);
    }
    return NULL;
}

/* The caller has nothing to do but to tell how far the others are, also while one takes long. */
static void watch(struct work *work, const char *what)
{
    pthread_mutex_lock(&work->lock);
    while (work->done < work->count) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        pthread_cond_timedwait(&work->done_one, &work->lock, &until);
        if (what)
            shunt_progress_show(what, work->done, work->count);
    }
    pthread_mutex_unlock(&work->lock);
}

void shunt_work(size_t count, int threads, void (*job)(void *context, size_t i), void *context,
                const char *what)
{
    struct work work = {.count = count, .job = job, .context = context};
    pthread_t thread[THREADS_MOST];
    int started = 0;
    pthread_mutex_init(&work.lock, NULL);
    pthread_cond_init(&work.done_one, NULL);
    while (started < threads && started < THREADS_MOST && (size_t)started < count &&
           pthread_create(&thread[started], NULL, run, &work) == 0)
        started++;
    if (started > 0)
        watch(&work, what);
    else
        run(&work);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    pthread_cond_destroy(&work.done_one);
    pthread_mutex_destroy(&work.lock);
}
