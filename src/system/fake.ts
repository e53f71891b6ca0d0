import { failed, ok, unavailable, type Reading } from '../model/reading.ts'
import type {
  Clock,
  Files,
  Host,
  KernelAccount,
  OrphanWatcher,
  Processes,
  System,
} from './system.ts'

/** The content of a made-up file: fixed, or asked for at each read. `undefined` means it is gone. */
export type FakeContent = string | Uint8Array | (() => string | Uint8Array | undefined)

export interface FakeMachine {
  readonly files?: Record<string, FakeContent>
  readonly host?: Partial<Host>
  readonly wallSeconds?: number
}

export interface FakeSystem extends System {
  /** The files, open to change while a test runs. */
  readonly tree: Map<string, FakeContent>
  /** Directories that are there though nothing is in them. */
  readonly directories: Set<string>
  readonly written: { path: string; text: string }[]
  readonly signals: { pid: number; signal: NodeJS.Signals }[]
  /** Moves both clocks on and runs what came due, in order. */
  advance(seconds: number): void
  /** Moves both clocks on while we are kept from running: nothing that comes due is done. */
  stall(seconds: number): void
  /** Sets the wall clock, as an administrator or NTP does. */
  stepWallClock(seconds: number): void
  /** Has an adopted descendant end. */
  endOrphan(pid: number, account: KernelAccount): void
}

/** A machine made of a map: every file, clock tick and signal is the test's own. */
export function fakeSystem(machine: FakeMachine = {}): FakeSystem {
  const tree = new Map(Object.entries(machine.files ?? {}))
  const directories = new Set<string>()
  const written: { path: string; text: string }[] = []
  const signals: { pid: number; signal: NodeJS.Signals }[] = []
  const clock = fakeClock(machine.wallSeconds ?? 1_700_000_000)
  let orphanWatcher: OrphanWatcher | undefined
  let ids = 0
  return {
    tree,
    directories,
    written,
    signals,
    clock: clock.clock,
    advance: clock.advance,
    stall: clock.stall,
    stepWallClock: clock.stepWallClock,
    files: fakeFiles(tree, directories, written),
    processes: fakeProcesses(signals, (watcher) => (orphanWatcher = watcher)),
    output: { write: () => true, isTerminal: () => false },
    toolOutput: ([tool]) => Promise.resolve(unavailable(`a fake machine has no ${tool}`)),
    nvml: { isLikely: () => false, open: () => Promise.resolve(unavailable('a fake machine')) },
    randomId: () => `${++ids}`.padStart(32, '0'),
    host: { ...plainHost, ...machine.host },
    endOrphan(pid, account) {
      orphanWatcher?.ended(pid)
      orphanWatcher?.reaped(pid, account)
    },
  }
}

const plainHost: Host = {
  name: 'node01',
  kernel: '6.1.0',
  homeDirectory: '/home/ada',
  accountHomeDirectory: '/home/ada',
  user: 'ada',
  bootId: '00000000-0000-4000-8000-000000000000',
  cores: 8,
  onlineCores: 8,
  ticksPerSecond: 100,
  pageBytes: 4096,
  keptDescriptors: 256,
}

const runsNothing = {
  kind: 'not-started',
  errorCode: 'ENOSYS',
  message: 'a fake machine runs nothing',
} as const

function fakeProcesses(
  signals: { pid: number; signal: NodeJS.Signals }[],
  setOrphanWatcher: (watcher: OrphanWatcher) => void,
): Processes {
  return {
    self: 1,
    launcher: 'posix_spawn',
    launcherLoss: null,
    adoptsOrphans: true,
    spawnsIntoCgroups: false,
    spawn: () => runsNothing,
    spawnAside: (_request, _watcher, told) => told(runsNothing),
    startedEver: 0,
    hasStarted: () => false,
    exit(code) {
      throw new Error(`a fake machine does not end (exit ${code})`)
    },
    onOrphan: setOrphanWatcher,
    signal(pid, signal) {
      signals.push({ pid, signal })
      return true
    },
    exists: () => false,
    ownCpuSeconds: () => 0,
    ownThreadCpuSeconds: () => 0,
    ownPeakBytes: () => 0,
    onSignal: () => () => {},
  }
}

