import type { AskedMetric } from '../../../model/metrics.ts'
import { whyNot } from '../../../model/reading.ts'
import type { System } from '../../../system/system.ts'
import type {
  Asking,
  AttemptOrder,
  AttemptResult,
  Executor,
  ExecutorListener,
  LeftAttempt,
} from '../../run/executor.ts'
import { neverStarted } from '../never-started.ts'
import { AttemptFolder } from './attempt-folder.ts'
import { EndRequests } from './end-requests.ts'
import { endingOf } from './ending.ts'
import { Handover } from './handover.ts'
import { parseHandle } from './remote-handle.ts'
import { RemoteAttempt } from './read-remote-attempt.ts'
import { SiteStates } from './site-states.ts'
import type { Gone, Site, Submission } from './site.ts'
import { underWay, type UnderWay } from './under-way.ts'

/** Folders are looked into so often, or less where there are many: looking may take a tenth of the time. */
const lookSeconds = 0.25
const longestLookSeconds = 5
const lookingShare = 0.1

interface RemoteSettings {
  /** In the handles of its attempts. */
  readonly name: string
  readonly site: Site
  /** In which of its ways attempts are handed over, where there are several; kept in their handles. */
  readonly by?: () => string
  /** Where the folders of new attempts are made, seen by those who run them under the same name. */
  readonly directory: () => string
  readonly metrics: () => readonly AskedMetric[]
  readonly patience?: Pick<Asking, 'afterSeconds' | 'giveUpSeconds'>
}

/**
 * Runs attempts elsewhere, through folders that both sides see. It outlives nobody: whoever comes after it adopts what
 * is in the folders.
 */
export class RemoteExecutor implements Executor {
  readonly asking: Asking
  readonly #system: System
  readonly #settings: RemoteSettings
  readonly #underWay = new Map<string, UnderWay>()
  /** Those that are over, and were told to be, with the folder that says so; or what does not stand there. */
  readonly #over = new Map<string, AttemptFolder | AttemptResult | Gone>()
  readonly #handover: Handover
  readonly #endRequests: EndRequests
  readonly #states: SiteStates
  #listener: ExecutorListener | undefined
  #stopLooking: (() => void) | undefined
  #isClosed = false

