import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox, type Ended, type Running, type Sandbox } from '../program.ts'
import { cookieFor, eventsOf, serve, type ServedProgram } from '../server/served-program.ts'
import { clockWrongBy, whyNoWrongClock } from '../wrong-clock.ts'
import { teamOf } from './recorded-team.ts'
import { contentOfLedgers, contentOfTeam } from './team-content.ts'

const spec = (name: string): string => `
name: ${name}
jobs:
  - name: ${name}-waits
    command: "until [ -e go ]; do sleep 0.1; done"
  - name: ${name}-after
    command: "true"
    depends_on: [${name}-waits]
`

/** A machine of a team, with a clock of its own. */
class Machine {
  readonly name: string
  readonly #box: Sandbox
  #env: Readonly<Record<string, string>>

  constructor(name: string, secondsAhead: number) {
    this.name = name
    this.#box = sandbox()
    this.#env = clockWrongBy(secondsAhead)
  }

  setClock(secondsAhead: number): void {
    this.#env = clockWrongBy(secondsAhead)
  }

  get db(): string {
    return this.#box.db
  }

  path(name: string): string {
    return this.#box.path(name)
  }

  start(...args: readonly string[]): Running {
    return this.#box.start(args, { env: this.#env })
  }

  ask(...args: readonly string[]): Promise<Ended> {
    return this.#box.jobmeter(args, { env: this.#env })
  }

  async status(): Promise<{ waiting_records: number; lag_seconds: number | null }> {
    const { stdout } = await this.ask('team', 'status', '--format', 'json')
    return JSON.parse(stdout) as { waiting_records: number; lag_seconds: number | null }
  }

  dispose(): void {
    this.#box[Symbol.dispose]()
  }
}

const missing = whyNoPostgres() ?? whyNoWrongClock()

