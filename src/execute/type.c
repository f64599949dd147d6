/* SPDX-License-Identifier: BSD-3-Clause */
/* type.c: what a datatype is: size, extent, and whether its elements are plain memory. */
#include "base/thread.h"
#include "execute/exchange.h"
#include "process/alone.h"

static struct shunt_type_facts no_types[SHUNT_TYPES_REMEMBERED];
_Thread_local struct shunt_type_facts *shunt_types __attribute__((tls_model("initial-exec"))) =
    no_types;

static void forget_types(void)
{
    shunt_types = no_types;
}

/* Where memory is short, each type is asked about again. */
static void keep(const struct shunt_type_facts *facts)
{
    if (shunt_types == no_types) {
        void *memory = shunt_thread_memory(sizeof no_types, forget_types);
        if (!memory)
            return;
        shunt_types = memory;
    }
    *shunt_type_slot(facts->type) = *facts;
}

static bool named(int combiner)
{
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

/* How a type was made: its combiner, and how many arguments of each kind went into it. */
struct recipe {
    int combiner;
    MPI_Count integers, addresses, counts, types;
};

/* Of a type made by a large-count constructor only the large-count function tells; the other one
 * raises an error on MPI_COMM_WORLD. */
static int find_recipe(MPI_Datatype type, struct recipe *recipe)
{
    *recipe = (struct recipe){.combiner = MPI_COMBINER_NAMED};
    if (shunt_pmpi.Type_get_envelope_c && shunt_pmpi.Type_get_contents_c)
        return shunt_pmpi.Type_get_envelope_c(type, &recipe->integers, &recipe->addresses,
                                              &recipe->counts, &recipe->types, &recipe->combiner);
    int integers = 0, addresses = 0, types = 0;
    const int status =
        shunt_pmpi.Type_get_envelope(type, &integers, &addresses, &types, &recipe->combiner);
    recipe->integers = integers;
    recipe->addresses = addresses;
    recipe->types = types;
    return status;
}

/* The type inside one that was made of one type and at most one number. */
static int take_inside(MPI_Datatype type, const struct recipe *recipe, MPI_Datatype *inside)
{
    int integer[1];
    MPI_Aint address[1];
    MPI_Count count[1];
    if (shunt_pmpi.Type_get_envelope_c && shunt_pmpi.Type_get_contents_c)
        return shunt_pmpi.Type_get_contents_c(type, recipe->integers, recipe->addresses,
                                              recipe->counts, recipe->types, integer, address,
                                              count, inside);
    return shunt_pmpi.Type_get_contents(type, (int)recipe->integers, (int)recipe->addresses,
                                        (int)recipe->types, integer, address, inside);
}

/* Combiner of a type, and for contiguous and duplicated ones the type inside (to be given back if
 * *derived). */
static int look_inside(MPI_Datatype type, int *combiner, MPI_Datatype *inside, bool *derived)
{
    struct recipe recipe, inner;
    int status = find_recipe(type, &recipe);
    *combiner = recipe.combiner;
    *derived = false;
    if (status != MPI_SUCCESS ||
        (*combiner != MPI_COMBINER_CONTIGUOUS && *combiner != MPI_COMBINER_DUP) ||
        recipe.integers > 1 || recipe.counts > 1 || recipe.addresses > 0 || recipe.types != 1)
        return status;
    status = take_inside(type, &recipe, inside);
    if (status != MPI_SUCCESS)
        return status;
    status = find_recipe(*inside, &inner);
    *derived = !named(inner.combiner);
    return status;
}

/* size == extent alone says nothing (hindexed {4,0} swaps its elements): only towers of contiguous
 * and dup over such a named type are plain. */
static int is_plain(MPI_Datatype type, bool *plain)
{
    bool give_back = false;
    *plain = false;
    for (;;) {
        MPI_Datatype inside = MPI_DATATYPE_NULL;
        MPI_Count size = 0;
        MPI_Aint lower = 0, extent = 0;
        int combiner = MPI_COMBINER_NAMED;
        bool derived = false;
        int status = look_inside(type, &combiner, &inside, &derived);
        if (status == MPI_SUCCESS && named(combiner)) {
            status = shunt_pmpi.Type_size_x(type, &size);
            if (status == MPI_SUCCESS)
                status = shunt_pmpi.Type_get_extent(type, &lower, &extent);
            *plain = status == MPI_SUCCESS && lower == 0 && size == extent;
        }
        if (give_back)
            shunt_pmpi.Type_free(&type);
        if (status != MPI_SUCCESS || inside == MPI_DATATYPE_NULL)
            return status;
        type = inside;
        give_back = derived;
    }
}

static int find_facts(MPI_Datatype type, struct shunt_type_facts *facts, bool *predefined)
{
    struct recipe recipe;
    MPI_Count size = 0;
    MPI_Aint lower = 0, extent = 0;
    int status = find_recipe(type, &recipe);
    if (status == MPI_SUCCESS)
        status = shunt_pmpi.Type_size_x(type, &size);
    if (status == MPI_SUCCESS)
        status = shunt_pmpi.Type_get_extent(type, &lower, &extent);
    *facts = (struct shunt_type_facts){
        .known = true, .type = type, .size = (int64_t)size, .extent = (int64_t)extent};
    if (status == MPI_SUCCESS)
        status = is_plain(type, &facts->plain);
    *predefined = named(recipe.combiner);
    return status;
}

/* First look at a type: remembers it if it is predefined, and that it is derived otherwise. */
static void classify(MPI_Datatype type)
{
    struct recipe recipe;
    struct shunt_type_facts fresh;
    bool predefined = false;
    if (find_recipe(type, &recipe) != MPI_SUCCESS)
        return;
    if (!named(recipe.combiner))
        keep(&(struct shunt_type_facts){.known = true, .derived = true, .type = type});
    else if (find_facts(type, &fresh, &predefined) == MPI_SUCCESS && predefined)
        keep(&fresh);
}

int64_t shunt_type_size(MPI_Datatype type)
{
    const struct shunt_type_facts *slot = shunt_type_slot(type);
    if (shunt_type_known(type))
        return slot->size;
    MPI_Count size = -1;
    int status = MPI_ERR_TYPE;
    for (int tries = 0; status != MPI_SUCCESS && tries < 2 && shunt_pmpi_can_be_type(type);
         tries++) /* twice, as in describe */
        status = shunt_pmpi.Type_size_x(type, &size);
    if (status != MPI_SUCCESS)
        return -1;
    if (!slot->known || slot->type != type)
        classify(type);
    return (int64_t)size;
}

/* Facts of a type that is not shunt_types yet, or an error: then it is not valid, or not committed.
 */
static int ask_about(const struct shunt_exchange *x, MPI_Datatype type,
                     struct shunt_type_facts *facts)
{
    bool predefined = false;
    const int status = find_facts(type, facts, &predefined);
    if (status != MPI_SUCCESS)
        return status;
    if (predefined) {
        keep(facts);
        return MPI_SUCCESS;
    }
    /*
     * Packing nothing is how one asks whether a type is committed. Where that is not possible, the
     * call itself will tell.
     */
    char nothing[8];
    int position = 0;
    const bool ours = x->comm->private_comm != MPI_COMM_NULL;
    const MPI_Comm on = ours ? x->comm->private_comm : shunt_alone_begin();
    if (on == MPI_COMM_NULL)
        return MPI_SUCCESS;
    const int packed =
        shunt_pmpi.Pack(nothing, 0, type, nothing, (int)sizeof nothing, &position, on);
    if (!ours)
        shunt_alone_end(on);
    return packed;
}

/*
 * The library is asked twice: what is wrong with a type is so the second time, too. Any other
 * failure must not separate this rank from the others, who cannot be told of it before the exchange
 * that it keeps them waiting for.
 */
static int describe(const struct shunt_exchange *x, struct shunt_side *side)
{
    struct shunt_type_facts fresh;
    const struct shunt_type_facts *facts = shunt_type_known(side->type);
    if (!facts) {
        if (!shunt_pmpi_can_be_type(side->type))
            return MPI_ERR_TYPE;
        if (ask_about(x, side->type, &fresh) != MPI_SUCCESS) {
            const int status = ask_about(x, side->type, &fresh);
            if (status != MPI_SUCCESS)
                return status;
        }
        facts = &fresh;
    }
    side->size = facts->size;
    side->extent = facts->extent;
    side->plain = facts->plain;
    return MPI_SUCCESS;
}

int shunt_exchange_types(struct shunt_exchange *x)
{
    const int status = describe(x, &x->recv);
    if (status != MPI_SUCCESS || x->in_place)
        return status;
    if (x->send.type != x->recv.type)
        return describe(x, &x->send);
    x->send.size = x->recv.size;
    x->send.extent = x->recv.extent;
    x->send.plain = x->recv.plain;
    return MPI_SUCCESS;
}