  constructor(system: System, settings: RemoteSettings) {
    this.#system = system
    this.#settings = settings
    this.#endRequests = new EndRequests(settings.site)
    this.#handover = new Handover(system.clock, settings.site, (answers) => {
      if (this.#isClosed) return
      for (const [{ order }, answer] of answers) this.#hear(order, answer)
      this.#lookSoon()
    })
    this.#states = new SiteStates(system.clock, settings.site, ({ taskId }, waits) => {
      if (!this.#isClosed) this.#listener?.waits?.(taskId, waits)
    })
    this.asking = {
      ...(settings.patience ?? { afterSeconds: 30, giveUpSeconds: 3600 }),
      ask: (taskIds) => {
        for (const taskId of taskIds) this.#later(() => this.#tellAgain(taskId))
      },
    }
  }

  tellTo(listener: ExecutorListener): void {
    this.#listener = listener
  }

  start(order: AttemptOrder): void {
    const { taskId } = order
    if (this.#underWay.has(taskId) || this.#over.has(taskId)) {
      this.#later(() => this.#tellAgain(taskId))
      return
    }
    const task = this.#follow(taskId, this.#folderOf(taskId))
    const { folder } = task
    if (folder.readClaim() !== undefined) return
    const written = folder.writeOrder({ version: 1, order, metrics: this.#settings.metrics() })
    if (written.kind !== 'ok') {
      const why = `its order could not be written: ${whyNot(written)}`
      this.#later(() => this.#endWith(task, neverStarted('error', why, order.intervalSeconds)))
      return
    }
    // What is needed to find it again is kept before anybody is told of it.
    this.#later(() => this.#listener?.accepted(taskId, task.handle))
    this.#handover.add({ order, folder })
  }

  cancel(taskId: string, signal: NodeJS.Signals, request: number): void {
    if (this.#over.has(taskId)) {
      this.#later(() => this.#tellAgain(taskId))
      return
    }
    const task = this.#underWay.get(taskId) ?? this.#follow(taskId, this.#folderOf(taskId))
    if (request <= task.endRequests) return
    task.endRequests = request
    task.endSignal = signal
    // Nobody starts it from now on, unless somebody has.
    task.folder.claim({ kind: 'withdrawn', as: 'cancelled', signal })
    task.folder.askToEnd({ request, signal })
    if (task.handle.site !== undefined) this.#endRequests.add(task)
    this.#lookSoon()
  }

  adopt(left: readonly LeftAttempt[]): readonly LeftAttempt[] {
    const attempts = left.filter(({ isScript }) => !isScript)
    for (const { taskId, note } of attempts) {
      if (this.#over.has(taskId)) this.#later(() => this.#tellAgain(taskId))
      if (this.#over.has(taskId) || this.#underWay.has(taskId)) continue
      const handle = parseHandle(note)
      const folder = handle === undefined ? undefined : this.#folderAt(handle.folder)
      const task = this.#follow(taskId, folder ?? this.#folderOf(taskId))
      if (handle !== undefined) task.handle = handle
      // Nobody knows whether it was handed over, or sees to it any more: it is not to start from now on, unless it has.
      if (handle?.site === undefined || this.#settings.site.needsUs(handle))
        task.folder.claim({ kind: 'withdrawn', as: 'gone', signal: '' })
    }
    return attempts
  }

  close(): void {
    this.#isClosed = true
    this.#stopLooking?.()
    this.#handover.stop()
    this.#settings.site.close()
    this.#listener = undefined
  }

  /** Removes the folders of attempts that are over. To be called when their results are kept. */
  tidy(): void {
    for (const [taskId, over] of this.#over) {
      // The others have logs of their site in them.
      if (over instanceof AttemptFolder) over.remove()
      else if ('outcome' in over && over.outcome.status === 'cancelled')
        this.#folderOf(taskId).remove()
    }
    if (this.#underWay.size === 0) this.#settings.site.tidy()
  }

  #folderOf(taskId: string): AttemptFolder {
    return this.#folderAt(`${this.#settings.directory()}/${taskId}`)
  }

  #folderAt(path: string): AttemptFolder {
    return new AttemptFolder(this.#system.files, path)
  }

  #follow(taskId: string, folder: AttemptFolder): UnderWay {
    const { name: executor, by } = this.#settings
    const handle = { executor, ...(by === undefined ? {} : { by: by() }) }
    const task = underWay(this.#system.clock, handle, folder)
    this.#underWay.set(taskId, task)
    this.#lookSoon()
    return task
  }

  /** Never from within a call of ours. */
  #later(tell: () => void): void {
    queueMicrotask(() => {
      if (!this.#isClosed) tell()
    })
  }

  /** How an attempt stands, for somebody who may have missed it. Of one that nobody has heard of lately nothing is said. */
  #tellAgain(taskId: string): void {
    const over = this.#over.get(taskId)
    if (over instanceof AttemptFolder) this.#tellFolder(over)
    else if (over !== undefined) this.#tellOver(taskId, over)
    const task = this.#underWay.get(taskId)
    if (task === undefined) {
      if (over === undefined) this.#listener?.unknown(taskId)
      return
    }
    const { clock } = this.#system
    const heardAgo = clock.monotonicSeconds() - task.heardAt
    const isHeard = Math.min(heardAgo, task.attempt.silentSeconds) < this.asking.afterSeconds
    if (!isHeard) return
    this.#listener?.accepted(taskId, task.handle)
    if (task.hasStarted) this.#listener?.started(taskId, task.attempt)
  }

  #tellFolder(folder: AttemptFolder): void {
    const state = new RemoteAttempt(this.#system.clock, folder).look(silent)
    if (state.kind === 'ended') this.#tellOver(folder.taskId, state.result)
  }

  #tellOver(taskId: string, over: AttemptResult | Gone): void {
    if ('gone' in over) this.#listener?.gone(taskId, over.gone)
    else this.#listener?.ended(taskId, over)
  }

  #hear({ taskId, intervalSeconds }: AttemptOrder, answer: Submission): void {
    const task = this.#underWay.get(taskId)
    if (task === undefined) return
    if (answer.kind === 'refused') {
      task.folder.claim({ kind: 'withdrawn', as: 'gone', signal: '' })
      this.#endWith(task, neverStarted('error', answer.why, intervalSeconds))
      return
    }
    task.handle = { ...task.handle, site: answer.site }
    task.heardAt = this.#system.clock.monotonicSeconds()
    this.#listener?.accepted(taskId, task.handle)
    // It was asked to end while it was being handed over.
    if (task.endRequests > 0) this.#endRequests.add(task)
  }

  #lookSoon(seconds = lookSeconds): void {
    if (this.#isClosed) return
    this.#stopLooking ??= this.#system.clock.after(seconds, () => {
      this.#stopLooking = undefined
      const { monotonicSeconds } = this.#system.clock
      const began = monotonicSeconds()
      for (const task of this.#underWay.values()) this.#lookAt(task)
      this.#states.ask(this.#underWay.values())
      const tookSeconds = monotonicSeconds() - began
      const pause = Math.min(longestLookSeconds, tookSeconds / lookingShare)
      if (this.#underWay.size > 0) this.#lookSoon(Math.max(lookSeconds, pause))
    })
  }

  #lookAt(task: UnderWay): void {
    const listener = this.#listener
    if (listener === undefined) return
    const state = task.attempt.look({
      started: (taskId, figures) => {
        task.hasStarted = true
        const { claim } = task.attempt
        // Which job of the site it runs in may be known only now.
        if (claim?.kind === 'taken') task.handle = { ...task.handle, ranAs: claim.site }
        listener.accepted(taskId, task.handle)
        listener.started(taskId, figures)
      },
      sampled: (...told) => listener.sampled(...told),
      devicesSampled: (...told) => listener.devicesSampled(...told),
    })
    const ending = endingOf(task, state, this.#settings.site, this.#system.clock)
    if (ending?.kind === 'written') this.#ended(task, ending.result)
    if (ending?.kind !== 'judged') return
    // A node that nobody reaches may still run it, and see the folder: another attempt may be about to start.
    if (state.kind === 'running') task.folder.askToEnd({ request: 2, signal: 'SIGKILL' })
    this.#judged(task, ending.as)
  }

  #ended(task: UnderWay, result: AttemptResult): void {
    this.#settle(task, task.folder)
    this.#listener?.ended(task.taskId, result)
  }

  #judged(task: UnderWay, judged: AttemptResult | Gone): void {
    this.#settle(task, judged)
    this.#tellOver(task.taskId, judged)
  }

  #endWith(task: UnderWay, result: AttemptResult): void {
    const endedAt = this.#system.clock.wallSeconds()
    this.#judged(task, { ...result, endedAt })
  }

  #settle({ taskId }: UnderWay, over: AttemptFolder | AttemptResult | Gone): void {
    this.#underWay.delete(taskId)
    this.#over.set(taskId, over)
  }
}

const silent = { started: () => {}, sampled: () => {}, devicesSampled: () => {} }