describe.skipIf(missing !== undefined)('a team of machines whose clocks are minutes apart', () => {
  let postgres: Postgres
  let address: string
  let team: Database
  let server: ServedProgram
  let here: Sandbox
  let machines: readonly Machine[] = []
  const heard: string[] = []
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    address = await teamOf(postgres, 'clocks', [])
    team = new Database({ connectionString: address })
    machines = [
      new Machine('exact', 0),
      new Machine('ahead', 300),
      new Machine('behind', -300),
      new Machine('far-behind', -720),
    ]
    here = sandbox()
    server = await serve(here, undefined, ['--db', address])
    const events = eventsOf(server, await cookieFor(server))
    void (async () => {
      for await (const line of events) heard.push(line)
    })().catch(() => {})
  }, 120_000)
  afterAll(async () => {
    server.running.signal('SIGTERM')
    await server.running.ended
    machines.forEach((machine) => machine.dispose())
    here[Symbol.dispose]()
    await team.close()
    await postgres.stop()
  })

  /** Who was told of the workflow of a machine in this state. */
  const toldOf = ({ name }: Machine, ...words: readonly string[]): boolean =>
    heard.some((line) => line.includes(`"${name}"`) && words.every((word) => line.includes(word)))

  it.concurrent('has every record once, in the order of each machine, and tells what happens on each', async ({
    expect,
  }) => {
    const started: Promise<Ended>[] = []
    for (const machine of machines) {
      const { name } = machine
      expect(await machine.ask('run', '-q', '--name', `${name}-1`, '--', 'true')).toMatchObject({
        code: 0,
      })
      await machine.ask('team', 'join', address)
      const { waiting_records: waiting, lag_seconds: lag } = await machine.status()
      expect(waiting).toBe(1)
      expect(lag).toBeGreaterThanOrEqual(0)
      expect(lag).toBeLessThan(120)
      writeFileSync(machine.path('spec.yaml'), spec(name))
      started.push(machine.start('run', 'spec.yaml', '--quiet').ended)
    }
    await expect
      .poll(() => machines.map((machine) => toldOf(machine, '"running":1')), { timeout: 60_000 })
      .toEqual(machines.map(() => true))
    for (const machine of machines) writeFileSync(machine.path('go'), '')
    expect((await Promise.all(started)).map(({ code }) => code)).toEqual(machines.map(() => 0))
    for (const machine of machines) {
      const last = ['run', '-q', '--name', `${machine.name}-2`, '--', 'true']
      expect(await machine.ask(...last)).toMatchObject({ code: 0 })
      expect(await machine.ask('sync')).toMatchObject({ code: 0 })
      expect(await machine.status()).toMatchObject({ waiting_records: 0, lag_seconds: null })
    }
    const ended = ['"done":2', '"success":2', '"is_being_run":false']
    await expect
      .poll(() => machines.map((machine) => toldOf(machine, ...ended)), { timeout: 60_000 })
      .toEqual(machines.map(() => true))

    expect(await contentOfTeam(team)).toEqual(contentOfLedgers(machines.map(({ db }) => db)))
    const question = ['job-history', '--all', '--limit', '100', '--format', 'json', '--db', address]
    const listed = await here.jobmeter(question)
    const names = (JSON.parse(listed.stdout) as { name: string; status: string }[])
      .filter(({ status }) => status === 'success')
      .map(({ name }) => name)
    for (const { name } of machines)
      expect(names.filter((one) => isOf(name, one))).toEqual([
        `${name}-2`,
        `${name}-after`,
        `${name}-waits`,
        `${name}-1`,
      ])
    // When a machine was heard of is told by the clock of the team.
    const [ages] = await team.rows(
      'SELECT min(extract(epoch FROM now()) - heard_at) >= 0 AS none_negative, max(extract(epoch FROM now()) - heard_at) < 120 AS none_old FROM source',
    )
    expect(ages).toEqual({ none_negative: true, none_old: true })
  }, 240_000)

  it.concurrent('takes no job from a worker that lives, and starts each once', async ({
    expect,
    onTestFinished,
  }) => {
    // A team of its own: the other is compared with the ledgers of its machines meanwhile.
    const db = await teamOf(postgres, 'leases', [])
    const machine = new Machine('exact', 0)
    const working = [new Machine('ahead', 300), new Machine('behind', -300)]
    onTestFinished(() => [machine, ...working].forEach((one) => one.dispose()))
    const options = ['--db', db, '--cpus', '1', '--lease', '4s']
    const workers = working.map((one) => one.start('worker', ...options, '--ledger', one.db))
    const truth = machine.path('truth')
    // Longer than several leases, and one for each of them.
    const job = ['sh', '-c', `echo began >> ${truth}; sleep 13; echo ended >> ${truth}`]
    const submitted = await Promise.all(
      [1, 2].map(() => machine.ask('submit', '--db', db, '--wait', '--', ...job)),
    )
    expect(submitted.map(({ code }) => code)).toEqual([0, 0])
    expect(readFileSync(truth, 'utf8').trim().split('\n').toSorted()).toEqual([
      'began',
      'began',
      'ended',
      'ended',
    ])
    for (const worker of workers) worker.signal('SIGTERM')
    await Promise.all(workers.map(({ ended }) => ended))
  }, 120_000)

  it('is never behind by less than nothing, where a clock was set back', async ({
    expect,
    onTestFinished,
  }) => {
    const machine = new Machine('set-back', 300)
    onTestFinished(() => machine.dispose())
    await machine.ask('run', '-q', '--', 'true')
    await machine.ask('team', 'join', address)
    machine.setClock(0)
    expect(await machine.status()).toMatchObject({ waiting_records: 1, lag_seconds: 0 })
  })
})

/** `behind-1` is of `behind`, and `far-behind-1` is not. */
const isOf = (machine: string, name: string): boolean =>
  ['1', '2', 'waits', 'after'].some((end) => name === `${machine}-${end}`)
