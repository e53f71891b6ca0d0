import { generator, type Random } from '../../test/synthetic/series.ts'
import { Calendar, stepsIn } from './calendar.ts'
import { Cores } from './cores.ts'
import { costs } from './costs.ts'
import { jobRate, running, type Sending, type Server, type Site } from './site.ts'

/** In seconds from the beginning. */
export interface Outage {
  readonly from: number
  readonly to: number
}

export interface Run {
  readonly site: Site
  readonly sending: Sending
  readonly server: Server
  readonly seconds: number
  readonly outage?: Outage
}

export interface Result {
  /** The most connections that were open at a time, on one server. */
  readonly connections: number
  /** Of all that wanted one while the server was there. */
  readonly refusedShare: number
  /** How much of its cores a server used. */
  readonly load: number
  /** How old a record was when it was stored: half of them, and of the oldest of each turn all but one in a hundred. */
  readonly medianLagSeconds: number
  readonly worstLagSeconds: number
  /** Nodes that had something to send for more than ten minutes at the end. */
  readonly behind: number
  /** How long after an outage until all is stored that waited then; null where something still waits. */
  readonly recoverySeconds: number | null
}

/** As `service/team/send-loop.ts` and `store/outbox/outbox.ts` have them. */
const longestWaitSeconds = 60
const sampleDelaySeconds = 10
const recordsPerBatch = 500

const behindSeconds = 600

interface Node {
  readonly server: number
  /** All that was there then is stored. */
  sentAt: number
  failures: number
  isConnected: boolean
  /** When the last of the jobs ends that run now, or will next. */
  busyUntil: number
}

interface Turn {
  readonly node: Node
  /** What it stores is from between these. */
  readonly from: number
  readonly began: number
  readonly end: number
}

/** Nodes that send to servers, step by step. The same input has the same result. */
export const simulate = (run: Run): Result => new Simulation(run).result()

class Simulation {
  readonly #run: Run
  readonly #random: Random = generator(15)
  readonly #turns = new Calendar<Node>()
  readonly #ends = new Calendar<Turn>()
  readonly #cores: readonly Cores[]
  readonly #connected: number[]
  readonly #nodes: readonly Node[]
  #most = 0
  #wanted = 0
  #refused = 0
  #recoveredAt = 0
  readonly #ages: number[] = []
  readonly #oldest: number[] = []

  constructor(run: Run) {
    this.#run = run
    const { servers, cores } = run.server
    this.#cores = Array.from({ length: servers }, () => new Cores(cores))
    this.#connected = Array.from({ length: servers }, () => 0)
    this.#nodes = Array.from({ length: run.site.nodes }, (_, id) => this.#begin(id % servers))
  }

