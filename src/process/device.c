/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * device.c: telling device memory from host memory, without linking any GPU runtime.
 *
 * Host copies of device pointers crash, so when a runtime with a device is there on any rank, each
 * call agrees on whether a device pointer takes part. A loaded library alone is no device: MPI
 * libraries and hwloc load runtimes wherever they run. None is loaded or initialised here, for a
 * program may choose its devices before it does so; what has not been initialised tells nothing of
 * devices, and then the files count that the kernel has for them.
 */
#include "process/device.h"

#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Signature and numbers shared by the CUDA driver (cuPointerGetAttribute) and HIP
 * (hipPointerGetAttribute). */
typedef int (*pointer_attribute_fn)(void *data, int attribute, unsigned long long pointer);
enum { ATTRIBUTE_MEMORY_TYPE = 2 };

static const char windows_device[] = "/dev/dxg"; /* of every vendor, for Linux inside Windows */

static bool is_file(const char *path)
{
    return access(path, F_OK) == 0;
}

/* The first two are of cards, the others of systems on a chip. */
static bool nvidia_files(void)
{
    return is_file("/dev/nvidiactl") || is_file("/dev/nvidia0") || is_file("/dev/nvgpu") ||
           is_file("/dev/nvhost-ctrl-gpu") || is_file("/dev/nvhost-gpu") || is_file("/dev/nvmap") ||
           is_file(windows_device);
}

static bool cuda_devices(void *handle)
{
    enum { STUB_LIBRARY = 34, NO_DEVICE = 100 };
    int (*get_count)(int *) = NULL, count = 0;
    *(void **)&get_count = dlsym(handle, "cuDeviceGetCount");
    const int status = get_count ? get_count(&count) : 0;
    if (!get_count)
        return true;
    if (status == 0)
        return count > 0;
    return status != STUB_LIBRARY && status != NO_DEVICE && nvidia_files();
}

static bool hip_devices(void *handle)
{
    (void)handle; /* whatever it is asked, it initialises itself */
    return is_file("/dev/kfd") || is_file(windows_device);
}

/* Whether a card for rendering is Intel's, or may be. */
static bool is_intel(const char *card)
{
    char path[128];
    unsigned vendor = 0;
    snprintf(path, sizeof path, "/sys/class/drm/%s/device/vendor", strrchr(card, '/') + 1);
    FILE *file = fopen(path, "re");
    const bool known = file && fscanf(file, "%x", &vendor) == 1;
    if (file)
        fclose(file);
    return !known || vendor == 0x8086;
}

static bool intel_files(void)
{
    glob_t cards = {0};
    bool found = is_file(windows_device);
    if (glob("/dev/dri/renderD*", 0, NULL, &cards) == 0)
        for (size_t i = 0; i < cards.gl_pathc; i++)
            found = found || is_intel(cards.gl_pathv[i]);
    globfree(&cards);
    return found;
}

static bool level_zero_devices(void *handle)
{
    enum { MOST_DRIVERS = 16 };
    int (*get_drivers)(uint32_t *, void **) = NULL;
    int (*get_devices)(void *, uint32_t *, void **) = NULL;
    void *driver[MOST_DRIVERS];
    uint32_t drivers = MOST_DRIVERS;
    *(void **)&get_drivers = dlsym(handle, "zeDriverGet");
    *(void **)&get_devices = dlsym(handle, "zeDeviceGet");
    if (!get_drivers || !get_devices)
        return true;
    if (get_drivers(&drivers, driver) != 0)
        return intel_files();
    for (uint32_t i = 0; i < drivers && i < MOST_DRIVERS; i++) {
        uint32_t devices = 0;
        if (get_devices(driver[i], &devices, NULL) != 0 || devices > 0)
            return true;
    }
    return false;
}

