import { existsSync } from 'node:fs'
import { failed, ok, unavailable, type Reading } from '../model/reading.ts'
import { exactBytes } from './exact-text.ts'
import { loadPackage } from './load-package.ts'

/** Text that is UTF-8, or bytes that end with a zero. */
export type CString = string | Buffer

/** koffi would write U+FFFD for what is not UTF-8, and puts no zero behind bytes. */
export function cString(text: string): CString {
  return text.isWellFormed() ? text : Buffer.concat([exactBytes(text), Buffer.alloc(1)])
}

export type SpawnArguments = [
  pid: Buffer,
  file: CString,
  actions: Buffer,
  attributes: Buffer,
  argv: readonly (CString | null)[],
  envp: readonly (CString | null)[],
]

/** The libc calls jobmeter makes. Pointers are Buffers: koffi passes those at 0.1 µs a call, structs cost more. */
export interface Libc {
  posix_spawnp(...call: SpawnArguments): number
  /** The same on another thread. Everything that it points to must stay as it is until `done` is called with the answer. */
  posix_spawnp_aside(call: SpawnArguments, done: (errno: number) => void): void
  posix_spawn_file_actions_init(actions: Buffer): number
  posix_spawn_file_actions_adddup2(actions: Buffer, from: number, to: number): number
  posix_spawn_file_actions_addopen(
    actions: Buffer,
    descriptor: number,
    path: CString,
    flags: number,
    mode: number,
  ): number
  posix_spawn_file_actions_addchdir_np(actions: Buffer, path: CString): number
  posix_spawn_file_actions_destroy(actions: Buffer): number
  posix_spawnattr_init(attributes: Buffer): number
  posix_spawnattr_setflags(attributes: Buffer, flags: number): number
  posix_spawnattr_setsigdefault(attributes: Buffer, signals: Buffer): number
  posix_spawnattr_setpgroup(attributes: Buffer, group: number): number
  posix_spawnattr_destroy(attributes: Buffer): number
  waitid(idType: number, id: number, info: Buffer, options: number): number
  wait4(pid: number, status: Buffer, options: number, usage: Buffer): number
  getrusage(who: number, usage: Buffer): number
  prctl(option: number, a: number, b: number, c: number, d: number): number
  sysconf(name: number): number
  open(path: CString, flags: number): number
  pread(descriptor: number, into: Uint8Array, size: number, offset: number): number
  close(descriptor: number): number
  readlink(path: string, into: Buffer, size: number): number
  flock(descriptor: number, operation: number): number
  fcntl(descriptor: number, command: number, argument: number): number
  linkat(fromFolder: number, from: string, toFolder: number, to: CString, flags: number): number
  socket(domain: number, type: number, protocol: number): number
  send(descriptor: number, bytes: Uint8Array, size: number, flags: number): number
  recv(descriptor: number, into: Uint8Array, size: number, flags: number): number
  connect(descriptor: number, address: Uint8Array, size: number): number
  getsockopt(
    descriptor: number,
    level: number,
    name: number,
    into: Uint8Array,
    size: Uint8Array,
  ): number
  setsockopt(
    descriptor: number,
    level: number,
    name: number,
    value: Uint8Array,
    size: number,
  ): number
  prlimit(pid: number, resource: number, limit: Buffer | null, before: Buffer | null): number
  clock_gettime(clock: number, into: Buffer): number
  _exit(code: number): void
  /** Why the last call failed; to be asked at once. */
  errno(): number
  /** Changes settings of V8, the engine that runs us; undefined where Node does not export this. */
  bindSetEngineFlags(): ((flags: string) => void) | undefined
  /** Has a child be born in a cgroup; glibc has it since 2.39, and undefined says that this libc has not. */
  bindSetCgroup(): ((attributes: Buffer, directory: number) => number) | undefined
}

/** What a single command does not need: each takes 20 µs to bind, and is bound when it is first called. */
const rarePrototypes = {
  posix_spawn_file_actions_addopen:
    'int posix_spawn_file_actions_addopen(void *actions, int fd, const char *path, int flags, unsigned int mode)',
  clock_gettime: 'int clock_gettime(int clock, void *into)',
  prlimit: 'int prlimit(int pid, int resource, const void *limit, void *before)',
  fcntl: 'int fcntl(int fd, int command, long argument)',
  linkat: 'int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)',
  socket: 'int socket(int domain, int type, int protocol)',
  send: 'long send(int fd, const void *bytes, unsigned long size, int flags)',
  recv: 'long recv(int fd, void *into, unsigned long size, int flags)',
  connect: 'int connect(int fd, const void *address, unsigned int size)',
  getsockopt: 'int getsockopt(int fd, int level, int name, void *into, void *size)',
  setsockopt: 'int setsockopt(int fd, int level, int name, const void *value, unsigned int size)',
}

type Asked =
  | 'bindSetCgroup'
  | 'bindSetEngineFlags'
  | 'errno'
  | 'posix_spawnp_aside'
  | keyof typeof rarePrototypes

