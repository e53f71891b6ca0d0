import { spawn, type ChildProcess } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { seeded } from '../contracts/remote-executor.ts'
import { startPostgres, type Postgres } from '../postgres.ts'
import { programCommand } from '../program.ts'
import { guardOf } from './guard-of.ts'
import { judgeStorm, killedJobs, type Verdict } from './judge.ts'
import { startProxy, type Proxy } from './proxy.ts'
import { teamDatabase } from './team.ts'

export const leaseSeconds = 4
const jobsPerFault = 12
const shortJobs = 40
/** The next fault waits for workers that have more to do than this: the storm is about faults, not about a long queue. */
const mostWaiting = 60
const workerCpus = 3

/**
 * Each says that it runs ten times a second, and when it has ended, by the one clock that all of them share. What it prints
 * is known beforehand (`printedBy`).
 */
const job = (seconds: number): string => {
  const ticks = Math.ceil(seconds * 10)
  const say = (kind: string): string =>
    `echo "${kind} $JOBMETER_QUEUE_ID $JOBMETER_TASK_ID $(date +%s%N)" >> $TRUTH`
  const print = (words: string): string => `echo "out ${words}"; echo "err ${words}" >&2`
  return `n=${ticks}; ${print(`begins ${ticks}`)}; while [ $n -gt 0 ]; do ${say('t')}; ${print('$n')}; sleep 0.1; n=$((n-1)); done; ${print('ends')}; ${say('e')}`
}

const faults = [
  'kill worker',
  'kill worker',
  'stop worker',
  'cut',
  'stall',
  'answer lost',
  'never arrives',
  'stalls',
  'kill PostgreSQL',
  'kill submitter',
  'kill guard',
] as const
export type Fault = (typeof faults)[number]

export interface Storm extends Verdict {
  readonly faults: Readonly<Partial<Record<Fault, number>>>
  readonly directory: string
}

/** Real workers, a real PostgreSQL, and so many faults at random moments, some of them before the last one is over. */
export class QueueStorm {
  readonly #random: () => number
  readonly #directory = mkdtempSync(join(tmpdir(), 'jobmeter-storm-'))
  readonly #workers: (ChildProcess | undefined)[] = []
  readonly #done: Partial<Record<Fault, number>> = {}
  /** What goes on beside the faults: submitters that try until they are heard, and workers that are stopped. */
  readonly #beside: Promise<void>[] = []
  #postgres!: Postgres
  #proxy!: Proxy
  #address = ''
  #isOver = false

  constructor(seed: number) {
    this.#random = seeded(seed)
  }

