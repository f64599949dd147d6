/* SPDX-License-Identifier: BSD-3-Clause */
/* What is read from the environment: variables, and what launchers and batch systems tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/environment.h"

static int begin(void **unused)
{
    (void)unused;
    return clearenv();
}

static void a_variable_is_found_by_its_whole_name(void **unused)
{
    (void)unused;
    char *const list[] = {(char[]){"AB=1"}, (char[]){"A=2"}, (char[]){"B="}, (char[]){"A=3"}, NULL};
    assert_string_equal(shunt_environment_find(list, "A"), "2");
    assert_string_equal(shunt_environment_find(list, "AB"), "1");
    assert_string_equal(shunt_environment_find(list, "B"), "");
    assert_null(shunt_environment_find(list, "C"));
    assert_null(shunt_environment_find(NULL, "A"));
}

/* The library keeps its copy until the process ends. */
static void free_copy(char *const *copy)
{
    for (size_t i = 0; copy[i]; i++)
        free(copy[i]);
    free((void *)(uintptr_t)copy);
}

/* A program may clear its environment: there is still a list, without entries. */
static void an_empty_environment_is_a_list_without_entries(void **unused)
{
    (void)unused;
    assert_null(*shunt_environment());
    assert_null(shunt_environment_value("HOME"));
    char *const *copy = shunt_environment_copy("SHUNT_");
    assert_null(*copy);
    free_copy(copy);
}

/* The copy has what the prefix says and does not follow the program; the program's is as it was. */
static void the_copy_does_not_follow_the_program(void **unused)
{
    (void)unused;
    setenv("SHUNT_LOG", "calls", 1);
    setenv("SHUNTED", "1", 1);
    setenv("HOME", "/root", 1);
    char *const *copy = shunt_environment_copy("SHUNT_");
    setenv("SHUNT_LOG", "off", 1);
    setenv("SHUNT_VERIFY", "1", 1);
    assert_string_equal(shunt_environment_find(copy, "SHUNT_LOG"), "calls");
    assert_null(copy[1]);
    assert_string_equal(shunt_environment_value("SHUNT_LOG"), "off");
    assert_string_equal(shunt_environment_find(shunt_environment(), "HOME"), "/root");
    free_copy(copy);
}

static void the_rank_is_a_number_or_not_known(void **unused)
{
    (void)unused;
    assert_int_equal(shunt_environment_rank(), -1);
    assert_true(shunt_environment_first_of_job());
    setenv("PMI_RANK", "12", 1);
    assert_int_equal(shunt_environment_rank(), 12);
    assert_false(shunt_environment_first_of_job());
    static const char *const wrong[] = {"-2", "", "7x", " 7", "+7", "99999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        setenv("PMI_RANK", wrong[i], 1);
        assert_int_equal(shunt_environment_rank(), -1);
    }
    setenv("PMIX_RANK", "3", 1);
    assert_int_equal(shunt_environment_rank(), 3);
    setenv("PMI_RANK", "0", 1);
    assert_int_equal(shunt_environment_rank(), 0);
    assert_true(shunt_environment_first_of_job());
}

/* Ranks that another launcher starts in a job of Slurm all have the rank of the batch script. */
static void the_rank_is_the_launchers_before_the_batch_systems(void **unused)
{
    (void)unused;
    setenv("SLURM_PROCID", "0", 1);
    assert_int_equal(shunt_environment_rank(), 0);
    setenv("OMPI_COMM_WORLD_RANK", "5", 1);
    assert_int_equal(shunt_environment_rank(), 5);
}

static void ranks_of_the_node_are_what_the_launcher_says(void **unused)
{
    (void)unused;
    static const char *const damaged[] = {"",       "x4",    "2,", "2(x",
                                          "2(x1),", "0(x9)", "-4", "1(x-4),2"};
    assert_int_equal(shunt_environment_local_ranks(), 0);
    setenv("SLURM_STEP_TASKS_PER_NODE", "4(x2),3", 1);
    assert_int_equal(shunt_environment_local_ranks(), 4);
    setenv("SLURM_NODEID", "1", 1);
    assert_int_equal(shunt_environment_local_ranks(), 4);
    setenv("SLURM_NODEID", "2", 1);
    assert_int_equal(shunt_environment_local_ranks(), 3);
    setenv("SLURM_NTASKS_PER_NODE", "8", 1); /* of the job; this step has fewer */
    assert_int_equal(shunt_environment_local_ranks(), 3);
    setenv("SLURM_NODEID", "3", 1); /* not of this list */
    assert_int_equal(shunt_environment_local_ranks(), 8);
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        setenv("SLURM_STEP_TASKS_PER_NODE", damaged[i], 1);
        assert_int_equal(shunt_environment_local_ranks(), 8);
    }
    unsetenv("SLURM_NTASKS_PER_NODE");
    setenv("SLURM_STEP_TASKS_PER_NODE", "4(x2),3", 1);
    setenv("SLURM_NODEID", "0", 1);
    setenv("MPI_LOCALNRANKS", "0", 1);
    assert_int_equal(shunt_environment_local_ranks(), 4);
    setenv("MPI_LOCALNRANKS", "16", 1);
    assert_int_equal(shunt_environment_local_ranks(), 16);
}

