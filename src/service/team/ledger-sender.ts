import { bringUpToDate, isPassing, openLedgerToServe } from '../../record/open-ledger.ts'
import { StoreError } from '../../store/errors.ts'
import { LocalAttempts, type Waiting } from '../../store/outbox/local-attempts.ts'
import { Outbox } from '../../store/outbox/outbox.ts'
import {
  readSendNotes,
  sendNotesPath,
  type SendNotes,
  type StaysFor,
} from '../../store/outbox/send-notes.ts'
import type { Database } from '../../store/postgres/connection.ts'
import { asTeamError, TeamError } from '../../store/postgres/team-error.ts'
import { knownOf } from '../../store/postgres/write/known.ts'
import { enrol, type SourcePlace, type SourceState } from '../../store/postgres/write/source.ts'
import {
  SentByAnother,
  TeamWriter,
  type RefusedRecord,
} from '../../store/postgres/write/team-writer.ts'
import type { FollowedFile } from '../../store/sqlite/followed-file.ts'
import type { System } from '../../system/system.ts'
import { openTeam } from './open-team.ts'
import { waitingIn } from './team-status.ts'
import { dropExpired, indexWords } from './team-retention.ts'

export interface SenderSettings {
  /** The local ledger. */
  readonly ledger: string
  /** Of the team. */
  readonly address: string
  /** Of jobmeter. */
  readonly version: string
  /** How long the team may take for a batch; a minute by default. */
  readonly limitSeconds?: number
  /** Hears of records that cannot be read or stored. */
  readonly onProblem?: (problem: string) => void
}

/** What a turn has sent. */
export interface SentNow {
  readonly attempts: number
  readonly samples: number
  readonly refused: readonly RefusedRecord[]
}

/** What is open while a ledger is sent. */
interface Line {
  readonly database: Database
  readonly file: FollowedFile
  readonly writer: TeamWriter
  readonly outbox: Outbox
  state: SourceState
  /** When all was found to be sent; undefined while there is more. */
  doneAt: number | undefined
}

/** A ledger that nobody has written to is looked at this often: samples of running jobs may wait for their turn. */
const lookSeconds = 5

const tidySeconds = 86_400

/** So many records that were refused are remembered. */
const mostRefused = 100

/**
 * Sends what a local ledger holds to its team. Whatever goes wrong, what was not sent is sent the next time: all that it knows is
 * learnt from the team again.
 */
export class LedgerSender {
  readonly #system: System
  readonly #settings: SenderSettings
  #line: Line | undefined
  #notes: SendNotes
  #tidiedAt = Number.NEGATIVE_INFINITY

