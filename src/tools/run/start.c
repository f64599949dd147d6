/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start.c: starts a command and waits for it. Whoever started `shunt run` (a shell, make, a batch
 * system) must not notice that there is one process more.
 *
 * The command stays in our process group: the terminal is the command's as much as ours, and what
 * a shell, timeout(1) or a batch system sends to the group reaches it without our doing. What is
 * sent to us alone is passed on; what the terminal sends (by the kernel) is not, for the command
 * has it already. A signal that a process sends to the whole group reaches the command twice,
 * which we cannot tell apart.
 */
#include "tools/run/start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the process was like before. */
struct before {
    sigset_t mask;
    struct sigaction child;
};

/* All that can wait: not what a mistake of ours raises, nor what stops a process that reads from a
 * terminal it may not read. */
static void fill(sigset_t *set)
{
    static const int others[] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL, SIGTRAP,
                                 SIGABRT, SIGSYS, SIGTTIN, SIGTTOU};
    sigfillset(set);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        sigdelset(set, others[i]);
}

/* Where the parent ignores SIGCHLD, so do we: then there would be nothing to wait for. */
static void prepare(struct before *before)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t set;
    fill(&set);
    sigprocmask(SIG_BLOCK, &set, &before->mask);
    sigemptyset(&action.sa_mask);
    sigaction(SIGCHLD, &action, &before->child);
}

static void restore(const struct before *before)
{
    sigaction(SIGCHLD, &before->child, NULL);
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

/* In the child: becomes the command, or tells why not. */
static void become(char **command, const struct before *before, pid_t parent, int report)
{
    /* Without a command to wait for, and killed, we would leave it behind. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    restore(before);
    execvp(command[0], command);
    const int error = errno;
    (void)!write(report, &error, sizeof error);
    _exit(1);
}

/* Ctrl-Z: the system decides whether that stops us, as it would the command. */
static void stop(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    raise(SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

static void pass_on(const siginfo_t *info, pid_t child)
{
    const bool sent = info->si_code <= 0; /* by a process, not by the kernel */
    if (sent && info->si_pid != child)
        kill(child, info->si_signo);
    if (info->si_signo == SIGTSTP)
        stop();
}

static bool ends(int number)
{
    return number == SIGHUP || number == SIGINT || number == SIGQUIT || number == SIGTERM ||
           number == SIGXCPU;
}

static int wait_for(pid_t child, bool *ended)
{
    sigset_t set;
    siginfo_t info;
    int status = 0;
    fill(&set);
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (sigwaitinfo(&set, &info) <= 0 || info.si_signo == SIGCHLD)
            continue;
        *ended = *ended || ends(info.si_signo);
        pass_on(&info, child);
    }
    return status;
}

int shunt_start_command(char **command, int *status, bool *ended)
{
    struct before before;
    int pipes[2], error = 0;
    const pid_t parent = getpid();
    if (pipe2(pipes, O_CLOEXEC) != 0)
        return errno;
    prepare(&before);
    const pid_t child = fork();
    if (child == 0)
        become(command, &before, parent, pipes[1]);
    if (child < 0)
        error = errno;
    close(pipes[1]);
    ssize_t got = -1;
    while (child > 0 && (got = read(pipes[0], &error, sizeof error)) < 0 && errno == EINTR) {
    }
    close(pipes[0]);
    if (child > 0)
        *status = wait_for(child, ended);
    restore(&before);
    return child < 0 || got == (ssize_t)sizeof error ? error : 0;
}

int shunt_start_status(int status)
{
    const struct rlimit none = {0, 0};
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t set;
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    /* A shell that waits for us has to see the same; but one core file is enough. */
    const int number = WTERMSIG(status);
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_DUMPABLE, 0);
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, number);
    fflush(NULL);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    return 128 + number;
}