function fakeClock(wallStart: number) {
  let wall = wallStart
  let monotonic = 0
  const due: { at: number; callback: () => void }[] = []
  const clock: Clock = {
    wallSeconds: () => wall,
    monotonicSeconds: () => monotonic,
    after(seconds, callback) {
      const entry = { at: monotonic + seconds, callback }
      due.push(entry)
      return () => {
        const index = due.indexOf(entry)
        if (index >= 0) due.splice(index, 1)
      }
    },
  }
  return {
    clock,
    stepWallClock(seconds: number) {
      wall += seconds
    },
    stall(seconds: number) {
      wall += seconds
      monotonic += seconds
    },
    advance(seconds: number) {
      const target = monotonic + seconds
      for (;;) {
        const next = due.toSorted((a, b) => a.at - b.at)[0]
        if (next === undefined || next.at > target) break
        due.splice(due.indexOf(next), 1)
        wall += next.at - monotonic
        monotonic = next.at
        next.callback()
      }
      wall += target - monotonic
      monotonic = target
    },
  }
}

function fakeFiles(
  tree: Map<string, FakeContent>,
  directories: Set<string>,
  written: { path: string; text: string }[],
): Files {
  const descriptors = new Map<number, FakeContent>()
  let nextDescriptor = 100
  const encoder = new TextEncoder()
  const content = (of: FakeContent | undefined): string | Uint8Array | undefined =>
    typeof of === 'function' ? of() : of
  const missing = (path: string): Reading<never> => unavailable(`${path} is not there`)
  const list = (path: string): Reading<readonly string[]> => {
    const prefix = path.endsWith('/') ? path : `${path}/`
    const names = new Set<string>()
    const nameBelow = (file: string) => file.slice(prefix.length).split('/')[0] ?? ''
    for (const [file, of] of tree)
      if (file.startsWith(prefix) && content(of) !== undefined) names.add(nameBelow(file))
    for (const directory of directories)
      if (directory.startsWith(prefix)) names.add(nameBelow(directory))
    return names.size === 0 && !directories.has(path) ? missing(path) : ok([...names])
  }
  const readFrom: Files['readFrom'] = (descriptor, offset, into) => {
    const found = content(descriptors.get(descriptor))
    if (found === undefined) return -1
    const bytes = typeof found === 'string' ? encoder.encode(found) : found
    const part = bytes.subarray(offset, offset + into.length)
    into.set(part)
    return part.length
  }
  const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'))
  return {
    tryLock: () => 'unavailable',
    readLink(path) {
      const found = content(tree.get(path))
      return found === undefined ? missing(path) : ok(found.toString())
    },
    readUtf8(path) {
      const found = content(tree.get(path))
      if (found === undefined) return missing(path)
      return ok(typeof found === 'string' ? found : new TextDecoder().decode(found))
    },
    readText(path) {
      const found = content(tree.get(path))
      return found === undefined ? missing(path) : ok(Buffer.from(found).toString('latin1'))
    },
    list,
    open(path) {
      const of = tree.get(path)
      if (of === undefined || content(of) === undefined) return -1
      descriptors.set(nextDescriptor, of)
      return nextDescriptor++
    },
    openLog(path) {
      return this.open(path)
    },
    read: (descriptor, into) => readFrom(descriptor, 0, into),
    readFrom,
    close(descriptor) {
      descriptors.delete(descriptor)
    },
    write(path, text) {
      if (!tree.has(path)) return missing(path)
      written.push({ path, text })
      return ok(true)
    },
    writeEach(path, texts) {
      if (tree.has(path)) for (const text of texts) written.push({ path, text })
    },
    save(path, parts) {
      const text = Buffer.concat(parts).toString('utf8')
      tree.set(path, text)
      written.push({ path, text })
      return ok(true)
    },
    saveAnew(path, parts, kind) {
      return this.save(path, parts, kind)
    },
    readPackage: (name) => missing(name),
    isWritable: (path) => tree.has(path),
    foreignLinkTo: () => undefined,
    directoryId: (path) => path,
    makeDirectories: () => ok(true),
    isMissing: (path) => !tree.has(path) && list(path).kind !== 'ok',
    fingerprint: (path) => missing(path),
    makeDirectory(path) {
      if (list(path).kind === 'ok') return failed(`${path}: EEXIST`)
      if (list(parentOf(path)).kind !== 'ok') return missing(path)
      directories.add(path)
      return ok(true)
    },
    removeDirectory(path) {
      const names = list(path)
      if (names.kind !== 'ok') return names
      if (names.value.length > 0) return failed(`${path}: ENOTEMPTY`)
      directories.delete(path)
      return ok(true)
    },
  }
}