static void nodes_are_known_where_the_launcher_counts_them(void **unused)
{
    (void)unused;
    assert_int_equal(shunt_environment_nodes(16), 0);
    setenv("SLURM_STEP_NUM_NODES", "4", 1);
    assert_int_equal(shunt_environment_nodes(16), 0);
    setenv("SLURM_STEP_NUM_TASKS", "16", 1);
    assert_int_equal(shunt_environment_nodes(16), 4);
    assert_int_equal(shunt_environment_nodes(64), 0); /* another launcher's, inside that step */
    setenv("MPI_LOCALNRANKS", "16", 1);
    assert_int_equal(shunt_environment_nodes(16), 1);
    assert_int_equal(shunt_environment_nodes(64), 0);
}

static void only_ranks_that_the_launcher_counts_are_sure_to_be_here(void **unused)
{
    (void)unused;
    assert_int_equal(shunt_environment_counted_ranks(), 0);
    setenv("SLURM_NTASKS_PER_NODE", "4", 1); /* asked for, and at most */
    assert_int_equal(shunt_environment_counted_ranks(), 0);
    setenv("PALS_LOCAL_SIZE", "3", 1);
    assert_int_equal(shunt_environment_counted_ranks(), 3);
}

static void a_launcher_of_many_is_told_from_one_of_one(void **unused)
{
    (void)unused;
    assert_null(shunt_environment_launcher_of_many().name);
    setenv("SLURM_NTASKS", "64", 1); /* a batch script */
    setenv("SLURM_PROCID", "0", 1);
    assert_null(shunt_environment_launcher_of_many().name);
    setenv("SLURM_STEP_NUM_TASKS", "64", 1);
    assert_string_equal(shunt_environment_launcher_of_many().name, "srun");
    assert_int_equal(shunt_environment_launcher_of_many().ranks, 64);
    setenv("PMI_SIZE", "1", 1); /* mpiexec -n 1 within that step */
    setenv("PMI_RANK", "0", 1);
    assert_null(shunt_environment_launcher_of_many().name);
    setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
    setenv("OMPI_COMM_WORLD_RANK", "3", 1);
    assert_string_equal(shunt_environment_launcher_of_many().name, "Open MPI's mpiexec");
    assert_int_equal(shunt_environment_launcher_of_many().rank, 3);
}

/* What its launcher sets, of version 4 as of version 5, also in a batch script of Slurm. */
static void open_mpi_counts_ranks_of_the_node(void **unused)
{
    (void)unused;
    setenv("SLURM_NTASKS_PER_NODE", "4", 1);
    setenv("SLURM_PROCID", "0", 1);
    setenv("SLURM_STEP_NUM_NODES", "1", 1);
    setenv("SLURM_STEP_NUM_TASKS", "1", 1);
    setenv("OMPI_COMM_WORLD_SIZE", "6", 1);
    setenv("OMPI_COMM_WORLD_RANK", "5", 1);
    setenv("OMPI_COMM_WORLD_LOCAL_RANK", "2", 1);
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "3", 1);
    assert_int_equal(shunt_environment_rank(), 5);
    assert_int_equal(shunt_environment_counted_ranks(), 3);
    assert_int_equal(shunt_environment_local_ranks(), 3);
    assert_int_equal(shunt_environment_nodes(6), 0); /* more than one, and no word of how many */
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "6", 1);
    assert_int_equal(shunt_environment_nodes(6), 1);
}

