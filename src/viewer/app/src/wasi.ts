// SPDX-License-Identifier: BSD-3-Clause
// wasi.ts: the part of WASI (preview 1) that a program needs which reads its arguments and some
// files, and writes to stdout and stderr. Nothing of the outside is shown to it: no environment, no
// network, and only the files that it is given, by their full names.
//
// Numbers and structures are those of the specification of wasi_snapshot_preview1.

export type Files = ReadonlyMap<string, Uint8Array>;

export interface Ended {
    status: number;
    out: string;
    err: string;
}

const SUCCESS = 0,
    BAD_FILE = 8,
    INVALID = 28,
    NO_ENTRY = 44,
    NOT_SUPPORTED = 58,
    READ_ONLY = 69;
const KIND_UNKNOWN = 0,
    KIND_FOLDER = 3,
    KIND_FILE = 4;
const CREATE = 1;
const STDOUT = 1,
    STDERR = 2,
    ROOT = 3;
const ENTRY_BYTES = 24;
// What a shell tells of a process that was aborted.
const ABORTED = 134;

class Exit extends Error {
    constructor(readonly status: number) {
        super(`exit ${status}`);
    }
}

interface Open {
    path: string; // without the first slash; "": the root
    bytes: Uint8Array | undefined; // undefined: a folder
    position: number;
}

// The names in a folder, each once, in the order in which the files are given.
function namesIn(files: Files, folder: string): string[] {
    const prefix = folder === "" ? "" : `${folder}/`;
    const names = new Set<string>();
    for (const path of files.keys())
        if (path.startsWith(prefix)) names.add(path.slice(prefix.length).split("/")[0] ?? "");
    return [...names];
}

class Process {
    private memory: WebAssembly.Memory | undefined;
    private readonly written: Uint8Array[][] = [[], [], []];
    private readonly open = new Map<number, Open>();
    private readonly encoder = new TextEncoder();
    private readonly args: Uint8Array[];

    constructor(
        args: readonly string[],
        private readonly files: Files,
    ) {
        this.args = args.map((arg) => this.encoder.encode(`${arg}\0`));
        this.open.set(ROOT, { path: "", bytes: undefined, position: 0 });
    }

    private view(): DataView {
        return new DataView((this.memory as WebAssembly.Memory).buffer);
    }

    private bytes(at: number, length: number): Uint8Array {
        return new Uint8Array((this.memory as WebAssembly.Memory).buffer, at, length);
    }

    private setSize(at: number, value: number): void {
        this.view().setUint32(at, value, true);
    }

    // Calls `take` for each piece of a list of buffers, until it takes less than a whole one.
    private eachPiece(list: number, count: number, take: (piece: Uint8Array) => number): number {
        const view = this.view();
        let all = 0;
        for (let i = 0; i < count; i++) {
            const length = view.getUint32(list + 8 * i + 4, true);
            const taken = take(this.bytes(view.getUint32(list + 8 * i, true), length));
            all += taken;
            if (taken < length) break;
        }
        return all;
    }

    private write(fd: number, list: number, count: number, done: number): number {
        const stream = fd === STDOUT || fd === STDERR ? this.written[fd] : undefined;
        if (!stream) return BAD_FILE;
        const all = this.eachPiece(list, count, (piece) => {
            stream.push(piece.slice());
            return piece.length;
        });
        this.setSize(done, all);
        return SUCCESS;
    }

    private read(fd: number, list: number, count: number, done: number): number {
        const file = this.open.get(fd);
        if (!file?.bytes) return BAD_FILE;
        const { bytes } = file;
        const all = this.eachPiece(list, count, (piece) => {
            const part = bytes.subarray(file.position, file.position + piece.length);
            piece.set(part);
            file.position += part.length;
            return part.length;
        });
        this.setSize(done, all);
        return SUCCESS;
    }

    private seek(fd: number, offset: bigint, whence: number, result: number): number {
        const file = this.open.get(fd);
        if (!file?.bytes) return BAD_FILE;
        const from = whence === 0 ? 0 : whence === 1 ? file.position : file.bytes.length;
        const position = from + Number(offset);
        if (position < 0) return INVALID;
        file.position = position;
        this.view().setBigUint64(result, BigInt(position), true);
        return SUCCESS;
    }

