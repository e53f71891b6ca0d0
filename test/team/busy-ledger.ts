import type { Owner } from '../../src/model/machine.ts'
import { measured } from '../../src/model/measured.ts'
import { emptyUsage } from '../../src/model/usage.ts'
import type { Ledger } from '../../src/store/ledger/ledger.ts'
import { openSqliteLedger } from '../../src/store/ledger/open.ts'
import type { AttemptRef, AttemptStart } from '../../src/store/ledger/store.ts'
import { someEnd, someSamples, someStart } from '../contracts/attempts.ts'
import { someJob, someWorkflow } from '../contracts/workflows.ts'

/** Numbers from 0 to 1, the same in every run of the same seed. */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Of an attempt that began long ago and has told nothing since, the owner counts as dead. */
const begun = Math.floor(Date.now() / 1000) - 3600

interface Running {
  readonly ref: AttemptRef
  samples: number
}

/** A ledger to which things happen as they do: single commands, workflows, retries, benchmarks, samples and ends. */
export class BusyLedger {
  readonly path: string
  readonly #ledger: Ledger
  readonly #roll: () => number
  readonly #name: string
  readonly #skewSeconds: number
  readonly #running: Running[] = []
  readonly #workflows: { id: number; jobIds: readonly number[]; attempts: number[] }[] = []
  #count = 0

  /** `skewSeconds`: by how much the clock of its machine is wrong. */
  constructor(path: string, seed: number, skewSeconds = 0) {
    this.path = path
    this.#ledger = openSqliteLedger(path)
    this.#roll = dice(seed)
    this.#name = seed.toString(16).padStart(8, '0')
    this.#skewSeconds = skewSeconds
  }

  close(): void {
    this.#ledger.close()
  }

  /** Something happens. */
  act(): void {
    const roll = this.#roll()
    if (roll < 0.3) this.#begin()
    else if (roll < 0.55) this.#sample()
    else if (roll < 0.8) this.#end()
    else if (roll < 0.83) this.#makeWorkflow()
    else if (roll < 0.95) this.#beginOfWorkflow()
    else if (roll < 0.97) this.#changeStates()
    else this.#benchmark()
  }

  /** Ends what runs. */
  endAll(): void {
    while (this.#running.length > 0) this.#end()
  }

  #begin(): void {
    this.#running.push({ ref: this.#ledger.jobs.begin(this.#start()), samples: 0 })
  }

