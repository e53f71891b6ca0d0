import { Meter } from '../meter/meter.ts'
import type { Job } from '../model/job.ts'
import { readCommandWords } from '../sensors/procfs/cmdline.ts'
import { backgroundSystem } from '../system/background-system.ts'
import type { Clock, System } from '../system/system.ts'

/** A piece of work in this program, and how many others it shared the program with. */
export interface SharedTime {
  /** How many others were under way at any moment of it. */
  readonly others: number
  end(): void
}

/**
 * The program that we are part of, or another one that has us watch it. One timer serves all jobs that are tracked in it, whichever monitor they belong to; and
 * as nobody can tell apart what a process did for one and for the other, it knows which of them overlapped.
 */
export class ThisProgram {
  readonly system: System
  readonly meter: Meter
  readonly pid: number
  readonly #underWay = new Set<{ others: number }>()
  #isLeft = false

  constructor(pid: number) {
    const system = backgroundSystem()
    this.system = { ...system, clock: { ...system.clock, wallSeconds: distinct(system.clock) } }
    this.meter = new Meter(this.system)
    this.pid = pid
  }

  /** Whether it is the one that we are part of. */
  get isOurs(): boolean {
    return this.pid === this.system.processes.self
  }

  /** What records say of another program. */
  get command(): Partial<Job> {
    if (this.isOurs) return {}
    const directory = this.system.files.readLink(`/proc/${this.pid}/cwd`)
    return {
      command: readCommandWords(this.system.files, this.pid) ?? [],
      workingDirectory: directory.kind === 'ok' ? directory.value : '',
    }
  }

  shareTime(): SharedTime {
    const underWay = this.#underWay
    for (const other of underWay) other.others += 1
    const end = (): void => {
      underWay.delete(own)
      if (this.#isLeft) this.leave()
    }
    const own = { others: underWay.size, end }
    underWay.add(own)
    return own
  }

  /** It has ended: what is held open to watch it is given back, once the last job that is tracked in it is over. */
  leave(): void {
    this.#isLeft = true
    if (this.#underWay.size === 0) this.meter.close()
  }
}

const microsecond = 1e-6
/** The clock counts in these. */
const millisecond = 1e-3

/** The time, but never the same twice: jobs that start in one millisecond are listed in their order too. */
function distinct(clock: Clock): () => number {
  let last = 0
  return () => {
    const now = clock.wallSeconds()
    last = now <= last && last - now < millisecond ? last + microsecond : now
    return last
  }
}

interface KnownProgram {
  readonly program: ThisProgram
  /** undefined where /proc does not show it, such as that of another namespace. */
  readonly startTicks: number | undefined
}

/** The programs that jobs are tracked in. A number that was given to another process is another program. */
export class Programs {
  readonly #known = new Map<number, KnownProgram>()
  readonly #startTicksOf: (pid: number) => number | undefined

  constructor(startTicksOf: (pid: number) => number | undefined) {
    this.#startTicksOf = startTicksOf
  }

  /** Made when the first job of it is tracked. */
  of(pid: number): ThisProgram {
    this.#forgetEnded()
    const known = this.#known.get(pid)
    if (known !== undefined) return known.program
    const program = new ThisProgram(pid)
    this.#known.set(pid, { program, startTicks: this.#startTicksOf(pid) })
    return program
  }

  #forgetEnded(): void {
    for (const [pid, { program, startTicks }] of this.#known) {
      if (this.#startTicksOf(pid) === startTicks) continue
      this.#known.delete(pid)
      program.leave()
    }
  }
}