  result(): Result {
    const { seconds, server, outage } = this.#run
    for (const [step, now] of stepsIn(seconds)) {
      for (const turn of this.#ends.take(step)) this.#stored(turn)
      for (const node of this.#turns.take(step)) this.#turn(node, now)
    }
    const busy = this.#cores.reduce((sum, { busySeconds }) => sum + busySeconds, 0)
    const waits = (since: number) => this.#nodes.filter(({ sentAt }) => sentAt < since).length
    return {
      connections: this.#most,
      refusedShare: this.#refused / Math.max(1, this.#wanted),
      load: Math.min(1, busy / (server.servers * server.cores * seconds)),
      medianLagSeconds: quantile(this.#ages, 0.5),
      worstLagSeconds: quantile(this.#oldest, 0.99),
      behind: waits(seconds - behindSeconds - this.#everySeconds()),
      recoverySeconds:
        outage === undefined || waits(outage.to) > 0 ? null : this.#recoveredAt - outage.to,
    }
  }

  /** Timers go off at any moment of their interval; of those who watch, some have jobs that run. */
  #begin(server: number): Node {
    const node = { server, sentAt: 0, failures: 0, isConnected: false, busyUntil: 0 }
    const isBusy = this.#random() < 1 - Math.exp(-running(this.#run.site))
    if (this.#run.sending.kind === 'timer' || isBusy) {
      node.busyUntil = this.#exponential(this.#busySeconds())
      this.#turns.at(this.#random() * this.#everySeconds(), node)
    } else this.#rest(node, 0)
    return node
  }

  #everySeconds(): number {
    const { sending } = this.#run
    return sending.kind === 'timer' ? sending.everySeconds : sampleDelaySeconds
  }

  /** How long there is always a job that runs, once there is one (as of servers without end). */
  #busySeconds(): number {
    const { site } = this.#run
    return (Math.exp(running(site)) - 1) / jobRate(site)
  }

  /** A node looks whether there is something to send. */
  #turn(node: Node, now: number): void {
    const isWatch = this.#run.sending.kind === 'watch'
    if (isWatch && now >= node.busyUntil && node.failures === 0) return this.#rest(node, now)
    const isNew = !node.isConnected
    if (!this.#connect(node, now)) return this.#tryLater(node, now)
    node.failures = 0
    const records = jobRate(this.#run.site) * (now - node.sentAt)
    const cores = this.#cores[node.server]
    const end = cores?.done(now, workSeconds(records, isNew)) ?? now
    this.#ends.at(end, { node, from: node.sentAt, began: now, end })
    node.sentAt = now
  }

  /** Nothing runs any more: there is nothing to send until the next job starts. */
  #rest(node: Node, now: number): void {
    this.#hangUp(node)
    const next = now + this.#exponential(1 / jobRate(this.#run.site))
    node.busyUntil = next + this.#exponential(this.#busySeconds())
    node.sentAt = next
    this.#turns.at(next, node)
  }

  /** A timer tries again when it goes off next. */
  #tryLater(node: Node, now: number): void {
    const { sending } = this.#run
    node.failures += 1
    const wait = Math.min(longestWaitSeconds, 2 ** (node.failures - 1)) * (0.5 + this.#random())
    this.#turns.at(
      now + (sending.kind === 'timer' ? sending.everySeconds : Math.max(1, wait)),
      node,
    )
  }

  #connect(node: Node, now: number): boolean {
    const { outage, server } = this.#run
    const isAway = outage !== undefined && now >= outage.from && now < outage.to
    if (isAway) this.#hangUp(node)
    if (isAway || node.isConnected) return !isAway
    this.#wanted += 1
    const open = this.#connected[node.server] ?? 0
    if (open >= server.connections) {
      this.#refused += 1
      return false
    }
    node.isConnected = true
    this.#connected[node.server] = open + 1
    this.#most = Math.max(this.#most, open + 1)
    return true
  }

  #stored({ node, from, began, end }: Turn): void {
    const { sending, seconds, outage } = this.#run
    if (sending.kind === 'timer') this.#hangUp(node)
    // The beginning is not as it is later.
    if (end >= seconds / 4) {
      this.#ages.push(end - (from + began) / 2)
      this.#oldest.push(end - from)
    }
    if (outage !== undefined && from < outage.to && end > outage.to)
      this.#recoveredAt = Math.max(this.#recoveredAt, end)
    const every = this.#everySeconds()
    // A timer that would go off while it is still busy goes off the time after.
    const turns = sending.kind === 'timer' ? Math.max(1, Math.ceil((end - began) / every)) : 1
    this.#turns.at(Math.max(end, began + turns * every), node)
  }

  #hangUp(node: Node): void {
    if (!node.isConnected) return
    node.isConnected = false
    this.#connected[node.server] = (this.#connected[node.server] ?? 1) - 1
  }

  #exponential(mean: number): number {
    return -mean * Math.log(1 - this.#random())
  }
}

/** How long a core of the server is busy with a turn. */
function workSeconds(records: number, isNew: boolean): number {
  const batches = Math.max(1, Math.ceil(records / recordsPerBatch))
  const connect = isNew ? costs.connectMs : 0
  return (connect + batches * costs.batchMs + Math.max(0, records - 1) * costs.recordMs) / 1000
}

function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
