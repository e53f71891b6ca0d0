import type { Clock } from '../../src/system/system.ts'
import type {
  Asking,
  AttemptOrder,
  AttemptResult,
  Executor,
  ExecutorListener,
  LeftAttempt,
} from '../../src/workflow/run/executor.ts'
import { emptyUsage } from '../../src/model/usage.ts'

/** How a wire treats what is sent over it. */
export interface Noise {
  /** Each message takes up to so long: what was sent later may come sooner. */
  readonly latestSeconds: number
  /** Of 1: how many get lost, and how many come twice. */
  readonly lost: number
  readonly twice: number
}

/** The same numbers between 0 and 1 for the same seed. */
export function seeded(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const mixed = Math.imul(state ^ (state >>> 15), state | 1)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A wire that delays, repeats, reorders and loses what is sent over it. */
export class Wire {
  /** While it is, nothing gets through. */
  isCut = false
  readonly #clock: Clock
  readonly #random: () => number
  readonly #noise: Noise

  constructor(clock: Clock, random: () => number, noise: Noise) {
    this.#clock = clock
    this.#random = random
    this.#noise = noise
  }

  send(deliver: () => void): void {
    const { latestSeconds, lost, twice } = this.#noise
    const drawn = this.#random()
    const copies = this.isCut || drawn < lost ? 0 : drawn < lost + twice ? 2 : 1
    for (let copy = 0; copy < copies; copy++)
      this.#clock.after(this.#random() * latestSeconds, () => {
        if (!this.isCut) deliver()
      })
  }
}

interface Known {
  requests: number
  hasStarted: boolean
  /** `gone`: nobody knows how it ended, or it was adopted before it had arrived and is not to start any more. */
  result: AttemptResult | 'gone' | null
}

/**
 * A place at a distance that runs attempts, as a queue or a cluster does: it outlives runners, knows every attempt that ever
 * arrived, and tells whoever is connected now, over a wire.
 */
export class RemoteSite implements ExecutorListener {
  readonly wire: Wire
  readonly #inner: Executor
  readonly #known = new Map<string, Known>()
  #runner: ExecutorListener | undefined

  /** `inner`: what runs things there. */
  constructor(inner: Executor, wire: Wire) {
    this.#inner = inner
    this.wire = wire
    inner.tellTo(this)
  }

  /** From now on this one is told; undefined: nobody is there. */
  connect(runner: ExecutorListener | undefined): void {
    this.#runner = runner
  }

  get hasRunner(): boolean {
    return this.#runner !== undefined
  }

  start(order: AttemptOrder): void {
    const { taskId } = order
    if (!this.#known.has(taskId)) {
      this.#remember(taskId, null)
      this.#inner.start(order)
    }
    this.ask(taskId)
  }

  cancel(taskId: string, signal: NodeJS.Signals, request: number): void {
    const known = this.#known.get(taskId) ?? this.#remember(taskId, cancelledBy(signal))
    // A second request means what it does though the first got lost.
    for (; known.requests < request; known.requests++)
      if (known.result === null) this.#inner.cancel(taskId, signal, known.requests + 1)
    this.ask(taskId)
  }

  ask(taskId: string): void {
    const known = this.#known.get(taskId)
    if (known === undefined) this.#tell((runner) => runner.unknown(taskId))
    else this.#tellAll(taskId, known)
  }

  /** One that has not arrived by now never starts. */
  adopt(taskId: string): void {
    if (!this.#known.has(taskId)) this.#remember(taskId, 'gone')
    this.ask(taskId)
  }

  /** Its machine burns down. */
  lose(taskId: string): void {
    const known = this.#known.get(taskId)
    if (known === undefined) return
    this.#inner.cancel(taskId, 'SIGKILL', 1)
    known.result = 'gone'
    this.#tellAll(taskId, known)
  }

  accepted(): void {}

  started(taskId: string): void {
    const known = this.#known.get(taskId)
    if (known === undefined) return
    known.hasStarted = true
    this.#tellAll(taskId, known)
  }

  sampled(): void {}
  devicesSampled(): void {}

  ended(taskId: string, result: AttemptResult): void {
    const known = this.#known.get(taskId)
    if (known?.result !== null) return
    known.result = result
    this.#tellAll(taskId, known)
  }

  gone(): void {}
  unknown(): void {}

  note(message: string): void {
    this.#tell((runner) => runner.note(message))
  }

  trouble(message: string): void {
    this.#tell((runner) => runner.trouble(message))
  }

  #remember(taskId: string, result: Known['result']): Known {
    const known = { requests: 0, hasStarted: false, result }
    this.#known.set(taskId, known)
    return known
  }

  #tellAll(taskId: string, { hasStarted, result }: Known): void {
    if (result === 'gone') {
      this.#tell((runner) => runner.gone(taskId, 'there is nothing of it'))
      return
    }
    this.#tell((runner) => runner.accepted(taskId, { site: 'far away' }))
    const figures = { cpuPercent: null, memoryBytes: null }
    if (hasStarted && result === null) this.#tell((runner) => runner.started(taskId, figures))
    if (result !== null) this.#tell((runner) => runner.ended(taskId, result))
  }

  #tell(say: (runner: ExecutorListener) => void): void {
    const runner = this.#runner
    // What was on its way to a runner that died reaches nobody.
    if (runner !== undefined) this.wire.send(() => runner === this.#runner && say(runner))
  }
}

function cancelledBy(signal: NodeJS.Signals): AttemptResult {
  const reason = `cancelled by ${signal}`
  const outcome = { status: 'cancelled' as const, exitCode: null, signal, reason, stragglers: [] }
  const samples = { collected: 0, intervalSeconds: null, late: 0, ownCpuSeconds: null }
  const usage = emptyUsage('it was never started')
  return { durationSeconds: 0, outcome, usage, samples, outline: [] }
}

/** The runner's end of the wire. Whoever adopts is told from then on, though another may be there. */
export class RemoteExecutor implements Executor {
  readonly asking: Asking
  readonly #site: RemoteSite
  #listener: ExecutorListener | undefined

  constructor(site: RemoteSite, patience: Pick<Asking, 'afterSeconds' | 'giveUpSeconds'>) {
    this.#site = site
    this.asking = {
      ...patience,
      ask: (taskIds) => {
        for (const taskId of taskIds) this.#send(() => site.ask(taskId))
      },
    }
  }

  tellTo(listener: ExecutorListener): void {
    this.#listener = listener
    if (!this.#site.hasRunner) this.#site.connect(listener)
  }

  start(order: AttemptOrder): void {
    this.#send(() => this.#site.start(order))
  }

  cancel(taskId: string, signal: NodeJS.Signals, request: number): void {
    this.#send(() => this.#site.cancel(taskId, signal, request))
  }

  adopt(left: readonly LeftAttempt[]): readonly LeftAttempt[] {
    this.#site.connect(this.#listener)
    for (const { taskId } of left) this.#send(() => this.#site.adopt(taskId))
    return left
  }

  close(): void {
    this.#site.connect(undefined)
  }

  #send(message: () => void): void {
    this.#site.wire.send(message)
  }
}
