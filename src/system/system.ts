import type { TryLock } from '../model/file-lock.ts'
import type { Reading } from '../model/reading.ts'
import type { Nvml } from './nvml.ts'

/** Everything jobmeter asks of the operating system. `real.ts` is the machine, `fake.ts` a made-up one. */
export interface System {
  readonly clock: Clock
  readonly files: Files
  readonly processes: Processes
  readonly output: Output
  readonly host: Host
  readonly nvml: NvmlDoor
  /** What a tool of the system prints; `unavailable` where there is none of that name in the usual folders. */
  toolOutput(
    command: readonly [tool: string, ...args: string[]],
    place?: ToolPlace,
  ): Promise<Reading<string>>
  /** Starts a program of ours in a process of its own: its path below the sources, without its ending. */
  startHelper(program: string): Promise<Reading<HelperLine>>
  /** 32 hexadecimal digits that no one else has. */
  randomId(): string
  /** All that is to run is loaded, and it is to run for thousands of jobs. Has no effect in a process that is not ours. */
  expectManyJobs(): void
}

/** Where a tool is, and what it needs to know, where that is not the usual. */
export interface ToolPlace {
  /** Looked into before the usual folders. */
  readonly folder?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** The way to NVIDIA's management library. */
export interface NvmlDoor {
  /** Whether there is a driver that could be asked: one cheap look at a device file. */
  isLikely(): boolean
  /** Loads and starts the library, on another thread; `unavailable` says what is missing. */
  open(): Promise<Reading<Nvml>>
}

/** The way to a process of ours that does what may never return. One request at a time. */
export interface HelperLine {
  /** Without waiting; false where it has ended. The request comes with its head (`framed` in `helper-end.ts`). */
  send(request: Buffer): boolean
  /** The next answer, waited for at most so long; it holds until the next call. */
  receive(waitSeconds: number): Buffer | 'none yet' | 'ended'
  /** It then ends by itself, when it is not held up. */
  close(): void
  /** Does not wait for it to be gone: it may hang where not even a kill reaches it. */
  kill(): void
}

export interface Clock {
  /** Seconds since 1970; may step when the clock is set. */
  wallSeconds(): number
  /** Seconds from an arbitrary start; never steps. */
  monotonicSeconds(): number
  /** Seconds since the machine was started, those counted in which it slept: what start times of processes count in. */
  bootSeconds(): number
  /** Calls back once after so many seconds; the answer cancels it. */
  after(seconds: number, callback: () => void): () => void
}

export interface Files {
  /** The whole file. A file that is not there or not ours to read is `unavailable`. */
  readText(path: string): Reading<string>
  /**
   * The whole file as people write them; `readText` takes each byte for a character, as the kernel's files want. One of more
   * than so many bytes is refused, and not read.
   */
  readUtf8(path: string, mostBytes: number, kind?: FileKind): Reading<string>
  /** The names in a directory. */
  list(path: string): Reading<readonly string[]>
  /** What the kernel gives as the size of a directory: of `/proc/PID/fd`, since Linux 6.2, how many files are open. NaN for none. */
  directorySize(path: string): number
  /** What a symbolic link says. */
  readLink(path: string): Reading<string>
  /**
   * Takes a lock on an open file (`flock`), without waiting. It belongs to the open file, not to the process, and the kernel
   * drops it when the last descriptor of it is closed, however that comes about.
   */
  tryLock: TryLock
  /** A descriptor to keep and read again from the start, or -1. */
  open(path: string): number
  /** The same for a log, whose name others can guess: -1 too for links, pipes and whatever else is no plain file. */
  openLog(path: string): number
  /** How large an open file is now, and whether it still stands under this name; undefined where it cannot be told. */
  lookAt(descriptor: number, path: string): FileLook | undefined
  /** Reads from the start of the file; the number of bytes, or -1 when what it described is gone. */
  read(descriptor: number, into: Uint8Array): number
  /** Reads on from so many bytes into the file; 0 at its end as it is now, -1 where there is nothing to read. */
  readFrom(descriptor: number, offset: number, into: Uint8Array): number
  close(descriptor: number): void
  /** Writes to a kernel file that exists, in one call. */
  write(path: string, text: string): Reading<true>
  /** Writes to it once for each of these; what it does not take is passed over. */
  writeEach(path: string, texts: readonly string[]): void
  /** Makes a file of these parts, one after the other, in place of what was there: all of it or nothing. */
  save(path: string, parts: readonly Uint8Array[], kind: SavedAs): Reading<true>
  /** The same, but never into what was there: a link or a file of others by that name is replaced, not written to. */
  saveAnew(path: string, parts: readonly Uint8Array[], kind: SavedAs): Reading<true>
  /** The main file of a package that jobmeter depends on, or a file of its own by `imports` in package.json. */
  readPackage(name: string): Reading<PackageFile>
  isWritable(path: string): boolean
  /** What we may still write to the disk that a directory is on. */
  freeBytes(directory: string): Reading<number>
  /** What is wrong with the way to what lies in a directory, where links of somebody else are on it; else undefined. */
  foreignLinkTo(directory: string): string | undefined
  /** Tells a directory from every other that was ever there, and from itself with other rights; undefined where there is none. */
  directoryId(path: string): string | undefined
  /** Makes a directory and those above it, as far as they are missing. */
  makeDirectories(path: string): Reading<true>
  /** Whether it is certain that there is nothing at a path: a folder that we may not look into hides what it holds. */
  isMissing(path: string): boolean
  /** Size, time of change and, of plain files up to a megabyte, a hash of the content. */
  fingerprint(path: string): Reading<Fingerprint>
  makeDirectory(path: string): Reading<true>
  removeDirectory(path: string): Reading<true>
  /** Gives what is under a name another one, in place of what has that. */
  rename(path: string, to: string): Reading<true>
  /** Removes what is under this name, and not what a link leads to. */
  removeFile(path: string): Reading<true>
}

export interface FileLook {
  readonly sizeBytes: number
  /** Else another file stands there, or none. */
  readonly isInPlace: boolean
}

/** `plain`: neither a pipe, at which one may wait for ever, nor a device. */
export type FileKind = 'any' | 'plain'

/** For its owner's eyes; a page that others may read where the umask lets them; a file that the user wrote. */
export type SavedAs = 'own' | 'page' | 'source'

/** Our own standard output (1) and standard error (2). */
export interface Output {
  /** Writes all of it; false when nobody reads any more, or standard error cannot be written to. */
  write(descriptor: 1 | 2, text: string | Uint8Array): boolean
  isTerminal(descriptor: 1 | 2): boolean
}

export interface PackageFile {
  readonly bytes: Uint8Array
  /** Of the content: the first 32 hexadecimal digits of its SHA-256. */
  readonly hash: string
}

export interface Fingerprint {
  readonly sizeBytes: number
  readonly modifiedSeconds: number
  readonly hash: string | null
}

export interface Host {
  readonly name: string
  readonly kernel: string
  /** As the environment says. */
  readonly homeDirectory: string
  /** As the user database says, whatever HOME is: `sudo` may keep the one of whoever called it. */
  readonly accountHomeDirectory: string
  readonly user: string
  readonly bootId: string
  /** CPUs this process may run on. */
  readonly cores: number
  /** CPUs the machine has. */
  readonly onlineCores: number
  readonly ticksPerSecond: number
  readonly pageBytes: number
  /** How many descriptors we may have open. */
  readonly mostDescriptors: number
  /** How many of them may be kept open for watching. */
  readonly keptDescriptors: number
}

export interface Processes {
  readonly self: number
  /** Which way children are started, for the record and `doctor`. */
  readonly launcher: 'posix_spawn' | 'child_process'
  /** Why `posix_spawn` could not be had, where it could not. */
  readonly launcherLoss: string | null
  /** Whether descendants that lost their parent come to us to be reaped. */
  readonly adoptsOrphans: boolean
  /** Whether `SpawnRequest.cgroup` can be had. */
  readonly spawnsIntoCgroups: boolean
  spawn(request: SpawnRequest, watcher: ChildWatcher): SpawnResult
  /**
   * Starts it on another thread where that can be had, for a program takes longer to begin than all else takes that is done for a
   * short one. `told` is called before `watcher`, at once or later. Not while this process moves between cgroups: who
   * is started goes with it.
   */
  spawnAside(
    request: SpawnRequest,
    watcher: ChildWatcher,
    told: (result: SpawnResult) => void,
  ): void
  /** How many children were ever started, or are being. */
  readonly startedEver: number
  /** Whether this child of ours was started here, or is being, and has not been reaped yet; else it was adopted. */
  hasStarted(pid: number): boolean
  /**
   * The number that a process was born with, or one that it descends from (`SpawnRequest.isBranded`), as long as it is not
   * reaped; null where it has none that was given here.
   */
  brandOf(pid: number): number | null
  /** Who hears of adopted descendants that end. */
  onOrphan(watcher: OrphanWatcher): void
  /** Calls back for a signal to this process, in place of what it would do by default; the answer undoes that. */
  onSignal(signal: NodeJS.Signals, callback: () => void): () => void
  /** Sends a signal; false when there is no such process. A negative pid names a group. */
  signal(pid: number, signal: NodeJS.Signals): boolean
  /** Whether there is such a process; it may be a zombie. */
  exists(pid: number): boolean
  /** Ends this process at once, without the milliseconds that Node takes to tidy up what the kernel will free anyway. */
  exit(code: number): never
  /** CPU seconds that this process itself has used so far. */
  ownCpuSeconds(): number
  /** The same for the thread that asks. */
  ownThreadCpuSeconds(): number
  /** The most memory this process itself ever had resident. */
  ownPeakBytes(): number
}

export interface SpawnRequest {
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string
  /** `own` makes the child lead a new process group; `shared` leaves it in ours, with our terminal. */
  readonly group: 'own' | 'shared'
  /** A helper of ours, and no job: what is known of orphans does not change with it. */
  readonly isCompanion?: boolean
  /** Whether it is to have a number by which its orphans can be told from those of others, where that can be had. */
  readonly isBranded?: boolean
  /** A directory of cgroup v2 for the child to be born in. */
  readonly cgroup?: string
  /**
   * Files for the standard streams, output added at their end; without them the child has ours. Output that goes to
   * `ownLogs`, whose names anybody can guess, goes through no link.
   */
  readonly stdin?: string
  readonly stdout?: string
  readonly stderr?: string
  readonly ownLogs?: boolean
}

export type SpawnResult = Started | NotStarted

export interface Started {
  readonly kind: 'started'
  readonly pid: number
  readonly logs?: JobLogs
  readonly brand?: number
}

export interface NotStarted {
  readonly kind: 'not-started'
  readonly errorCode: string
  readonly message: string
}

/**
 * The files of `ownLogs` while their job runs. They may not have their names yet: who started the job asks for that if
 * it goes on for a while, and says when it is over.
 */
export interface JobLogs {
  /** From now on others see them, and they outlive us whatever happens. */
  name(): void
  /** Those that are empty, and that nobody has open, go; the others are kept. Answers what could not be. */
  end(): readonly string[]
}

export interface ChildWatcher {
  /** Nobody waits for its end: it does not keep this process alive. */
  readonly isHelper?: true
  /** The child is dead but its /proc entry still stands: the moment to read its final counters. */
  ended?(pid: number): void
  /** The child has been reaped. */
  reaped(end: ChildEnd): void
}

export interface OrphanWatcher {
  ended(pid: number): void
  reaped(pid: number, account: KernelAccount): void
}

export interface ChildEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** The kernel's own account of the child and all descendants that were waited for. */
  readonly account: KernelAccount | null
}

/** What the kernel tells of a process that has been waited for. */
export interface KernelAccount {
  /** `/proc/self/stat` counts in clock ticks and knows neither the largest process (0) nor switches (NaN). */
  readonly source: 'wait4' | '/proc/self/stat'
  readonly userSeconds: number
  readonly systemSeconds: number
  /** Largest single process. At or below the launcher's own size it says nothing: the child began as its copy. */
  readonly largestProcessBytes: number
  readonly minorFaults: number
  readonly majorFaults: number
  readonly voluntarySwitches: number
  readonly involuntarySwitches: number
}