/* srun --mpi=pmix, without a launcher of Open MPI. */
static void slurm_starts_ranks_of_open_mpi(void **unused)
{
    (void)unused;
    setenv("PMIX_RANK", "5", 1);
    setenv("PMIX_NAMESPACE", "slurm.pmix.12.0", 1);
    setenv("SLURM_PROCID", "5", 1);
    setenv("SLURM_NODEID", "1", 1);
    setenv("SLURM_STEP_TASKS_PER_NODE", "4,2", 1);
    setenv("SLURM_STEP_NUM_NODES", "2", 1);
    setenv("SLURM_STEP_NUM_TASKS", "6", 1);
    assert_int_equal(shunt_environment_rank(), 5);
    assert_int_equal(shunt_environment_local_ranks(), 2);
    assert_int_equal(shunt_environment_nodes(6), 2);
    assert_string_equal(shunt_environment_launcher(), "slurm");
    assert_string_equal(shunt_environment_launcher_of_many().name, "srun");
}

/* Its rank 0 may be alone; the next one cannot. */
static void pmix_tells_no_number_of_ranks(void **unused)
{
    (void)unused;
    setenv("PMIX_RANK", "0", 1);
    assert_null(shunt_environment_launcher_of_many().name);
    setenv("PMIX_RANK", "1", 1);
    assert_non_null(shunt_environment_launcher_of_many().name);
    assert_int_equal(shunt_environment_launcher_of_many().ranks, 0);
}

static void the_job_is_that_of_the_batch_system(void **unused)
{
    (void)unused;
    assert_null(shunt_environment_job());
    setenv("JOB_ID", "77", 1);
    setenv("SLURM_JOB_ID", "", 1);
    assert_string_equal(shunt_environment_job(), "77");
    setenv("PBS_JOBID", "12.host", 1);
    assert_string_equal(shunt_environment_job(), "12.host");
}

static void the_launcher_is_the_innermost_one(void **unused)
{
    (void)unused;
    assert_null(shunt_environment_launcher());
    setenv("PMI_RANK", "0", 1);
    assert_string_equal(shunt_environment_launcher(), "pmi");
    setenv("SLURM_STEP_TASKS_PER_NODE", "4", 1);
    assert_string_equal(shunt_environment_launcher(), "slurm");
    setenv("PMIX_RANK", "0", 1);
    assert_string_equal(shunt_environment_launcher(), "pmix");
    setenv("PMIX_NAMESPACE", "slurm.pmix.12.0", 1);
    assert_string_equal(shunt_environment_launcher(), "slurm");
    setenv("PMIX_NAMESPACE", "prterun-node1-4711@1", 1);
    assert_string_equal(shunt_environment_launcher(), "pmix");
    setenv("OMPI_COMM_WORLD_RANK", "0", 1); /* of both, Open MPI 4 and 5 */
    assert_string_equal(shunt_environment_launcher(), "open-mpi");
    setenv("MPI_LOCALNRANKS", "4", 1);
    assert_string_equal(shunt_environment_launcher(), "hydra");
}

#define TEST(function) cmocka_unit_test_setup(function, begin)

/* What a library keeps while it is loaded stays, whatever the program does. The last test: it
 * cannot be undone. */
static void what_is_kept_stays(void **unused)
{
    (void)unused;
    setenv("SHUNT_LOG", "calls", 1);
    setenv("PMI_RANK", "3", 1);
    shunt_environment_keep();
    clearenv();
    setenv("PMI_RANK", "4", 1);
    shunt_environment_keep();
    assert_string_equal(shunt_environment_find(shunt_environment(), "SHUNT_LOG"), "calls");
    assert_int_equal(shunt_environment_rank(), 3);
    char *const *copy = shunt_environment_copy("SHUNT_");
    assert_string_equal(copy[0], "SHUNT_LOG=calls");
    free_copy(copy);
    assert_string_equal(shunt_environment_value("PMI_RANK"), "4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_variable_is_found_by_its_whole_name),
        TEST(an_empty_environment_is_a_list_without_entries),
        TEST(the_copy_does_not_follow_the_program),
        TEST(the_rank_is_a_number_or_not_known),
        TEST(the_job_is_that_of_the_batch_system),
        TEST(the_launcher_is_the_innermost_one),
        TEST(the_rank_is_the_launchers_before_the_batch_systems),
        TEST(ranks_of_the_node_are_what_the_launcher_says),
        TEST(nodes_are_known_where_the_launcher_counts_them),
        TEST(only_ranks_that_the_launcher_counts_are_sure_to_be_here),
        TEST(a_launcher_of_many_is_told_from_one_of_one),
        TEST(pmix_tells_no_number_of_ranks),
        TEST(open_mpi_counts_ranks_of_the_node),
        TEST(slurm_starts_ranks_of_open_mpi),
        TEST(what_is_kept_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