  constructor(system: System, settings: SenderSettings) {
    this.#system = system
    this.#settings = settings
    this.#notes = readSendNotes(settings) ?? {
      ledgerId: '',
      sentAttemptId: 0,
      following: [],
      succeededAt: null,
      failedAt: null,
      failure: null,
      refused: [],
      sender: null,
    }
  }

  /** Sends all that is there; in a hurry, the newest samples of running jobs too. */
  async send(isHurried: boolean): Promise<SentNow> {
    const sum = { attempts: 0, samples: 0, refused: [] as RefusedRecord[] }
    try {
      this.#takeIn()
      for (let hasMore = true; hasMore;) hasMore = await this.#sendBatch(isHurried, sum)
      await this.#tidy()
      const following = this.#line?.outbox.following ?? this.#notes.following
      this.#note({ succeededAt: this.#system.clock.wallSeconds(), failure: null, following })
      return sum
    } catch (error) {
      await this.#hangUp()
      // What is wrong with the local ledger is not the team's fault.
      const failure =
        error instanceof StoreError ? error : asTeamError(error, this.#settings.address)
      this.#note({ failedAt: this.#system.clock.wallSeconds(), failure: failure.message })
      throw failure
    }
  }

  hasSent({ attempts, samples }: SentNow): boolean {
    return attempts > 0 || samples > 0
  }

  /** Whether attempts run whose ends are still to be sent. */
  get isAwaitingEnds(): boolean {
    return this.#line === undefined
      ? this.#waiting().running > 0
      : this.#line.outbox.following.length > 0
  }

  get hasUnsent(): boolean {
    const { records, samples } = this.#waiting()
    return records + samples > 0
  }

  stays(why: StaysFor | null): void {
    const { sender } = this.#notes
    if (why === null ? sender === null : sender?.pid === process.pid && sender.staysFor === why)
      return
    this.#note({ sender: why === null ? null : { pid: process.pid, staysFor: why } })
  }

  /** What this machine knows of it without asking the team. */
  #waiting(): Waiting {
    return waitingIn(this.#settings.ledger, this.#notes)
  }

  async close(): Promise<void> {
    await this.#hangUp()
  }

  async #sendBatch(
    isHurried: boolean,
    sum: { attempts: number; samples: number; refused: RefusedRecord[] },
  ): Promise<boolean> {
    this.#line ??= await this.#connect()
    const line = this.#line
    const now = this.#system.clock.monotonicSeconds()
    const isQuiet = !line.file.hasChanged() && line.doneAt !== undefined
    if (isQuiet && !isHurried && now - (line.doneAt ?? 0) < lookSeconds) return false
    const next = line.outbox.next(isHurried)
    line.doneAt = next === undefined ? now : undefined
    if (next === undefined) return false
    try {
      const written = await line.writer.write(next.batch, line.state, next.sent)
      next.done()
      line.state = written.state
      sum.attempts += written.attempts
      sum.samples += written.samples
      this.#tellRefused(written.refused, sum.refused)
      this.#note({ sentAttemptId: written.state.sent.attemptId })
      return next.hasMore
    } catch (error) {
      if (!(error instanceof SentByAnother)) throw error
      await this.#hangUp()
      return true
    }
  }

  /** Whoever sends sees to it that the team keeps no more than it wants. */
  async #tidy(): Promise<void> {
    const now = this.#system.clock.monotonicSeconds()
    if (this.#line === undefined || now - this.#tidiedAt < tidySeconds) return
    this.#tidiedAt = now
    // Somebody who reads a table for long keeps it from being dropped: then another time.
    await dropExpired(this.#line.database).catch(() => 0)
    await indexWords(this.#settings.address).catch(() => 0)
  }

  /** Records that wait beside the ledger come first, as for all who read it. */
  #takeIn(): void {
    const { ledger: path, onProblem = () => {} } = this.#settings
    const ledger = openLedgerToServe(path, onProblem)
    try {
      bringUpToDate(this.#system, ledger, path, onProblem)
    } catch (error) {
      // Others are writing, or there is no room: what is in the ledger can be sent all the same.
      if (!isPassing(error)) throw error
    } finally {
      ledger.close()
    }
  }

  async #connect(): Promise<Line> {
    const { address, ledger } = this.#settings
    const file = Outbox.open(ledger)
    if (file === undefined)
      throw new TeamError('failed', address, `there is no ledger at ${ledger}`)
    const { limitSeconds = 60 } = this.#settings
    const database = await openTeam(address, { connections: 2, limitSeconds }).catch(
      (error: unknown) => {
        file.close()
        throw error
      },
    )
    try {
      const { host } = this.#system
      const { version } = this.#settings
      const place = { host: host.name, path: ledger, user: host.user, version }
      const state = await this.#enrol(database, place, new LocalAttempts(file.connection))
      const known = await knownOf(database, state.sourceId)
      const outbox = new Outbox(file, state.sent, known, {
        user: this.#system.host.user,
        monotonicSeconds: () => this.#system.clock.monotonicSeconds(),
      })
      return {
        database,
        file,
        outbox,
        state,
        doneAt: undefined,
        writer: new TeamWriter(database, place),
      }
    } catch (error) {
      file.close()
      await database.close()
      throw error
    }
  }

  /**
   * Who the ledger is to the team. A copy of a ledger, or one that was brought back from a backup, goes its own way from then
   * on: it becomes another source, and what the team has of it already is not stored again.
   */
  async #enrol(
    database: Database,
    place: SourcePlace,
    attempts: LocalAttempts,
  ): Promise<SourceState> {
    const noted = this.#notes.ledgerId
    const enrolled = await enrol(database, place, {
      ledgerId: noted === '' ? undefined : noted,
      isSame: (state) => isSameLedger(attempts, state),
      newLedgerId: () => this.#system.randomId(),
    })
    if (enrolled === undefined)
      throw new TeamError(
        'not-ours',
        this.#settings.address,
        `another role sends the ledger ${place.path}; an administrator can give it to this one: ` +
          `UPDATE jobmeter.source SET role = '…' WHERE ledger_id = '${noted}'`,
      )
    const { ledgerId, state } = enrolled
    this.#note({ ledgerId, sentAttemptId: state.sent.attemptId })
    return state
  }

  async #hangUp(): Promise<void> {
    const line = this.#line
    this.#line = undefined
    line?.file.close()
    await line?.database.close()
  }

  #tellRefused(refused: readonly RefusedRecord[], all: RefusedRecord[]): void {
    // A job that runs is sent again and again.
    const known = new Set([...this.#notes.refused, ...all].map(({ record }) => record))
    const fresh = refused.filter(({ record }) => !known.has(record))
    if (fresh.length === 0) return
    all.push(...fresh)
    const kept = [...this.#notes.refused, ...fresh].slice(-mostRefused)
    this.#note({ refused: kept })
    for (const { record, reason } of fresh)
      this.#settings.onProblem?.(`the team ledger cannot hold ${record}: ${reason}`)
  }

  #note(changes: Partial<SendNotes>): void {
    this.#notes = { ...this.#notes, ...changes }
    const bytes = Buffer.from(`${JSON.stringify(this.#notes, null, 2)}\n`)
    this.#system.files.saveAnew(sendNotesPath(this.#settings), [bytes], 'own')
  }
}

/** Whether the ledger has what was last sent of it: ids only grow, and an attempt keeps its own. */
function isSameLedger(attempts: LocalAttempts, { sent }: SourceState): boolean {
  if (sent.attemptId === 0) return true
  if (attempts.newestId() < sent.attemptId) return false
  const task = attempts.taskOf(sent.attemptId)
  return task === undefined || task === sent.taskId
}
