import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it, vi } from 'vitest'
import { startPostgres, whyNoPostgres, type Postgres } from '../../../../test/postgres.ts'
import { newId, submission } from '../../../../test/queue/some-submission.ts'
import { teamDatabase } from '../../../../test/queue/team.ts'
import type { ExchangeRequest } from './exchange.ts'
import { attemptsOf, findJobs, listJobs } from './jobs.ts'
import { keepLogs, mostLogBytes, readLogs } from './logs.ts'
import { withdraw } from './standing.ts'
import { queueStatus } from './status.ts'
import { TeamQueue } from './team-queue.ts'
import type { TakenAttempt, Taker } from './take.ts'

describe.skipIf(whyNoPostgres() !== undefined)('the queue of a team', () => {
  let postgres: Postgres
  let queue: TeamQueue
  let databases = 0
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
  })
  afterAll(() => postgres.stop())
  beforeEach(async () => {
    queue = await TeamQueue.open(await teamDatabase(postgres, `queue${(databases += 1)}`))
  })
  afterEach(() => queue.close())

  const joined = async (differences: Partial<Taker> = {}): Promise<Taker> => {
    const worker = {
      id: newId(),
      host: 'node01',
      user: 'ada',
      cpus: 2,
      memoryBytes: 2 ** 30,
      gpus: 0,
      labels: [],
      leaseSeconds: 60,
      accepts: () => true,
      ...differences,
    }
    await queue.join(worker.id, worker)
    return worker
  }
  const exchange = (worker: Taker, differences: Partial<ExchangeRequest> = {}) =>
    queue.exchange({
      worker,
      isDraining: false,
      ends: [],
      started: [],
      givesBack: [],
      known: null,
      room: { free: worker, ahead: null, most: 16 },
      ...differences,
    })
  const end = ({ taskId }: TakenAttempt, status = 'success') => ({
    taskId,
    status,
    exitCode: status === 'success' ? 0 : 1,
    reason: null,
    result: '{}',
  })
  const stateOf = async (id: string) => (await findJobs(queue.database, [id]))[0]?.state
  const expire = (worker: Taker) =>
    queue.database.run(
      `UPDATE queue_worker SET lease_until = clock_timestamp() - interval '1 s' WHERE id = ?::uuid`,
      [worker.id],
    )

  /** A job that a worker has just taken. */
  const takenJob = async () => {
    const job = submission()
    await queue.submit([job])
    await exchange(await joined())
    return job
  }
  const waitsForLock = async (): Promise<boolean> => {
    const sql = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO queue_job%'`
    return (await queue.database.rows(sql)).length > 0
  }

  it('hands a job to one worker, and keeps its result', async () => {
    const job = submission()
    await queue.submit([job])
    const one = await joined()
    const two = await joined()
    const { taken } = await exchange(one)
    expect(taken).toMatchObject([{ taskId: job.id, jobId: job.id, number: 1, user: 'ada' }])
    expect((await exchange(two)).taken).toEqual([])
    await exchange(one, { ends: taken.map((each) => end(each)) })
    expect(await stateOf(job.id)).toBe('success')
    const left = await queue.database.ask('SELECT 1 FROM jobmeter_queue.job')
    expect(left.rows).toEqual([])
  })

  it('takes all jobs of a submission, or none, and each only once', async () => {
    const job = submission()
    const broken = submission({ priority: 3e9 })
    await expect(queue.submit([job, broken])).rejects.toThrow('integer')
    expect(await stateOf(job.id)).toBeUndefined()
    const { rows } = await queue.database.ask('SELECT 1 FROM jobmeter_queue.job')
    expect(rows).toEqual([])
    await queue.submit([job])
    await queue.submit([job])
    expect((await exchange(await joined())).taken).toHaveLength(1)
  })

  it('gives a worker only what it has room, labels and leave for', async () => {
    const large = submission({}, 4)
    const labelled = submission()
    const order = { ...labelled.order, labels: ['scratch'] }
    const other = submission({ user: 'eve' })
    await queue.submit([large, { ...labelled, order }, other])
    const picky = await joined({ accepts: ({ user }) => user !== 'eve' })
    expect((await exchange(picky)).taken).toEqual([])
    const scratch = await joined({ labels: ['fast', 'scratch'], accepts: picky.accepts })
    expect((await exchange(scratch)).taken).toMatchObject([{ jobId: labelled.id }])
    const big = await joined({ cpus: 8, accepts: picky.accepts })
    expect((await exchange(big)).taken).toMatchObject([{ jobId: large.id }])
  })

  it('has a job of a lost worker run again, and keeps what comes late as superseded', async () => {
    const job = submission()
    await queue.submit([job])
    const lost = await joined()
    const [first] = (await exchange(lost)).taken
    if (first === undefined) throw new Error('nothing was taken')
    await expire(lost)
    expect(await queue.reap()).toBe(1)
    expect(await queue.renew(lost.id)).toBe(false)
    await expect(exchange(lost)).rejects.toThrow('its jobs were given to others')
    const other = await joined()
    const [second] = (await exchange(other)).taken
    expect(second).toMatchObject({ jobId: job.id, number: 2 })
    if (second === undefined) return
    await queue.keepLate(other.id, [{ ...end(first), result: '{"late":true}' }])
    expect(await stateOf(job.id)).toBe('running')
    await exchange(other, { ends: [end(second)] })
    expect(await stateOf(job.id)).toBe('success')
    expect((await attemptsOf(queue.database, [job.id])).map(({ state }) => state)).toEqual([
      'superseded',
      'ended',
    ])
  })

  it('has a job run again that its worker took without hearing of it before it left', async () => {
    const job = submission()
    await queue.submit([job])
    const worker = await joined()
    await exchange(worker)
    await queue.leave(worker.id)
    expect(await queue.reap()).toBe(1)
    expect(await stateOf(job.id)).toBe('queued')
  })

  it('settles a job whatever is said of its end', async () => {
    const job = submission()
    await queue.submit([job])
    const worker = await joined()
    await exchange(worker)
    const reason = 'x'.repeat(100_000)
    const told = { taskId: job.id, status: 'error', exitCode: null, reason, result: null } as const
    await exchange(worker, { ends: [told] })
    expect(await findJobs(queue.database, [job.id])).toMatchObject([
      { state: 'error', reason: 'x'.repeat(16_000) },
    ])
  })

  it('calls a job interrupted when it was interrupted too often', async () => {
    const job = submission({ interruptions: 0 })
    await queue.submit([job])
    const lost = await joined()
    await exchange(lost)
    await expire(lost)
    await queue.reap()
    expect((await findJobs(queue.database, [job.id]))[0]).toMatchObject({
      state: 'interrupted',
      reason: 'its worker on node01 was lost',
    })
  })

  it('leaves a worker alone that renewed its lease in time', async () => {
    await queue.submit([submission()])
    const worker = await joined()
    await exchange(worker)
    await expire(worker)
    expect(await queue.renew(worker.id)).toBe(true)
    expect(await queue.reap()).toBe(0)
  })

  it('runs a job again that failed, as often as its rule says', async () => {
    const job = submission({ retries: 1 })
    await queue.submit([job])
    const worker = await joined()
    for (const [number, state] of [
      [1, 'queued'],
      [2, 'failed'],
    ] as const) {
      const [taken] = (await exchange(worker)).taken
      expect(taken?.number).toBe(number)
      if (taken !== undefined) await exchange(worker, { ends: [end(taken, 'failed')], room: null })
      expect(await stateOf(job.id)).toBe(state)
    }
  })

  it('takes an end that is told again for the same', async () => {
    const job = submission({ retries: 5 })
    await queue.submit([job])
    const worker = await joined()
    const [taken] = (await exchange(worker)).taken
    if (taken === undefined) throw new Error('nothing was taken')
    await exchange(worker, { ends: [end(taken, 'failed')], room: null })
    await exchange(worker, { ends: [end(taken, 'failed')], room: null })
    const { rows } = await queue.database.ask('SELECT retries FROM jobmeter.queue_job')
    expect(rows).toEqual([{ retries: 4 }])
  })

  it('tells a worker again what it took without hearing of it', async () => {
    const job = submission()
    await queue.submit([job])
    const worker = await joined()
    await exchange(worker)
    expect((await exchange(worker, { known: [] })).taken).toMatchObject([{ jobId: job.id }])
    expect((await exchange(worker, { known: [job.id] })).taken).toEqual([])
  })

  it('takes back what was not begun, as if nobody had had it', async () => {
    const job = submission({ interruptions: 0 })
    await queue.submit([job])
    const worker = await joined()
    await exchange(worker)
    await exchange(worker, { givesBack: [{ taskId: job.id, passedOver: 0 }], room: null })
    expect((await exchange(await joined())).taken).toMatchObject([{ taskId: job.id, number: 1 }])
  })

  it('cancels a job that waits at once, and has one that runs end', async () => {
    const waiting = submission()
    const follower = submission({ after: waiting.id })
    await queue.submit([waiting, follower])
    expect(await queue.cancel(waiting.id)).toBe(true)
    expect(await stateOf(waiting.id)).toBe('cancelled')
    expect(await stateOf(follower.id)).toBe('cancelled')
    expect(await queue.cancel(waiting.id)).toBe(false)
    const running = submission()
    await queue.submit([running])
    const worker = await joined()
    await exchange(worker)
    await queue.cancel(running.id)
    await queue.cancel(running.id, 1)
    expect((await exchange(worker)).cancels).toEqual(new Map([[running.id, 1]]))
  })

  it('cancels what comes after a job that is cancelled as it is submitted, in whatever order', async () => {
    const first = submission()
    await queue.submit([first])
    await queue.cancel(first.id)
    const second = submission({ after: first.id })
    const third = submission({ after: second.id })
    const fourth = submission({ after: third.id })
    await queue.submit([fourth, third, second])
    for (const { id } of [second, third, fourth]) expect(await stateOf(id)).toBe('cancelled')
    const [job] = await findJobs(queue.database, [fourth.id])
    expect(job).toMatchObject({
      reason: `not run, because task ${third.id} before it ended with the status cancelled`,
    })
  })

  it('cancels what comes after a job that was withdrawn before it arrived', async () => {
    const early = submission()
    const late = submission({ after: early.id })
    await queue.database
      .transaction(async (_, statements) => {
        await withdraw(statements, [early.id], 'cancelled')
        const submitted = queue.submit([early, late])
        await expect.poll(waitsForLock).toBe(true)
        return { submitted }
      })
      .then(({ submitted }) => submitted)
    expect(await stateOf(late.id)).toBe('cancelled')
  })

  it('can be paused, and drained', async () => {
    await queue.submit([submission()])
    const worker = await joined()
    await queue.setState('paused')
    expect(await exchange(worker)).toMatchObject({ taken: [], state: 'paused' })
    await queue.submit([submission()])
    await queue.setState('draining')
    await expect(queue.submit([submission()])).rejects.toThrow('is being drained')
    expect((await exchange(worker)).taken).toHaveLength(2)
    expect(await queueStatus(queue.database)).toMatchObject({
      state: 'draining',
      jobs: { running: 2 },
      users: [{ user: 'ada', running: 2, cores: 2 }],
      workers: [{ host: 'node01', state: 'alive', running: 2 }],
    })
  })

  it('keeps room on one worker for a job that was passed over too often', async () => {
    const large = submission({}, 2)
    await queue.submit([large])
    const worker = await joined()
    const half = { free: { ...worker, cpus: 1 }, ahead: null, most: 1 }
    for (let passed = 0; passed < 32; passed++) {
      await queue.submit([submission()])
      const { taken } = await exchange(worker, { room: half })
      expect(taken).toHaveLength(1)
    }
    await queue.submit([submission()])
    expect((await exchange(worker, { room: half })).taken).toEqual([])
    const other = await joined()
    expect((await exchange(other, { room: half })).taken).toHaveLength(1)
    expect((await exchange(worker)).taken).toMatchObject([{ jobId: large.id }])
  })

  it('keeps room on all workers for a job for which one did in vain', async () => {
    const large = submission({}, 2)
    await queue.submit([large, submission()])
    await queue.database.run('UPDATE queue_lane SET overtaken = 32 WHERE cpus = 2')
    const busy = await joined()
    const other = await joined()
    const half = { free: { ...busy, cpus: 1 }, ahead: null, most: 1 }
    expect((await exchange(busy, { room: half })).taken).toEqual([])
    await queue.database.run(
      `UPDATE queue_lane SET reserved_since = reserved_since - interval '11 min'`,
    )
    expect((await exchange(other, { room: half })).taken).toEqual([])
    expect((await exchange(busy, { room: half })).taken).toEqual([])
    expect((await exchange(other)).taken).toMatchObject([{ jobId: large.id }])
    expect((await exchange(busy, { room: half })).taken).toHaveLength(1)
  })

  const laneOf = async ({ id }: { readonly id: string }) => {
    const [row] = await queue.database.rows(
      `SELECT lane.id, overtaken, served_at::text, (reserved_by IS NOT NULL)::int AS reserved
       FROM queue_job job JOIN queue_lane lane ON lane.id = lane_id WHERE job.id = ?::uuid`,
      [id],
    )
    return row ?? {}
  }

  it('tells what was taken ahead as queued, and counts no cores for it, until it begins', async () => {
    const jobs = [submission(), submission(), submission()]
    await queue.submit(jobs)
    const worker = await joined()
    const lanes = new Set([Number((await laneOf(jobs[0] ?? submission()))['id'])])
    const room = { free: worker, ahead: { most: 4, free: worker, lanes }, most: 16 }
    const { taken } = await exchange(worker, { room })
    expect(taken.map(({ isAhead }) => isAhead)).toEqual([false, false, true])
    expect(await queueStatus(queue.database)).toMatchObject({
      jobs: { running: 2, queued: 1 },
      users: [{ user: 'ada', running: 2, queued: 1, cores: 2 }],
      workers: [{ running: 2 }],
    })
    const asked = { user: undefined, limit: 9 }
    const waiting = await listJobs(queue.database, { ...asked, states: ['queued'] })
    expect(waiting.map(({ id, state }) => [id, state])).toEqual([[taken[2]?.jobId, 'queued']])
    const started = taken.map(({ taskId }) => taskId)
    await exchange(worker, { started, room: null })
    expect((await queueStatus(queue.database)).users).toMatchObject([{ running: 3, cores: 3 }])
    expect(await listJobs(queue.database, { ...asked, states: ['running'] })).toHaveLength(3)
  })

  it('counts how long a lane waits until one of its jobs begins, whoever takes and gives back', async () => {
    const job = submission()
    await queue.submit([job])
    await queue.database.run('UPDATE queue_lane SET overtaken = 5')
    const before = await laneOf(job)
    const worker = await joined()
    await exchange(worker)
    const givesBack = [{ taskId: job.id, passedOver: 3 }]
    await exchange(worker, { givesBack, room: null })
    expect(await laneOf(job)).toEqual({ ...before, overtaken: 8 })
    await exchange(worker)
    await exchange(worker, { started: [job.id], room: null })
    expect(await laneOf(job)).toMatchObject({ overtaken: 0 })
    expect((await laneOf(job))['served_at']).not.toBe(before['served_at'])
  })

  it('owes nothing for a job that is gone', async () => {
    const large = submission({}, 2)
    await queue.submit([large])
    await queue.database.run('UPDATE queue_lane SET overtaken = 32')
    const worker = await joined()
    const half = { free: { ...worker, cpus: 1 }, ahead: null, most: 1 }
    await exchange(worker, { room: half })
    expect(await laneOf(large)).toMatchObject({ overtaken: 32, reserved: 1 })
    const another = submission({}, 2)
    await queue.submit([another])
    await queue.cancel(large.id)
    expect(await laneOf(large)).toMatchObject({ overtaken: 32, reserved: 1 })
    await queue.cancel(another.id)
    expect(await laneOf(large)).toMatchObject({ overtaken: 0, reserved: 0 })
    await queue.submit([submission({}, 2), submission()])
    expect((await exchange(worker, { room: half })).taken).toHaveLength(1)
  })

  const inFolders = (count: number, differences = {}) =>
    Array.from({ length: count }, (_, index) => {
      const job = submission(differences)
      return { ...job, order: { ...job.order, command: [`/folder${index}/run`] } }
    })

  it('puts jobs of many kinds into the queue in a few statements', async () => {
    using queries = vi.spyOn(Client.prototype, 'query')
    await queue.submit(inFolders(300))
    expect(queries.mock.calls.length).toBeLessThan(20)
    const { rows } = await queue.database.ask('SELECT count(*) FROM jobmeter_queue.job')
    expect(rows).toEqual([{ count: 300 }])
  })

  it('finds the one kind that a worker accepts among many', async () => {
    await queue.submit(inFolders(300))
    const job = submission()
    await queue.submit([job])
    const worker = await joined({ accepts: ({ program }) => program === 'true' })
    expect((await exchange(worker)).taken).toMatchObject([{ jobId: job.id }])
    await queue.submit([submission({ user: 'bob' }), ...inFolders(300, { user: 'bob' })])
    expect((await exchange(worker)).taken).toMatchObject([{ user: 'bob' }])
  })

  it('ends what cannot be read as an error, and goes on', async () => {
    const { order } = submission()
    const whole = JSON.stringify(order)
    const broken = ['garbage', '{}', 'null', '[]', '"x"', whole.replace('["true"]', '[]')]
    const attempts = [{ command: [] }, { ...order, stdout: 5 }]
    const amounts = [
      { requirements: { ...order.requirements, cpus: -1e6 } },
      { intervalSeconds: 0 },
      { graceSeconds: -1 },
    ]
    const definitions = [
      ...broken,
      ...amounts.map((amount) => JSON.stringify({ ...order, ...amount })),
      ...attempts.map((attempt) => JSON.stringify({ ...order, attempt })),
    ]
    const jobs = definitions.map(() => submission())
    await queue.submit(jobs)
    for (const [index, { id }] of jobs.entries())
      await queue.database.run('UPDATE queue_job SET definition = ? WHERE id = ?::uuid', [
        definitions[index] ?? '',
        id,
      ])
    const good = submission()
    await queue.submit([good])
    const worker = await joined({ cpus: 16 })
    expect((await exchange(worker)).taken).toMatchObject([{ jobId: good.id }])
    const found = await findJobs(
      queue.database,
      jobs.map(({ id }) => id),
    )
    expect(found.map(({ state, reason }) => `${state}: ${reason}`)).toEqual(
      jobs.map(
        () => 'error: what is to be run cannot be read: not in a format that this build knows',
      ),
    )
  })

  it('names the version of an order that a newer build wrote', async () => {
    const job = submission()
    await queue.submit([job])
    await queue.database.run(`UPDATE queue_job SET definition = '{"version":2}'`)
    expect((await exchange(await joined())).taken).toEqual([])
    expect(await findJobs(queue.database, [job.id])).toMatchObject([
      {
        state: 'error',
        reason:
          'what is to be run cannot be read: written by version 2; this build reads up to 1. Use a newer jobmeter',
      },
    ])
  })

  it('calls a job that was cancelled so, however it ended then, and begins none after it', async () => {
    for (const status of ['success', 'failed', 'timeout', 'interrupted', 'cancelled']) {
      const job = submission()
      const follower = submission({ after: job.id })
      await queue.submit([job, follower])
      const worker = await joined()
      const [taken] = (await exchange(worker)).taken
      expect(await queue.cancel(job.id)).toBe(true)
      await exchange(worker, { ends: [end(taken as TakenAttempt, status)] })
      expect([status, await stateOf(job.id), await stateOf(follower.id)]).toEqual([
        status,
        'cancelled',
        'cancelled',
      ])
    }
  })

  it('refuses what would make every worker fail', async () => {
    await queue.submit([submission()])
    await joined()
    for (const change of [
      `queue_worker SET lease_until = 'infinity'`,
      `queue_worker SET lease_seconds = 'infinity'`,
      `queue_lane SET served_at = 'infinity'`,
      'queue_lane SET overtaken = 2147483647',
      'queue_lane SET cpus = -1',
    ])
      await expect(queue.database.run(`UPDATE ${change}`), change).rejects.toThrow('check')
  })

  it('keeps what was printed since, where a piece comes again that was thought to be lost', async () => {
    const { id: taskId } = await takenJob()
    const stream = 'stdout'
    const send = (text: string) =>
      keepLogs(queue.database, [{ taskId, stream, fromByte: 0, bytes: Buffer.from(text) }])
    const kept = async () =>
      Buffer.concat(
        (await readLogs(queue.database, taskId, stream, 0)).map(({ bytes }) => bytes),
      ).toString()
    await send('first\n')
    await send('first\nlast\n')
    expect(await kept()).toBe('first\nlast\n')
    await send('first\n')
    expect(await kept()).toBe('first\nlast\n')
  })

  it('keeps the end of what a job prints', async () => {
    const job = submission()
    await queue.submit([job])
    await exchange(await joined())
    const piece = (fromByte: number, text: string) => ({
      taskId: job.id,
      stream: 'stdout' as const,
      fromByte,
      bytes: Buffer.from(text),
    })
    await keepLogs(queue.database, [piece(0, 'one\n'), piece(4, 'two\n')])
    await keepLogs(queue.database, [piece(4, 'two\n')])
    const read = await readLogs(queue.database, job.id, 'stdout', 2)
    expect(Buffer.concat(read.map(({ bytes }) => bytes)).toString()).toBe('e\ntwo\n')
    await keepLogs(queue.database, [piece(8 + mostLogBytes, 'end\n')])
    const kept = await readLogs(queue.database, job.id, 'stdout', 0)
    expect(kept.map(({ fromByte }) => fromByte)).toEqual([8 + mostLogBytes])
  })
})