  async run(count: number): Promise<Storm> {
    this.#postgres = await startPostgres()
    try {
      this.#address = await teamDatabase(this.#postgres, 'storm')
      this.#proxy = await startProxy(this.#postgres.port)
      for (const index of [0, 1, 2]) this.#startWorker(index)
      for (let done = 0; done < count; done++) {
        this.#beside.push(this.#submit(`batch${done}`, this.#jobs(jobsPerFault, 2.8)))
        // Those that are taken ahead of their time.
        if (done % 4 === 0)
          this.#beside.push(this.#submit(`short${done}`, this.#jobs(shortJobs, 0)))
        await sleep(500 + this.#random() * 1500)
        await this.#fault(faults[Math.floor(this.#random() * faults.length)] ?? 'cut', done)
        await this.#untilLeft(mostWaiting)
      }
      await Promise.all(this.#beside)
      await this.#untilLeft(0)
      await this.#useAllOfEachWorker()
      return { ...(await this.#judge()), faults: this.#done, directory: this.#directory }
    } finally {
      this.#isOver = true
      for (const worker of this.#workers) worker?.kill('SIGKILL')
      this.#proxy.close()
      await this.#postgres.stop()
    }
  }

  tidy(): void {
    rmSync(this.#directory, { recursive: true, force: true })
  }

  #through(): string {
    return this.#address.replace(`:${this.#postgres.port}/`, `:${this.#proxy.port}/`)
  }

  /** The second has a clock that is wrong, and was started long ago by its own account. */
  #startWorker(index: number): void {
    const skew =
      index === 1
        ? {
            NODE_OPTIONS: `--import ${join(import.meta.dirname, 'skewed-clock.ts')}`,
            SKEW_MINUTES: '11',
          }
        : {}
    const within = index === 1 && canShiftTime ? ['unshare', '-T', '--boottime', '500000'] : []
    const [program, ...rest] = [
      ...within,
      ...programCommand,
      'worker',
      `--cpus=${workerCpus}`,
      `--labels=worker${index}`,
      `--lease=${leaseSeconds}s`,
      `--ledger=${join(this.#directory, `worker${index}`, 'ledger.db')}`,
    ]
    const worker = spawn(program, rest, {
      env: { ...process.env, ...skew, JOBMETER_TEAM: this.#through(), HOME: this.#directory },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    worker.stderr?.on('data', (text: Buffer) =>
      appendFileSync(
        join(this.#directory, `worker${index}.log`),
        `${Date.now()} ${worker.pid} ${text.toString()}`,
      ),
    )
    worker.on('exit', (code, signal) => {
      appendFileSync(
        join(this.#directory, `worker${index}.log`),
        `${Date.now()} ${worker.pid} exit ${code} ${signal}\n`,
      )
      if (!this.#isOver) setTimeout(() => this.#isOver || this.#startWorker(index), 200)
    })
    this.#workers[index] = worker
  }

  #jobs(count: number, mostSeconds: number): readonly string[] {
    return Array.from({ length: count }, () => job((0.1 + 0.9 * this.#random()) * mostSeconds))
  }

  /** Until the queue has said that it has them. Nobody knows whether a commit arrived whose answer got lost: those run as well. */
  async #submit(
    name: string,
    jobs: readonly string[],
    options: readonly string[] = [],
  ): Promise<void> {
    while ((await this.#submitter(name, jobs, options).ended) !== 0) await sleep(200)
  }

  #submitter(name: string, jobs: readonly string[], options: readonly string[] = []) {
    const lines = join(this.#directory, name)
    writeFileSync(lines, jobs.join('\n'))
    const [program = '', ...rest] = programCommand
    const about = ['--name', name, '--interruptions', '1000', '--env', `TRUTH=${this.#truth}`]
    const submitter = spawn(
      program,
      [...rest, 'submit', '--each-line', lines, ...about, ...options],
      {
        env: { ...process.env, JOBMETER_TEAM: this.#through(), HOME: this.#directory },
        stdio: 'ignore',
      },
    )
    const ended = new Promise<number | null>((resolve) => submitter.on('exit', resolve))
    return { kill: () => submitter.kill('SIGKILL'), ended }
  }

  get #truth(): string {
    return join(this.#directory, 'truth')
  }

  async #fault(fault: Fault, number: number): Promise<void> {
    this.#done[fault] = (this.#done[fault] ?? 0) + 1
    appendFileSync(join(this.#directory, 'faults.log'), `${Date.now()} ${fault}\n`)
    const worker = this.#workers[Math.floor(this.#random() * this.#workers.length)]
    switch (fault) {
      case 'kill worker':
        worker?.kill('SIGKILL')
        return
      case 'stop worker': {
        worker?.kill('SIGSTOP')
        const goesOn = sleep(leaseSeconds * 1000 * (0.5 + 1.2 * this.#random()))
        this.#beside.push(goesOn.then(() => void worker?.kill('SIGCONT')))
        return
      }
      case 'cut':
        this.#proxy.cut()
        return
      case 'stall':
        this.#proxy.stall(leaseSeconds * 1000 * (0.3 + this.#random()))
        return
      case 'kill PostgreSQL':
        process.kill(this.#postgres.pid, 'SIGKILL')
        await sleep(this.#random() * 1000)
        await this.#postgres.restart()
        return
      case 'kill submitter': {
        const submitter = this.#submitter(`killed${number}`, this.#jobs(killedJobs, 0))
        await sleep(200 + this.#random() * 1000)
        submitter.kill()
        await submitter.ended
        return
      }
      case 'kill guard': {
        const pid = guardOf(worker?.pid ?? 0)
        if (pid !== undefined) process.kill(pid, 'SIGKILL')
        return
      }
      case 'answer lost':
      case 'never arrives':
      case 'stalls':
        this.#proxy.onNextCommit(fault)
    }
  }

  async #untilLeft(most: number): Promise<void> {
    const end = Date.now() + 240_000
    while (Date.now() < end && (await this.#left()) > most) await sleep(300)
  }

  async #left(): Promise<number> {
    const client = new Client({ connectionString: this.#address })
    await client.connect()
    const { rows } = await client.query<{ left: number }>(
      'SELECT count(*)::int AS left FROM jobmeter.queue_job WHERE ended_at IS NULL',
    )
    await client.end()
    return rows[0]?.left ?? 0
  }

  /** Each has all that it began with: a job that needs it all runs there. */
  async #useAllOfEachWorker(): Promise<void> {
    await Promise.all(
      [...this.#workers.keys()].map((index) => {
        const options = ['--cpus', String(workerCpus), '--labels', `worker${index}`]
        return this.#submit(`all of worker${index}`, [job(0.1)], options)
      }),
    )
    await this.#untilLeft(0)
    // Late results have time to arrive.
    await sleep(leaseSeconds * 1000)
  }

  async #judge(): Promise<Verdict> {
    this.#isOver = true
    const ended = this.#workers.map(
      (worker) => new Promise((resolve) => worker?.on('exit', resolve)),
    )
    for (const worker of this.#workers) worker?.kill('SIGTERM')
    await Promise.race([Promise.all(ended), sleep(20_000)])
    return judgeStorm(this.#address, this.#directory)
  }
}

const canShiftTime = existsSync('/proc/self/ns/time') && process.getuid?.() === 0
