import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOver, type QueueSubmission } from '../../src/model/queue.ts'
import { bossSchema } from '../../src/store/postgres/queue/boss-version.ts'
import { mostOvertaken } from '../../src/store/postgres/queue/choose-lanes.ts'
import { findJobs, statesOf } from '../../src/store/postgres/queue/jobs.ts'
import { TeamQueue } from '../../src/store/postgres/queue/team-queue.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { SimulatedWorker } from './simulated-worker.ts'
import { newId, submission } from './some-submission.ts'
import { teamDatabase } from './team.ts'

const stepSeconds = 0.02
const mostSteps = 2000

interface Kind {
  readonly cpus: number
  readonly seconds: number
  readonly priority: number
}

/** What comes at a step: jobs of a kind, and perhaps the end of one that came before. */
interface Arrival {
  readonly step: number
  readonly kind: number
  readonly jobs: number
  readonly cancels: number | null
}

interface Known {
  readonly submitted: QueueSubmission
  readonly kind: Kind
  readonly order: number
  isCancelled: boolean
}

const anyKind = fc.record({
  cpus: fc.integer({ min: 1, max: 4 }),
  seconds: fc.constantFrom(0.02, 0.04, 0.1, 0.6),
  priority: fc.constantFrom(0, 0, 1),
})
const anyArrival = fc.record({
  step: fc.integer({ min: 0, max: 40 }),
  kind: fc.nat({ max: 3 }),
  jobs: fc.integer({ min: 1, max: 12 }),
  cancels: fc.option(fc.nat({ max: 200 })),
})

describe.skipIf(whyNoPostgres() !== undefined)('jobs that are taken ahead', () => {
  let postgres: Postgres
  let queue: TeamQueue
  let runs = 0
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    queue = await TeamQueue.open(await teamDatabase(postgres, 'ahead'))
  }, 60_000)
  afterAll(async () => {
    await queue.close()
    await postgres.stop()
  })

  const simulated = async (user: string, cpus: number, secondsOf: (id: string) => number) => {
    const facts = { host: 'node01', user: 'ada', memoryBytes: 2 ** 30, gpus: 0, labels: [] }
    const taker = {
      ...facts,
      id: newId(),
      cpus,
      leaseSeconds: 600,
      accepts: (lane: { readonly user: string }) => lane.user === user,
    }
    await queue.join(taker.id, taker)
    return { id: taker.id, worker: new SimulatedWorker(queue, taker, secondsOf) }
  }

  /** How many jobs wait that need no more than this. */
  const waitingFor = async (user: string, cpus: number): Promise<number> => {
    const [row] = await queue.database.rows(
      `SELECT count(*) AS waiting FROM queue_lane lane JOIN ${bossSchema}.job ON job.name = 'lane-' || lane.id
       WHERE "user" = ? AND cpus <= ? AND state < 'active'`,
      [user, cpus],
    )
    return Number(row?.['waiting'])
  }

  const areOver = async (ids: readonly string[]): Promise<boolean> =>
    [...(await statesOf(queue.database, ids)).values()].every(isOver)

  /** Whether a worker keeps room for a lane. */
  const keepsRoom = async (id: string): Promise<boolean> =>
    (await queue.database.rows('SELECT FROM queue_lane WHERE reserved_by = ?::uuid', [id])).length >
    0

  /** Those of no higher priority that came later and began first, where there is but one worker. */
  const passersOf = (job: Known, begun: readonly Known[]): number => {
    const place = begun.indexOf(job)
    const before = place < 0 ? begun : begun.slice(0, place)
    return before.filter(
      ({ order, kind }) => order > job.order && kind.priority <= job.kind.priority,
    ).length
  }

  const run = async (kinds: readonly Kind[], arrivals: readonly Arrival[], cpus: number[]) => {
    const user = `user${(runs += 1)}`
    const jobs = new Map<string, Known>()
    const secondsOf = (id: string): number => jobs.get(id)?.kind.seconds ?? 0
    const workers = await Promise.all(cpus.map((each) => simulated(user, each, secondsOf)))
    const largest = Math.max(...cpus)
    const arrive = async ({ kind: index, jobs: count, cancels }: Arrival): Promise<void> => {
      const kind = kinds[index % kinds.length]
      if (kind === undefined || kind.cpus > largest) return
      const made = Array.from({ length: count }, () => {
        const { order, ...rest } = submission({ user, priority: kind.priority }, kind.cpus)
        return { ...rest, order: { ...order, command: [`kind${index % kinds.length}`] } }
      })
      for (const submitted of made)
        jobs.set(submitted.id, { submitted, kind, order: jobs.size, isCancelled: false })
      await queue.submit(made)
      const victim = [...jobs.values()][cancels ?? Infinity]
      if (victim !== undefined && (await queue.cancel(victim.submitted.id)))
        victim.isCancelled = true
    }
    const lastArrival = Math.max(...arrivals.map(({ step }) => step))
    for (let step = 0; step <= lastArrival || !(await areOver([...jobs.keys()])); step++) {
      expect(step, 'jobs that never end').toBeLessThan(mostSteps)
      for (const arrival of arrivals) if (arrival.step === step) await arrive(arrival)
      const now = step * stepSeconds
      for (const { id, worker } of workers) {
        worker.pass(now)
        while (await worker.exchange(now));
        expect(worker.free.cpus, 'more than it has').toBeGreaterThanOrEqual(0)
        if ((await waitingFor(user, worker.free.cpus)) > 0)
          expect(worker.keepsRoom || (await keepsRoom(id)), 'idle without reason').toBe(true)
      }
    }
    const begun = workers.flatMap(({ worker }) => worker.begun)
    expect(new Set(begun).size, 'jobs that began twice').toBe(begun.length)
    const ended = await findJobs(queue.database, [...jobs.keys()])
    for (const { id, state } of ended)
      expect(state === 'success' || (state === 'cancelled' && jobs.get(id)?.isCancelled)).toBe(true)
    return { jobs: [...jobs.values()], begun: begun.flatMap((id) => jobs.get(id) ?? []), workers }
  }

  it('are not lost, have their cores, and leave none idle', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyKind, { minLength: 2, maxLength: 4 }),
        fc.array(anyArrival, { minLength: 4, maxLength: 10 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 2 }),
        async (kinds, arrivals, cpus) => {
          const { jobs, begun } = await run(kinds, arrivals, cpus)
          const never = jobs.filter((job) => !begun.includes(job))
          expect(never.every(({ isCancelled }) => isCancelled)).toBe(true)
        },
      ),
      { numRuns: 6 },
    )
  }, 300_000)

  it('let a larger one begin after as many as is promised', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 4 }),
        fc.constantFrom(0.02, 0.04, 0.1),
        fc.nat({ max: 30 }),
        async (cpus, seconds, step) => {
          const small = { cpus: 1, seconds, priority: 0 }
          const large = { cpus, seconds: 0.1, priority: 0 }
          const one = { step, kind: 1, jobs: 1, cancels: null }
          const flow = Array.from({ length: 60 }, (_, at) => ({
            ...one,
            step: at,
            kind: 0,
            jobs: 3,
          }))
          const { jobs, begun, workers } = await run([small, large], [...flow, one], [cpus])
          const waited = jobs.find(({ kind }) => kind === large)
          const most = mostOvertaken + cpus + (workers[0]?.worker.mostTaken ?? 0)
          expect(waited && passersOf(waited, begun)).toBeLessThanOrEqual(most)
        },
      ),
      { numRuns: 5 },
    )
  }, 300_000)
})