    private pathOf(fd: number, at: number, length: number): string | undefined {
        const folder = this.open.get(fd);
        if (!folder || folder.bytes) return undefined;
        const name = new TextDecoder().decode(this.bytes(at, length));
        const parts = `${folder.path}/${name}`.split("/");
        return parts.filter((part) => part !== "" && part !== ".").join("/");
    }

    private isFolder(path: string): boolean {
        return path === "" || namesIn(this.files, path).length > 0;
    }

    private openPath(
        fd: number,
        at: number,
        length: number,
        flags: number,
        opened: number,
    ): number {
        const path = this.pathOf(fd, at, length);
        if (path === undefined) return BAD_FILE;
        const bytes = this.files.get(path);
        if (!bytes && !this.isFolder(path)) return (flags & CREATE) !== 0 ? READ_ONLY : NO_ENTRY;
        let next = ROOT + 1;
        while (this.open.has(next)) next++;
        this.open.set(next, { path, bytes, position: 0 });
        this.setSize(opened, next);
        return SUCCESS;
    }

    private kindOf(fd: number): number | undefined {
        const file = this.open.get(fd);
        if (file) return file.bytes ? KIND_FILE : KIND_FOLDER;
        return fd <= STDERR ? KIND_UNKNOWN : undefined;
    }

    private status(fd: number, at: number): number {
        const kind = this.kindOf(fd);
        if (kind === undefined) return BAD_FILE;
        this.bytes(at, 24).fill(0);
        this.view().setUint8(at, kind);
        // Every right; the functions here know what they do not do.
        this.view().setBigUint64(at + 8, 0xffffffffn, true);
        this.view().setBigUint64(at + 16, 0xffffffffn, true);
        return SUCCESS;
    }

    private about(kind: number, size: number, at: number): number {
        this.bytes(at, 64).fill(0);
        this.view().setUint8(at + 16, kind);
        this.view().setBigUint64(at + 32, BigInt(size), true);
        return SUCCESS;
    }

    private aboutPath(fd: number, at: number, length: number, result: number): number {
        const path = this.pathOf(fd, at, length);
        if (path === undefined) return BAD_FILE;
        const bytes = this.files.get(path);
        if (bytes) return this.about(KIND_FILE, bytes.length, result);
        return this.isFolder(path) ? this.about(KIND_FOLDER, 0, result) : NO_ENTRY;
    }

    private aboutOpen(fd: number, result: number): number {
        const kind = this.kindOf(fd);
        if (kind === undefined) return BAD_FILE;
        return this.about(kind, this.open.get(fd)?.bytes?.length ?? 0, result);
    }

    // Entries from `cookie` on; one that does not fit is cut, and asked for again.
    private list(fd: number, at: number, room: number, cookie: bigint, used: number): number {
        const folder = this.open.get(fd);
        if (!folder || folder.bytes) return BAD_FILE;
        const entries: number[] = [];
        const names = namesIn(this.files, folder.path);
        for (let i = Number(cookie); i < names.length && entries.length < room; i++) {
            const name = this.encoder.encode(names[i]);
            const entry = new DataView(new ArrayBuffer(ENTRY_BYTES));
            const path = folder.path === "" ? names[i] : `${folder.path}/${names[i]}`;
            entry.setBigUint64(0, BigInt(i + 1), true);
            entry.setBigUint64(8, BigInt(i + 1), true);
            entry.setUint32(16, name.length, true);
            entry.setUint8(20, this.files.has(path as string) ? KIND_FILE : KIND_FOLDER);
            entries.push(...new Uint8Array(entry.buffer), ...name);
        }
        const length = Math.min(entries.length, room);
        this.bytes(at, length).set(entries.slice(0, length));
        this.setSize(used, length);
        return SUCCESS;
    }

