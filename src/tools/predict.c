/* SPDX-License-Identifier: BSD-3-Clause */
/* predict.c: `shunt predict`: what calls cost on a described machine, by the model. */
#include "tools/predict/call.h"
#include "tools/predict/grid.h"
#include "tools/predict/lines.h"
#include "tools/predict/options.h"
#include "tools/tool.h"

static int answer(const struct shunt_predict *predict)
{
    switch (predict->form) {
    case SHUNT_FORM_GRID:
        return shunt_predict_grid(predict);
    case SHUNT_FORM_SWEEP:
        return shunt_predict_sweep(predict);
    case SHUNT_FORM_CURVES:
        return shunt_predict_curves(predict);
    case SHUNT_FORM_CALL:
        break;
    }
    return shunt_predict_call(predict);
}

static int run(int argc, char **argv)
{
    struct shunt_predict predict;
    int code = shunt_predict_read(&predict, &shunt_subcommand_predict, argc, argv);
    if (code == SHUNT_EXIT_OK && predict.help)
        fputs(shunt_subcommand_predict.help, stdout);
    else if (code == SHUNT_EXIT_OK)
        code = answer(&predict);
    shunt_predict_clear(&predict);
    return code;
}

const struct shunt_subcommand shunt_subcommand_predict = {
    .name = "predict",
    .summary = "predict time, energy and memory of calls on a described machine",
    .help =
        "usage: shunt predict --op=OP --block=SIZE SHAPE [OPTION]... [FILE | built-in]\n\n"
        "Predicts what a call costs with every algorithm on the machine that FILE describes, or "
        "another one.\n"
        "Without FILE: the table of a job whose rank 0 runs on this host.\n"
        "With several values of --ranks, --nodes or --block: which algorithm wins where.\n\n"
        "  --op=OP          alltoall or alltoallv\n"
        "  --block=SIZES    bytes per destination, for alltoallv the largest; takes K, M and G;\n"
        "                   8,512,4K, or 8-64K: doubled from end to end\n"
        "  --ranks=P --nodes=N --ppn=Q\n"
        "                   SHAPE: two of the three, or all when they agree; one of P and N may "
        "be several:\n"
        "                   16,64,256, or 16-256\n"
        "  --layout=3,5,8   SHAPE: ranks of each node, for nodes of different size; 4x8: four "
        "nodes of 8;\n"
        "                   cyclic:4x8: ranks are dealt to them in turn, not node by node\n"
        "  --machine=FILE   the description, or the name of one that is installed\n"
        "  --counts=FILE    instead of --block: a line per rank with the bytes for each rank\n"
        "  --distribution=D sizes up to --block, as in shunt bench: uniform, power-law, ...\n"
        "  --seed=N         of the random sizes (default 1)\n"
        "  --algorithm=LIST these and native alone, such as parlogna:radix=2,8,scattered\n"
        "  --objective=WORD time, energy or memory: what is to be least (default time)\n"
        "  --energy-at-most=JOULES\n"
        "                   the choice needs no more; takes kJ, mJ, uJ and nJ\n"
        "  --memory-at-most=SIZE\n"
        "                   the choice needs no more scratch memory on any rank\n"
        "  --all            all settings of each algorithm, not only its best\n"
        "  --sweep=radix    one algorithm over its radix instead\n"
        "  --curves         algorithms over the number of ranks instead\n"
        "  --html=FILE      a page with drawings of the grid, the sweep or the curves as well\n"
        "  --csv            for programs and spreadsheets\n"
        "  -j, --json       for programs; predict.schema.json describes the form\n",
    .run = run,
};