  #start(): AttemptStart {
    this.#count += 1
    return someStart(`${this.#name}${String(this.#count).padStart(24, '0')}`, {
      startedAt: begun + this.#skewSeconds + this.#count + this.#roll(),
      user: this.#roll() < 0.5 ? 'ada' : 'bob',
      job: { params: { rate: this.#roll(), text: 'tab\t, newline\n, \\N and ü' } },
    })
  }

  #sample(): void {
    const running = this.#one(this.#running)
    if (running === undefined) return
    const count = 1 + Math.floor(this.#roll() ** 20 * 1300)
    const writer = this.#ledger.jobs.writer(running.ref)
    const rows = someSamples(count, {
      elapsed_seconds: Array.from({ length: count }, (_, row) => running.samples + row),
      cpu_user_seconds: Array.from({ length: count }, () => this.#roll()),
      swap_bytes: Array.from({ length: count }, () => (this.#roll() < 0.5 ? Number.NaN : 4096)),
    })
    this.#ledger.batch(() => {
      writer.add(rows, count)
      if (this.#roll() < 0.4)
        writer.addDevice({
          kind: 'gpu',
          id: `${Math.floor(this.#roll() * 3)}`,
          columns: ['timestamp', 'elapsed_seconds', 'gpu_busy'],
          rows: Float64Array.of(1000 + running.samples, running.samples, this.#roll()),
          count: 1,
        })
    })
    running.samples += count
  }

  #end(): void {
    const running = this.#one(this.#running)
    if (running === undefined) return
    const { ref } = running
    if (this.#roll() < 0.1) {
      // Its owner is thought dead; it may still tell its end.
      this.#ledger.jobs.interrupt(ref.taskId, 'its jobmeter was killed')
      if (this.#roll() < 0.5) return
    }
    this.#running.splice(this.#running.indexOf(running), 1)
    const end = someEnd({
      durationSeconds: this.#roll() * 100,
      outcome: {
        status: this.#roll() < 0.7 ? 'success' : 'failed',
        exitCode: 0,
        signal: null,
        reason: null,
        stragglers: [],
      },
      usage: {
        ...emptyUsage(this.#roll() < 0.5 ? 'not in this test' : 'another reason'),
        cpuTotalSeconds: measured(this.#roll(), 'cgroup'),
      },
    })
    const mark = {
      timestamp: 1,
      elapsedSeconds: this.#roll(),
      step: 3,
      epoch: null,
      phase: 'fit',
      message: null,
    }
    this.#ledger.jobs.finish(ref, this.#roll() < 0.3 ? { ...end, marks: [mark] } : end)
  }

  #makeWorkflow(): void {
    const names = Array.from({ length: 3 + Math.floor(this.#roll() * 20) }, (_, n) => `job${n}`)
    const jobs = names.map((name, place) => someJob(name, { dependsOn: names.slice(0, place) }))
    this.#count += 1
    const id = this.#ledger.workflows.createWorkflow({
      ...someWorkflow(jobs),
      createdAt: Number.parseInt(this.#name, 16) + this.#count / 1000,
    })
    const found = this.#ledger.workflows.findWorkflow(id)?.jobs ?? []
    this.#workflows.push({
      id,
      jobIds: found.map(({ jobId }) => jobId),
      attempts: found.map(() => 0),
    })
    this.#ledger.workflows.lease(id, owner)
    this.#ledger.workflows.beginRun(id, {
      startedAt: begun + this.#skewSeconds,
      outputDirectory: '/out',
      host: 'node01',
      workingDirectory: '/',
    })
  }

  #beginOfWorkflow(): void {
    const workflow = this.#one(this.#workflows)
    if (workflow === undefined) return
    const place = Math.floor(this.#roll() * workflow.jobIds.length)
    const attempt = (workflow.attempts[place] ?? 0) + 1
    workflow.attempts[place] = attempt
    const jobId = workflow.jobIds[place] ?? 0
    const ref = this.#ledger.workflows.beginAttempt(
      { jobId, workflowId: workflow.id, runId: 1, attempt },
      this.#start(),
    )
    this.#running.push({ ref, samples: 0 })
  }

  #changeStates(): void {
    const workflow = this.#one(this.#workflows)
    if (workflow === undefined) return
    if (this.#roll() < 0.3) {
      this.#ledger.workflows.endRun(workflow.id, 1, begun + 9_999)
      this.#ledger.workflows.release(workflow.id, owner)
    }
    const jobId = this.#one(workflow.jobIds) ?? 0
    this.#ledger.workflows.setStates([
      { jobId, state: this.#roll() < 0.5 ? 'cancelled' : 'waiting' },
    ])
  }

  #benchmark(): void {
    this.#count += 1
    const { benchmarks } = this.#ledger
    const startedAt = Number.parseInt(this.#name, 16) + this.#count / 1000
    const id = benchmarks.begin(
      { name: 'speed', command: ['true'], runs: 3, warmup: 0, matrix: [], params: {} },
      startedAt,
    )
    benchmarks.addRun(id, { taskId: `${this.#count}`, runNumber: 1, isWarmUp: false, cell: {} })
    if (this.#roll() < 0.5) benchmarks.end(id, startedAt + 1)
    if (this.#roll() < 0.5) benchmarks.saveBaseline('main', id, startedAt + 2)
  }

  #one<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#roll() * list.length)]
  }
}

const owner: Owner = { host: 'node01', bootId: 'b0', pid: 4242, startTicks: 99 }
