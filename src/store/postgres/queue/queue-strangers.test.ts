import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startPostgres, whyNoPostgres, type Postgres } from '../../../../test/postgres.ts'
import { newId, submission } from '../../../../test/queue/some-submission.ts'
import { teamDatabase } from '../../../../test/queue/team.ts'
import { bossSchema } from './boss-version.ts'
import type { EndedAttempt, ExchangeRequest } from './exchange.ts'
import { findJobs } from './jobs.ts'
import type { Taker } from './take.ts'
import { TeamQueue } from './team-queue.ts'

const facts = { host: 'node01', user: 'x', cpus: 4, memoryBytes: 1e9, gpus: 0, labels: [] }

describe.skipIf(whyNoPostgres() !== undefined)('strangers in the queue of a team', () => {
  let postgres: Postgres
  let database = ''
  let count = 0
  const toClose: (() => Promise<void>)[] = []
  const as = async (user: string): Promise<TeamQueue> => {
    const queue = await TeamQueue.open(postgres.address(database, user))
    toClose.push(() => queue.close())
    return queue
  }
  /** Somebody with a client of their own, who may leave transactions open. */
  const client = async (user: string): Promise<Client> => {
    const made = new Client({
      connectionString: postgres.address(database, user),
      options: '-c search_path=jobmeter',
    })
    await made.connect()
    toClose.push(() => made.end())
    return made
  }

  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    await teamDatabase(postgres, 'roles')
    const root = await TeamQueue.open(postgres.address('roles'))
    // A worker that would have to wait for a lock fails here.
    await root.database.run(`
      CREATE ROLE ada LOGIN IN ROLE jobmeter_writer, jobmeter_reader;
      CREATE ROLE bob LOGIN IN ROLE jobmeter_writer, jobmeter_reader;
      CREATE ROLE node17 LOGIN IN ROLE jobmeter_node;
      CREATE ROLE wk LOGIN IN ROLE jobmeter_worker, jobmeter_node;
      CREATE ROLE wk2 LOGIN IN ROLE jobmeter_worker, jobmeter_node;
      ALTER ROLE wk SET lock_timeout = '2s'`)
    await root.close()
  }, 60_000)
  beforeEach(async () => {
    database = `strangers${(count += 1)}`
    await teamDatabase(postgres, database)
  })
  afterAll(async () => {
    await Promise.all(toClose.map((close) => close()))
    await postgres.stop()
  })

  const joined = async (queue: TeamQueue): Promise<Taker> => {
    const worker = { ...facts, leaseSeconds: 60, id: newId(), accepts: () => true }
    await queue.join(worker.id, worker)
    return worker
  }
  const exchange = (
    queue: TeamQueue,
    worker: Taker,
    told: Partial<Pick<ExchangeRequest, 'ends' | 'givesBack'>> = {},
  ) =>
    queue.exchange({
      worker,
      isDraining: false,
      ends: [],
      started: [],
      givesBack: [],
      known: null,
      room: { free: worker, ahead: null, most: 64 },
      ...told,
    })
  const end = (taskId: string): EndedAttempt => ({
    taskId,
    status: 'success',
    exitCode: 0,
    reason: null,
    result: '{}',
  })
  const stateOf = async (queue: TeamQueue, { id }: { readonly id: string }) =>
    (await findJobs(queue.database, [id])).map(({ state }) => state)

  it('write nothing that pg-boss makes statements of', async () => {
    await (await as('ada')).submit([submission()])
    const columns = `name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds, retention_seconds,
      deletion_seconds, partition, table_name`
    const evil = (name: string) =>
      `INSERT INTO ${bossSchema}.queue (${columns})
       VALUES ('${name}', 'standard', 1, 0, false, 9, 9, 9, false, 'job_common WHERE false')`
    for (const user of ['ada', 'node17', 'wk']) {
      const stranger = await client(user)
      for (const sql of [
        evil('lane-77'),
        `UPDATE ${bossSchema}.queue SET table_name = 'nosuch'`,
        `DELETE FROM ${bossSchema}.queue`,
        `SELECT ${bossSchema}.create_queue('lane-78', '{"policy": "short"}')`,
        `INSERT INTO ${bossSchema}.job (id, name) VALUES (gen_random_uuid(), 'lane-1')`,
        `INSERT INTO ${bossSchema}.job_common (id, name) VALUES (gen_random_uuid(), 'lane-1')`,
        `INSERT INTO ${bossSchema}.bam (name, version, table_name, command) VALUES ('x', 1, 'x', 'x')`,
        `UPDATE ${bossSchema}.version SET version = 1`,
        'SELECT place_jobs(NULL)',
        'SELECT end_untaken(NULL)',
      ])
        await expect(stranger.query(sql), `${user}: ${sql}`).rejects.toThrow('permission denied')
    }
    const root = await client('postgres')
    for (const sql of [
      evil('lane-77'),
      evil('lane-7; SELECT 1'),
      `UPDATE ${bossSchema}.queue SET policy = 'short'`,
      `UPDATE ${bossSchema}.queue SET dead_letter = 'lane-2'`,
    ])
      await expect(root.query(sql), sql).rejects.toThrow('queue_of_lane')
    const { rows } = await root.query(`SELECT name, table_name, policy FROM ${bossSchema}.queue`)
    expect(rows).toEqual([{ name: 'lane-1', table_name: 'job_common', policy: 'standard' }])
  })

  it('are no workers, and begin, end and print nothing', async () => {
    const bob = await as('bob')
    const job = submission()
    await bob.submit([job])
    const wk = await as('wk')
    const worker = await joined(wk)
    expect((await exchange(wk, worker)).taken).toMatchObject([{ jobId: job.id }])
    const root = await client('postgres')
    await root.query("INSERT INTO viewer VALUES ('ada', 'bob')")
    const ada = await client('ada')
    for (const sql of [
      `INSERT INTO queue_worker (id, host, "user", cpus, memory_bytes, gpus, labels, lease_seconds, lease_until)
       VALUES (gen_random_uuid(), 'h', 'ada', 0, 0, 0, '{}', 1, now() - interval '1 h')`,
      'UPDATE queue_worker SET lease_until = now()',
      `INSERT INTO queue_attempt (task_id, job_id, lane_id, worker_id, number, fence)
       SELECT gen_random_uuid(), id, lane_id, gen_random_uuid(), 2, 0 FROM queue_job`,
      "UPDATE queue_attempt SET state = 'interrupted'",
      'DELETE FROM queue_attempt',
      "UPDATE queue_job SET state = 'queued'",
      'UPDATE queue_lane SET overtaken = 1000000',
      "INSERT INTO queue_log SELECT task_id, 'stdout', 0, 'x' FROM queue_attempt",
      'INSERT INTO queue_cancel SELECT id, 2 FROM queue_job',
      'SELECT id FROM queue_lane FOR UPDATE',
      'SELECT id FROM queue_job FOR SHARE',
      'SELECT id FROM queue_worker FOR KEY SHARE',
      'DO $$ BEGIN LOCK TABLE queue_job; END $$',
    ])
      await expect(ada.query(sql), sql).rejects.toThrow('permission denied')
    expect((await exchange(wk, worker, { ends: [end(job.id)] })).superseded).toEqual([])
    expect(await stateOf(bob, job)).toEqual(['success'])
  })

  it('put in jobs that wait or never begin, of their own name', async () => {
    const ada = await as('ada')
    await ada.submit([submission()])
    const stranger = await client('ada')
    const put = (columns: string, values: string) =>
      stranger.query(
        `INSERT INTO queue_job (id, lane_id, name, priority, definition, retries, interruptions, ${columns})
         SELECT gen_random_uuid(), id, 'x', 0, '{}', 0, 0, ${values} FROM queue_lane`,
      )
    await expect(put('state', "'running'")).rejects.toThrow('row-level security')
    await expect(put('state, ended_at', "'success', now()")).rejects.toThrow('row-level security')
    await expect(put('state', "'cancelled'")).rejects.toThrow('row-level security')
    await expect(put('state, role', "'queued', 'bob'")).rejects.toThrow('permission denied')
    await expect(put('state, attempt_count', "'queued', 7")).rejects.toThrow('permission denied')
  })

  it('who work have nothing to do with the attempts of other workers', async () => {
    const [ada, wk, wk2] = [await as('ada'), await as('wk'), await as('wk2')]
    const [mine, waiting] = [submission({}, 2), submission({}, 3)]
    await ada.submit([mine])
    const worker = await joined(wk)
    expect((await exchange(wk, worker)).taken).toMatchObject([{ jobId: mine.id }])
    await ada.submit([waiting])
    const other = await joined(wk2)
    const begun = (lane: string, taskId: string, workerId: string) =>
      wk2.database.run(
        `INSERT INTO queue_attempt (task_id, job_id, lane_id, worker_id, number, fence)
         SELECT ?::uuid, id, ${lane}, ?::uuid, 1, 0 FROM queue_job WHERE id = ?::uuid`,
        [taskId, workerId, waiting.id],
      )
    await expect(begun('lane_id', waiting.id, worker.id)).rejects.toThrow('row-level security')
    await expect(begun('lane_id - 1', waiting.id, other.id)).rejects.toThrow('row-level security')
    await expect(begun('lane_id', newId(), other.id)).rejects.toThrow('check constraint')
    for (const sql of [
      "UPDATE queue_attempt SET state = 'interrupted'",
      'DELETE FROM queue_attempt',
      "UPDATE queue_job SET state = 'failed' WHERE state = 'running'",
      `UPDATE queue_worker SET lease_until = now() WHERE id = '${worker.id}'`,
    ])
      await expect(wk2.database.run(sql), sql).resolves.toBe(0)
    await expect(
      wk2.database.run("INSERT INTO queue_log SELECT task_id, 'stdout', 0, 'x' FROM queue_attempt"),
    ).rejects.toThrow('row-level security')
  })

  it('hold up no worker, whatever they leave undone', async () => {
    const [ada, bob, wk] = [await as('ada'), await as('bob'), await as('wk')]
    const running = submission({}, 1)
    const [follower, second] = [
      submission({ after: running.id }),
      submission({ after: running.id }),
    ]
    const queued = submission({}, 2)
    await ada.submit([running, follower, second])
    const worker = await joined(wk)
    expect((await exchange(wk, worker)).taken).toMatchObject([{ jobId: running.id }])
    await ada.submit([queued])
    const bobs = submission()
    await bob.submit([bobs])
    const stranger = await client('ada')
    await stranger.query('BEGIN')
    await stranger.query(`SELECT pg_advisory_lock(x'6a6d7771'::int, hashtext('${worker.id}'))`)
    for (const { id } of [running, follower, queued])
      await stranger.query(`SELECT cancel_job('${id}', NULL)`)
    await stranger.query(`SELECT follow_jobs('{${running.id}}')`)
    await stranger.query('SELECT reap_workers()')
    await stranger.query(
      `INSERT INTO queue_job (id, lane_id, name, priority, definition, after_job, state, retries, interruptions)
       SELECT gen_random_uuid(), min(id), 'x', 0, '{}', '${running.id}', 'waiting', 0, 0 FROM queue_lane`,
    )
    const { taken } = await exchange(wk, worker, { ends: [end(running.id)] })
    expect(new Set(taken.map(({ jobId }) => jobId))).toEqual(new Set([second.id, bobs.id]))
    expect(await stateOf(ada, running)).toEqual(['success'])
    await expect(wk.renew(worker.id)).resolves.toBe(true)
    await wk.reap()
    await wk.mend()
    await wk.prune()
    expect(await stateOf(ada, follower)).toEqual(['waiting'])
    // What was left out meanwhile is seen to later.
    await stranger.query('ROLLBACK')
    await wk.mend()
    expect([await stateOf(ada, follower), await stateOf(ada, queued)]).toEqual([
      ['queued'],
      ['queued'],
    ])
  })

  it('who find that a worker is lost hold up neither it nor others by not saying so', async () => {
    const [ada, wk, root] = [await as('ada'), await as('wk'), await as('postgres')]
    const job = submission()
    await ada.submit([job])
    const worker = await joined(wk)
    await exchange(wk, worker)
    await root.database.run("UPDATE queue_worker SET lease_until = now() - interval '1 s'")
    const stranger = await client('ada')
    await stranger.query('BEGIN')
    expect((await stranger.query('SELECT reap_workers()')).rows).toEqual([{ reap_workers: 1 }])
    await expect(wk.renew(worker.id)).resolves.toBe(false)
    await expect(exchange(wk, worker)).rejects.toMatchObject({ code: 'lease-lost' })
    await expect(wk.keepLate(worker.id, [end(job.id)])).resolves.toBe(false)
    await expect(wk.reap()).resolves.toBe(0)
    await wk.leave(worker.id)
    await stranger.query('COMMIT')
    await expect(wk.keepLate(worker.id, [end(job.id)])).resolves.toBe(true)
    expect(await root.database.rows('SELECT state FROM queue_attempt')).toEqual([
      { state: 'superseded' },
    ])
    expect(await stateOf(ada, job)).toEqual(['queued'])
  })

  it('have no worker wait for all that follows one job, or for a long chain of jobs', async () => {
    const [ada, wk] = [await as('ada'), await as('wk')]
    const first = submission()
    const crowd = Array.from({ length: 6_000 }, () => submission({ after: first.id }))
    await ada.submit([first, ...crowd])
    const chain = Array.from({ length: 600 }, () => newId())
    await ada.submit(
      chain.map((id, index) => submission({ id, after: chain[index - 1] ?? null }, 64)),
    )
    const worker = await joined(wk)
    expect((await exchange(wk, worker)).taken).toMatchObject([{ jobId: first.id }])
    await exchange(wk, worker, { ends: [{ ...end(first.id), status: 'failed' }] })
    const waiting = () =>
      ada.database.rows("SELECT count(*) AS count FROM queue_job WHERE state = 'waiting'")
    expect(await waiting()).toEqual([{ count: 1_000 + 599 }])
    await ada.cancel(chain[0] ?? '')
    expect(await waiting()).toEqual([{ count: 1_000 + 99 }])
    await wk.mend()
    expect(await waiting()).toEqual([{ count: 0 }])
  })

  it('cannot ask for more than can be counted', async () => {
    const [ada, wk] = [await as('ada'), await as('wk')]
    const job = submission({ interruptions: 2 ** 31 - 1 })
    await ada.submit([job])
    const worker = await joined(wk)
    expect((await exchange(wk, worker)).taken).toHaveLength(1)
    await ada.cancel(job.id, 2 ** 31 - 1)
    await expect(ada.cancel(job.id)).rejects.toThrow('out of range')
    await exchange(wk, worker, { givesBack: [{ taskId: job.id, passedOver: 0 }] })
    expect(await stateOf(ada, job)).toEqual(['cancelled'])
    await expect(ada.submit([submission({ interruptions: -1 })])).rejects.toThrow('check')
  })

  it('who work say of their machines what a machine can be', async () => {
    const wk = await as('wk')
    const lies = [
      { cpus: Number.NaN },
      { cpus: Infinity },
      { memoryBytes: Infinity },
      { memoryBytes: -1 },
      { gpus: -5 },
      { gpus: 1e12 },
      { host: 'node01\nthe queue is closed' },
      { host: '' },
      { user: '\u001B[31mroot' },
      { labels: ['fast', 'a\nb'] },
    ]
    for (const lie of lies)
      await expect(
        wk.join(newId(), { ...facts, leaseSeconds: 60, ...lie }),
        JSON.stringify(lie),
      ).rejects.toThrow('check constraint')
    const ada = await as('ada')
    await expect(
      ada.database.run(
        `SELECT make_lanes('{ada}', '{""}', '{sh}', '{""}', '{NaN}', '{0}', '{0}', '{"[]"}')`,
      ),
    ).rejects.toThrow('check constraint')
  })
})
