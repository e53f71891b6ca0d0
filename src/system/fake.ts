import { unavailable } from '../model/reading.ts'
import { fakeClock } from './fake-clock.ts'
import { fakeFiles, type FakeContent } from './fake-files.ts'
import type { Host, KernelAccount, OrphanWatcher, Processes, System } from './system.ts'

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
    expectManyJobs: () => {},
    startHelper: () => Promise.resolve(unavailable('a fake machine')),
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
  mostDescriptors: 1024,
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
    brandOf: () => null,
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