    private putArgs(pointers: number, text: number): number {
        for (const arg of this.args) {
            this.setSize(pointers, text);
            this.bytes(text, arg.length).set(arg);
            pointers += 4;
            text += arg.length;
        }
        return SUCCESS;
    }

    private sizes(count: number, length: number, countAt: number, lengthAt: number): number {
        this.setSize(countAt, count);
        this.setSize(lengthAt, length);
        return SUCCESS;
    }

    private clock(result: number): number {
        this.view().setBigUint64(result, BigInt(Math.round(performance.now() * 1e6)), true);
        return SUCCESS;
    }

    private imports(): Record<string, (...values: never[]) => number> {
        const length = this.args.reduce((sum, arg) => sum + arg.length, 0);
        return {
            args_get: (pointers: number, text: number) => this.putArgs(pointers, text),
            args_sizes_get: (count: number, at: number) =>
                this.sizes(this.args.length, length, count, at),
            clock_time_get: (_id: number, _precision: bigint, at: number) => this.clock(at),
            environ_get: () => SUCCESS,
            environ_sizes_get: (count: number, at: number) => this.sizes(0, 0, count, at),
            fd_close: (fd: number) => (this.open.delete(fd) || fd <= STDERR ? SUCCESS : BAD_FILE),
            fd_fdstat_get: (fd: number, at: number) => this.status(fd, at),
            fd_filestat_get: (fd: number, at: number) => this.aboutOpen(fd, at),
            fd_prestat_get: (fd: number, at: number) => {
                if (fd !== ROOT) return BAD_FILE;
                return this.sizes(0, 1, at, at + 4); // a folder, whose name has one letter
            },
            fd_prestat_dir_name: (_fd: number, at: number) => {
                this.view().setUint8(at, "/".charCodeAt(0));
                return SUCCESS;
            },
            fd_read: (fd: number, list: number, count: number, done: number) =>
                this.read(fd, list, count, done),
            fd_readdir: (fd: number, at: number, room: number, cookie: bigint, used: number) =>
                this.list(fd, at, room, cookie, used),
            fd_seek: (fd: number, offset: bigint, whence: number, result: number) =>
                this.seek(fd, offset, whence, result),
            fd_write: (fd: number, list: number, count: number, done: number) =>
                this.write(fd, list, count, done),
            path_filestat_get: (
                fd: number,
                _follow: number,
                at: number,
                size: number,
                result: number,
            ) => this.aboutPath(fd, at, size, result),
            path_open: (
                fd: number,
                _follow: number,
                at: number,
                size: number,
                flags: number,
                _rights: bigint,
                _inherited: bigint,
                _status: number,
                opened: number,
            ) => this.openPath(fd, at, size, flags, opened),
            proc_exit: (status: number) => {
                throw new Exit(status);
            },
        };
    }

    private text(fd: number): string {
        const pieces = this.written[fd] as Uint8Array[];
        const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
        let at = 0;
        for (const piece of pieces) {
            all.set(piece, at);
            at += piece.length;
        }
        return new TextDecoder().decode(all);
    }

    // What the module asks for and this has not got says so when it is called.
    run(module: WebAssembly.Module): Ended {
        const known = this.imports();
        const given: Record<string, (...values: never[]) => number> = {};
        for (const { name } of WebAssembly.Module.imports(module))
            given[name] = known[name] ?? (() => NOT_SUPPORTED);
        const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: given });
        this.memory = instance.exports["memory"] as WebAssembly.Memory;
        let status = 0,
            trap = "";
        try {
            (instance.exports["_start"] as () => void)();
        } catch (reason) {
            if (!(reason instanceof Exit) && !(reason instanceof Error)) throw reason;
            status = reason instanceof Exit ? reason.status : ABORTED;
            trap = reason instanceof Exit ? "" : `shunt: the engine stopped: ${reason.message}\n`;
        }
        return { status, out: this.text(STDOUT), err: this.text(STDERR) + trap };
    }
}

/* Runs a program once, with memory of its own. args[0] is its name. */
export function runProgram(
    module: WebAssembly.Module,
    args: readonly string[],
    files: Files,
): Ended {
    return new Process(args, files).run(module);
}
