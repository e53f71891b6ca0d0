import { NodeWriter, enrolNode } from '../../store/postgres/nodes/node-writer.ts'
import type { Database } from '../../store/postgres/connection.ts'
import { asTeamError, TeamError } from '../../store/postgres/team-error.ts'
import { openNodeSending, type NodeSending } from '../../store/node/sending/node-sending.ts'
import type { System } from '../../system/system.ts'
import { openTeam } from './open-team.ts'

export interface NodeSenderSettings {
  /** The database of an agent. */
  readonly path: string
  /** Of the team. */
  readonly address: string
  /** Of jobmeter. */
  readonly version: string
  /** Hears of hosts that the team has from somebody else. */
  readonly onProblem?: (problem: string) => void
}

/** What a turn has sent. */
export interface NodesSent {
  readonly batches: number
  /** Hosts that are somebody else's: what is of them stays here, and is sent once it may be. */
  readonly refused: readonly string[]
}

interface Line {
  readonly database: Database
  readonly writer: NodeWriter
}

const tidySeconds = 86_400
const foldSeconds = 600
/** What was refused is tried again so often. */
const retrySeconds = 60

/**
 * Sends what an agent keeps of nodes to a team. What is not there yet is marked in the database of the agent itself; whatever
 * goes wrong, it stays marked and is sent the next time.
 */
export class NodeSender {
  /** Nothing in it has an end that is waited for. */
  readonly isAwaitingEnds = false
  readonly #system: System
  readonly #settings: NodeSenderSettings
  readonly #sending: NodeSending
  readonly #databaseId: string
  /** Hosts that are somebody else's, and when that was last found. */
  readonly #refused = new Map<string, number>()
  /** What the team was last told of them; undefined where that is not known. */
  #noted: string | undefined
  #line: Line | undefined
  #tidiedAt = Number.NEGATIVE_INFINITY
  #foldedAt = Number.NEGATIVE_INFINITY

  constructor(system: System, settings: NodeSenderSettings) {
    this.#system = system
    this.#settings = settings
    this.#sending = openNodeSending(settings.path)
    this.#databaseId = this.#sending.begin(() => system.randomId())
  }

  /** Sends all that is marked, but for what the team does not take from us. */
  async send(): Promise<NodesSent> {
    let batches = 0
    const withheld = this.#refusedLately()
    try {
      // First of all: the team may not be the one that was sent to before.
      const { writer } = (this.#line ??= await this.#connect())
      while (this.#sending.unsent() > 0) {
        const next = this.#sending.next(withheld)
        if (next === undefined) break
        const refused = await writer.send(next.batch, this.#sending.unsent())
        this.#sending.arrived(next, refused)
        const taken = next.marks.filter(({ host }) => !refused.includes(host))
        for (const { host } of taken) this.#refused.delete(host)
        for (const host of refused) withheld.add(host)
        this.#tell(refused)
        if (taken.length > 0) batches += 1
      }
      await this.#note(writer)
      await this.#tidy()
      return { batches, refused: [...this.#refused.keys()] }
    } catch (error) {
      await this.#hangUp()
      throw asTeamError(error, this.#settings.address)
    }
  }

  get hasUnsent(): boolean {
    return this.#sending.unsent() > 0
  }

  /** Who sends the ledger of the same machine tells that for both. */
  stays(): void {}

  hasSent({ batches }: NodesSent): boolean {
    return batches > 0
  }

  async close(): Promise<void> {
    await this.#hangUp()
    this.#sending.close()
  }

  async #connect(): Promise<Line> {
    const { address, path, version } = this.#settings
    const database = await openTeam(address, { connections: 1 })
    try {
      const host = this.#system.host.name
      const source = { databaseId: this.#databaseId, host, path, version }
      const enrolment = await enrolNode(database, source)
      if (enrolment !== undefined) {
        this.#sending.sendTo(enrolment.name)
        return { database, writer: new NodeWriter(database, enrolment.sourceId) }
      }
      throw new TeamError(
        'not-ours',
        address,
        `another role sends ${path}; an administrator can give it to this one: ` +
          `UPDATE jobmeter.node_source SET role = '…' WHERE database_id = '${this.#databaseId}'`,
      )
    } catch (error) {
      await database.close()
      throw error
    }
  }

  #refusedLately(): Set<string> {
    const since = this.#system.clock.monotonicSeconds() - retrySeconds
    const found = [...this.#refused].filter(([, at]) => at > since)
    return new Set(found.map(([host]) => host))
  }

  /** Once for each, until it is taken. */
  #tell(refused: readonly string[]): void {
    const fresh = refused.filter((host) => !this.#refused.has(host))
    for (const host of refused) this.#refused.set(host, this.#system.clock.monotonicSeconds())
    for (const host of fresh)
      this.#settings.onProblem?.(
        `another role sends what is of the host ${host}: what is kept of it here waits until it may be sent. ` +
          `An administrator can give it to this one: UPDATE jobmeter.node_host SET role = '…' WHERE name = '${host}'`,
      )
  }

  /** Has the team know what waits here, for `team status`. */
  async #note(writer: NodeWriter): Promise<void> {
    const hosts = [...this.#refused.keys()]
    const noted = hosts.join('\n')
    if (noted === this.#noted) return
    await writer.noteRefused(hosts, this.#sending.unsent())
    this.#noted = noted
  }

  /** Whoever sends sees to it that the team keeps no more than it wants, and that its sums are up to date. */
  async #tidy(): Promise<void> {
    const now = this.#system.clock.monotonicSeconds()
    if (this.#line === undefined) return
    const { database } = this.#line
    if (now - this.#foldedAt >= foldSeconds) {
      this.#foldedAt = now
      await database.rows('SELECT fold_usage()').catch(() => [])
    }
    if (now - this.#tidiedAt < tidySeconds) return
    this.#tidiedAt = now
    // Somebody who reads a table for long keeps it from being dropped: then another time.
    await database.rows('SELECT drop_node_expired()').catch(() => [])
  }

  async #hangUp(): Promise<void> {
    const line = this.#line
    this.#line = undefined
    await line?.database.close()
  }
}