const prototypes: Readonly<Record<Exclude<keyof Libc, Asked>, string>> = {
  posix_spawnp:
    'int posix_spawnp(void *pid, const char *file, void *actions, void *attributes, const char **argv, const char **envp)',
  posix_spawn_file_actions_init: 'int posix_spawn_file_actions_init(void *actions)',
  posix_spawn_file_actions_adddup2:
    'int posix_spawn_file_actions_adddup2(void *actions, int from, int to)',
  posix_spawn_file_actions_addchdir_np:
    'int posix_spawn_file_actions_addchdir_np(void *actions, const char *path)',
  posix_spawn_file_actions_destroy: 'int posix_spawn_file_actions_destroy(void *actions)',
  posix_spawnattr_init: 'int posix_spawnattr_init(void *attributes)',
  posix_spawnattr_setflags: 'int posix_spawnattr_setflags(void *attributes, short flags)',
  posix_spawnattr_setsigdefault:
    'int posix_spawnattr_setsigdefault(void *attributes, void *signals)',
  posix_spawnattr_setpgroup: 'int posix_spawnattr_setpgroup(void *attributes, int group)',
  posix_spawnattr_destroy: 'int posix_spawnattr_destroy(void *attributes)',
  waitid: 'int waitid(int type, unsigned int id, void *info, int options)',
  wait4: 'int wait4(int pid, void *status, int options, void *usage)',
  getrusage: 'int getrusage(int who, void *usage)',
  prctl:
    'int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)',
  sysconf: 'long sysconf(int name)',
  open: 'int open(const char *path, int flags)',
  pread: 'long pread(int fd, void *into, unsigned long size, long offset)',
  close: 'int close(int fd)',
  readlink: 'long readlink(const char *path, void *into, unsigned long size)',
  flock: 'int flock(int fd, int operation)',
  _exit: 'void _exit(int code)',
}

export interface Koffi {
  errno(): number
  /** null: what this process has loaded already, Node itself included. */
  load(path: string | null): Library
}

export interface Library {
  func(prototype: string): Bound
}

export interface Bound {
  (...args: unknown[]): unknown
  /** Calls on a thread of Node's pool; the last argument is called back. */
  async(...args: unknown[]): void
}

/** Binds libc, or says why it cannot be had; everything then goes on without it, with less. */
export function loadLibc(): Reading<Libc> {
  const koffi = loadKoffi()
  if (koffi.kind !== 'ok') return koffi
  try {
    const library = koffi.value.load('libc.so.6')
    const bound = Object.entries(prototypes).map(
      ([name, prototype]) => [name, library.func(prototype)] as const,
    )
    const spawn = bound.find(([name]) => name === 'posix_spawnp')?.[1]
    const entries = [
      ...bound,
      ...Object.entries(rarePrototypes).map(([name, prototype]) => {
        let asked: Bound | undefined
        return [name, (...args: unknown[]) => (asked ??= library.func(prototype))(...args)]
      }),
    ]
    return ok({
      ...(Object.fromEntries(entries) as Libc),
      errno: koffi.value.errno,
      posix_spawnp_aside: (call, done) =>
        spawn?.async(...call, (_: unknown, errno: number) => done(errno)),
      bindSetCgroup: () => bindIfThere(library, setCgroup) as ReturnType<Libc['bindSetCgroup']>,
      bindSetEngineFlags: () =>
        bindIfThere(koffi.value.load(null), setEngineFlags) as ReturnType<
          Libc['bindSetEngineFlags']
        >,
    })
  } catch (error) {
    return failed(`libc could not be bound: ${String(error)}`)
  }
}

const setCgroup = 'int posix_spawnattr_setcgroup_np(void *attributes, int cgroup)'
/** `v8::V8::SetFlagsFromString(const char*)`, which V8 offers to every program that it is part of. */
const setEngineFlags = 'void _ZN2v82V818SetFlagsFromStringEPKc(const char *flags)'

function bindIfThere(library: Library, prototype: string): unknown {
  try {
    return library.func(prototype)
  } catch {
    return undefined
  }
}

/**
 * koffi's own entry point takes 9 ms to import, its platform package 3 ms, and opening the binary where packages
 * usually are 1 ms: `jobmeter run -- true` may cost 13 ms in all, so the shortest way is tried first. It fails on
 * musl and where packages are laid out otherwise.
 */
export function loadKoffi(): Reading<Koffi> {
  if (process.env['JOBMETER_NO_FFI']) return unavailable('JOBMETER_NO_FFI is set')
  const platform = `@koromix/koffi-linux-${process.arch}`
  const ways: readonly (() => unknown)[] = [
    () => openBinary(platform),
    () => loadPackage(platform),
    () => loadPackage('koffi'),
  ]
  let lastError: unknown
  for (const load of ways) {
    try {
      return ok(load() as Koffi)
    } catch (error) {
      lastError = error
    }
  }
  const code = (lastError as { code?: unknown } | undefined)?.code
  return code === 'MODULE_NOT_FOUND'
    ? unavailable('the optional package koffi is not installed')
    : failed(`koffi could not be loaded: ${String(lastError)}`)
}

/** Looks upwards from here, as Node does, but only for this one file. */
function openBinary(platform: string): unknown {
  const file = `/node_modules/${platform}/linux_${process.arch}/koffi.node`
  let folder = import.meta.dirname
  while (!existsSync(folder + file)) {
    if (folder === '') throw new Error(`${file} is not there`)
    folder = folder.slice(0, folder.lastIndexOf('/'))
  }
  const module = { exports: {} }
  process.dlopen(module, folder + file)
  return module.exports
}
