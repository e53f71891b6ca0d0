import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { LedgerSender } from '../../src/service/team/ledger-sender.ts'
import { Database } from '../../src/store/postgres/connection.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { realSystem } from '../../src/system/real.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { clockWrongBy, whyNoWrongClock } from '../wrong-clock.ts'
import { BusyLedger, dice } from '../team/busy-ledger.ts'
import { FaultyProxy } from '../team/faulty-proxy.ts'
import { contentOfLedgers, contentOfTeam } from '../team/team-content.ts'

/** More of them with JOBMETER_TEAM_FAULTS=200. */
const rounds = Number(process.env['JOBMETER_TEAM_FAULTS'] ?? 10)
const seed = Number(process.env['JOBMETER_TEST_SEED'] ?? 20_261)
const program = join(import.meta.dirname, '..', 'team', 'sending-process.ts')

const faults = [
  'kill a sender',
  'stop a sender',
  'kill PostgreSQL',
  'cut',
  'stall',
  'lose a commit',
  'lose an answer',
] as const

/** A machine of the team: its ledger, and by how much its clock is wrong. */
interface Machine {
  readonly ledger: string
  readonly secondsAhead: number
}

/** Senders of ledgers in processes of their own; one that is killed is replaced. */
class Senders {
  readonly #machines: readonly Machine[]
  readonly #address: string
  readonly #running: ChildProcess[]

  /** One for each of these; a ledger that is named twice is sent by two at once. */
  constructor(machines: readonly Machine[], address: string) {
    this.#machines = machines
    this.#address = address
    this.#running = machines.map((machine) => this.#start(machine))
  }

  async killOne(place: number): Promise<void> {
    await this.#kill(place)
    const machine = this.#machines[place]
    if (machine !== undefined) this.#running[place] = this.#start(machine)
  }

  /** It knows nothing of the time that passes, and goes on where it was. */
  stopOne(place: number): () => void {
    const child = this.#running[place]
    child?.kill('SIGSTOP')
    return () => void child?.kill('SIGCONT')
  }

  async killAll(): Promise<void> {
    await Promise.all(this.#running.map((_, place) => this.#kill(place)))
  }

  async #kill(place: number): Promise<void> {
    const child = this.#running[place]
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  #start({ ledger, secondsAhead }: Machine): ChildProcess {
    return spawn(process.execPath, [program, ledger, this.#address], {
      stdio: 'inherit',
      env: { ...process.env, ...clockWrongBy(secondsAhead) },
    })
  }
}

/** How many batches have arrived. */
async function batchesIn(address: string): Promise<number> {
  const team = new Database({ connectionString: address })
  const [row] = await team.rows('SELECT coalesce(sum(revision), 0) AS batches FROM source')
  await team.close()
  return Number(row?.['batches'])
}

/** Waits until more has arrived: faults that meet nobody at work would show nothing. */
async function progress(address: string, before: number): Promise<void> {
  for (const last = Date.now() + 110_000; (await batchesIn(address)) === before; await sleep(50))
    if (Date.now() > last) throw new Error('nobody sends any more')
}

const missing = whyNoPostgres() ?? whyNoWrongClock()

describe.skipIf(missing !== undefined)('a team ledger', () => {
  let postgres: Postgres
  let proxy: FaultyProxy
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-'))
  beforeAll(async () => {
    // What a killed process has written is in the hands of the kernel: only a machine that fails could lose it.
    postgres = await startPostgres('fsync=off')
    proxy = await FaultyProxy.start(() => postgres.port)
  })
  afterAll(async () => {
    await proxy.close()
    await postgres.stop()
    rmSync(directory, { recursive: true })
  })

  it(
    `holds what the local ledgers hold after ${rounds} faults`,
    { timeout: 120_000 * (rounds + 1) },
    async () => {
      const address = await postgres.database('team')
      const made = new Database({ connectionString: address })
      await migrate(made)
      await made.close()
      const roll = dice(seed)
      // Clocks that are minutes apart, in both directions.
      const machines = [0, 420, -310].map((secondsAhead, place) => ({
        ledger: join(directory, `${place}.db`),
        secondsAhead,
      }))
      const ledgers = machines.map(
        ({ ledger, secondsAhead }, place) => new BusyLedger(ledger, seed + place, secondsAhead),
      )
      const paths = ledgers.map(({ path }) => path)
      const through = address.replace(`:${postgres.port}/`, `:${proxy.port}/`)
      const senders = new Senders([...machines, ...machines.slice(0, 1)], through)
      onTestFinished(() => senders.killAll())
      const done: Record<string, number> = {}
      for (let round = 0; round < rounds; round += 1) {
        const before = await batchesIn(address)
        for (const ledger of ledgers) for (let act = 0; act < 30; act += 1) ledger.act()
        const fault = faults[Math.floor(roll() * faults.length)] ?? 'cut'
        const place = Math.floor(roll() * 4)
        done[fault] = (done[fault] ?? 0) + 1
        // At any moment of what they do.
        await sleep(roll() * 700)
        let goOn = (): void => {}
        if (fault === 'kill a sender') await senders.killOne(place)
        else if (fault === 'stop a sender') goOn = senders.stopOne(place)
        else if (fault === 'kill PostgreSQL') {
          process.kill(postgres.pid, 'SIGKILL')
          await postgres.restart()
        } else proxy.fail(fault)
        await sleep(roll() * 500)
        goOn()
        proxy.mend()
        await progress(address, before)
      }
      await senders.killAll()
      for (const path of [...paths, ...paths]) {
        const sender = new LedgerSender(realSystem({ ownsProcess: false }), {
          ledger: path,
          address,
          version: 'test',
        })
        await sender.send(true)
        await sender.close()
      }
      ledgers.forEach((ledger) => ledger.close())
      const team = new Database({ connectionString: address })
      const content = await contentOfTeam(team)
      const [sent] = await team.rows(
        'SELECT count(*) AS sources, sum(revision) AS batches FROM source',
      )
      await team.close()
      console.log(
        JSON.stringify({ faults: done, ...sent, records: Object.keys(content.attempts).length }),
      )
      expect(content).toEqual(contentOfLedgers(paths))
      expect(sent?.['sources']).toBe(3)
    },
  )
})