static const struct {
    const char *soname;
    bool (*devices)(void *handle); /* whether there may be any */
    const char *symbol;
    unsigned host; /* the memory type that means host memory */
    const char *reason;
} runtimes[] = {
    {"libcuda.so.1", cuda_devices, "cuPointerGetAttribute", 1, "device memory (CUDA)"},
    {"libamdhip64.so.7", hip_devices, "hipPointerGetAttribute", 1, "device memory (HIP)"},
    {"libamdhip64.so.6", hip_devices, "hipPointerGetAttribute", 1, "device memory (HIP)"},
    {"libamdhip64.so.5", hip_devices, "hipPointerGetAttribute", 0, /* renumbered in ROCm 6 */
     "device memory (HIP)"},
    {"libze_loader.so.1", level_zero_devices, NULL, 0, /* only with the program's context */
     "device memory cannot be told from the host's (Level Zero)"},
};
enum { RUNTIMES = sizeof runtimes / sizeof runtimes[0] };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Under the lock: the objects that had been loaded at the last look, the runtimes among them, and
 * those that have been asked for devices. */
static unsigned long long seen;
static bool loaded[RUNTIMES], asked[RUNTIMES];
/* What came of that. */
static _Atomic(pointer_attribute_fn) ask[RUNTIMES];
static _Atomic int found = SHUNT_DEVICE_NONE;
static _Atomic(const char *) reason;

/* Files may carry more of the version than the name under which they are loaded: libcuda.so.1 may
 * be libcuda.so.1.1. */
static bool is_soname(const char *file, const char *soname)
{
    const size_t length = strlen(soname);
    return strncmp(file, soname, length) == 0 && (file[length] == '\0' || file[length] == '.');
}

/* The runtimes among the objects of the process. Asking the dynamic linker for each by name makes
 * it search its folders: far dearer. */
static int visit_object(struct dl_phdr_info *info, size_t size, void *data)
{
    const char *name = info->dlpi_name ? info->dlpi_name : "", *slash = strrchr(name, '/');
    bool *first = data;
    (void)size;
    if (*first && seen == info->dlpi_adds)
        return 1;
    *first = false;
    seen = info->dlpi_adds;
    for (size_t i = 0; i < RUNTIMES; i++)
        loaded[i] = loaded[i] || is_soname(slash ? slash + 1 : name, runtimes[i].soname);
    return 0;
}

static void ask_runtime(size_t i)
{
    void *handle = dlopen(runtimes[i].soname, RTLD_NOLOAD | RTLD_LAZY);
    pointer_attribute_fn function = NULL;
    if (handle && !runtimes[i].devices(handle)) {
        dlclose(handle);
        return;
    }
    if (handle && runtimes[i].symbol)
        *(void **)&function = dlsym(handle, runtimes[i].symbol);
    atomic_store(&ask[i], function);
    if (!atomic_load(&reason) || !function)
        atomic_store(&reason, runtimes[i].reason);
    if (atomic_load(&found) < (function ? SHUNT_DEVICE_TOLD : SHUNT_DEVICE_OPAQUE))
        atomic_store(&found, function ? SHUNT_DEVICE_TOLD : SHUNT_DEVICE_OPAQUE);
    /* The handle is kept: the runtime must not be unloaded while its function may be called. */
}

atomic_bool shunt_device_possible;
static pthread_once_t looked = PTHREAD_ONCE_INIT;

static void look_for_files(void)
{
    atomic_store(&shunt_device_possible, nvidia_files() || is_file("/dev/kfd") || intel_files());
}

enum shunt_device shunt_device_runtime(void)
{
    bool first = true;
    pthread_once(&looked, look_for_files);
    pthread_mutex_lock(&lock);
    dl_iterate_phdr(visit_object, &first);
    for (size_t i = 0; i < RUNTIMES; i++) {
        if (loaded[i] && !asked[i])
            ask_runtime(i);
        asked[i] = loaded[i];
    }
    pthread_mutex_unlock(&lock);
    return (enum shunt_device)atomic_load(&found);
}

const char *shunt_device_reason(void)
{
    const char *mine = atomic_load(&reason);
    return mine ? mine : "device memory on another rank";
}

bool shunt_device_pointer(const void *pointer)
{
    if (!pointer)
        return false;
    for (size_t i = 0; i < RUNTIMES; i++) {
        const pointer_attribute_fn function = atomic_load_explicit(&ask[i], memory_order_relaxed);
        unsigned type = 0;
        /* An error: memory that the runtime does not know is the host's. */
        if (function &&
            function(&type, ATTRIBUTE_MEMORY_TYPE, (unsigned long long)(uintptr_t)pointer) == 0 &&
            type != runtimes[i].host)
            return true;
    }
    return false;
}
