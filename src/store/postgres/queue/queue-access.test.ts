import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startPostgres, whyNoPostgres, type Postgres } from '../../../../test/postgres.ts'
import { newId, submission } from '../../../../test/queue/some-submission.ts'
import { teamDatabase } from '../../../../test/queue/team.ts'
import { bossSchema } from './boss.ts'
import { findJobs } from './jobs.ts'
import { keepLogs } from './logs.ts'
import { changeShare, queueShares } from './shares.ts'
import { queueStatus } from './status.ts'
import type { Taker } from './take.ts'
import { TeamQueue } from './team-queue.ts'

const tables = ['queue_lane', 'queue_job', 'queue_attempt', 'queue_log']

describe.skipIf(whyNoPostgres() !== undefined)('rights in the queue of a team', () => {
  let postgres: Postgres
  let database = ''
  let count = 0
  const opened: TeamQueue[] = []
  const as = async (user: string): Promise<TeamQueue> => {
    const queue = await TeamQueue.open(postgres.address(database, user))
    opened.push(queue)
    return queue
  }

  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    await teamDatabase(postgres, 'roles')
    const root = await TeamQueue.open(postgres.address('roles'))
    await root.database.run(`
      CREATE ROLE ada LOGIN IN ROLE jobmeter_writer, jobmeter_reader;
      CREATE ROLE eve LOGIN IN ROLE jobmeter_writer, jobmeter_reader;
      CREATE ROLE bob LOGIN IN ROLE jobmeter_reader;
      CREATE ROLE node LOGIN IN ROLE jobmeter_writer, jobmeter_worker;
      CREATE ROLE stranger LOGIN`)
    await root.close()
  }, 60_000)
  beforeEach(async () => {
    database = `rights${(count += 1)}`
    await teamDatabase(postgres, database)
  })
  afterAll(async () => {
    await Promise.all(opened.map((queue) => queue.close()))
    await postgres.stop()
  })

  const joined = async (queue: TeamQueue): Promise<Taker> => {
    const facts = { cpus: 4, memoryBytes: 1e9, gpus: 0, labels: [], leaseSeconds: 60 }
    const worker = { ...facts, id: newId(), host: 'node01', user: 'x', accepts: () => true }
    await queue.join(worker.id, worker)
    return worker
  }
  const exchange = (queue: TeamQueue, worker: Taker) =>
    queue.exchange({
      worker,
      isDraining: false,
      ends: [],
      started: [],
      givesBack: [],
      known: null,
      room: { free: worker, ahead: 0, most: 64 },
    })
  const end = (taskId: string) => ({
    taskId,
    status: 'success',
    exitCode: 0,
    reason: null,
    result: '{}',
  })
  /** A job of ada's that somebody runs, and what it has printed. */
  const someJob = async () => {
    const ada = await as('ada')
    const job = submission()
    await ada.submit([job])
    const node = await as('node')
    const worker = await joined(node)
    expect((await exchange(node, worker)).taken).toMatchObject([{ jobId: job.id, user: 'ada' }])
    const piece = {
      taskId: job.id,
      stream: 'stdout' as const,
      fromByte: 0,
      bytes: Buffer.from('x'),
    }
    await keepLogs(node.database, [piece])
    return { ada, node, worker, job }
  }
  const rowsOf = async ({ database: asked }: TeamQueue): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {}
    for (const table of [...tables, `${bossSchema}.job`, `${bossSchema}.job_common`]) {
      const [row] = await asked.rows(`SELECT count(*) AS rows FROM ${table}`)
      counts[table] = Number(row?.['rows'])
    }
    return counts
  }

  it('let a worker take the jobs of others, and tell how they ended', async () => {
    const { ada, node, worker, job } = await someJob()
    await node.exchange({
      worker,
      isDraining: false,
      ends: [end(job.id)],
      started: [job.id],
      givesBack: [],
      known: [],
      room: null,
    })
    expect(await findJobs(ada.database, [job.id])).toMatchObject([
      { state: 'success', user: 'ada', host: 'node01' },
    ])
  })

  it('show nobody the jobs of others', async () => {
    const { ada } = await someJob()
    const all = { queue_lane: 1, queue_job: 1, queue_attempt: 1, queue_log: 1 }
    expect(await rowsOf(ada)).toMatchObject(all)
    const eve = await as('eve')
    expect(new Set(Object.values(await rowsOf(eve)))).toEqual(new Set([0]))
    expect(await queueStatus(eve.database)).toMatchObject({ jobs: {}, users: [], workers: [{}] })
  })

  it('show a reader the jobs of those whose records she sees, and change nothing', async () => {
    const { job } = await someJob()
    const bob = await as('bob')
    expect(await findJobs(bob.database, [job.id])).toEqual([])
    const root = await as('postgres')
    await root.database.run("INSERT INTO viewer VALUES ('bob', 'ada')")
    expect(await findJobs(bob.database, [job.id])).toMatchObject([{ state: 'running' }])
    await expect(bob.cancel(job.id)).rejects.toThrow('permission denied')
    await expect(bob.submit([submission()])).rejects.toThrow('permission denied')
  })

  it('let nobody change, end or delete the jobs of others', async () => {
    const { node, worker, job } = await someJob()
    const eve = await as('eve')
    expect(await eve.cancel(job.id)).toBe(false)
    await keepLogs(eve.database, [
      { taskId: job.id, stream: 'stdout', fromByte: 1, bytes: Buffer.from('y') },
    ])
    await expect(eve.database.run("UPDATE queue_job SET state = 'failed'")).resolves.toBe(0)
    await expect(eve.database.run('DELETE FROM queue_attempt')).resolves.toBe(0)
    await expect(eve.database.run('DELETE FROM queue_log')).resolves.toBe(0)
    await expect(eve.database.run(`DELETE FROM ${bossSchema}.job_common`)).resolves.toBe(0)
    await expect(eve.renew(worker.id)).resolves.toBe(false)
    const root = await as('postgres')
    expect(await rowsOf(root)).toMatchObject({ queue_attempt: 1, queue_log: 1 })
    await expect(node.renew(worker.id)).resolves.toBe(true)
    for (const sql of [
      'DELETE FROM queue_job',
      "UPDATE queue_job SET definition = '{}'",
      'UPDATE queue_lane SET "user" = \'eve\'',
      "UPDATE queue_state SET state = 'paused'",
      `DELETE FROM ${bossSchema}.queue`,
    ])
      for (const queue of [eve, node])
        await expect(queue.database.run(sql), sql).rejects.toThrow('permission denied')
  })

  it('have everybody submit in their own name, and administrators in any', async () => {
    const eve = await as('eve')
    const pretended = submission({ user: 'ada' })
    await eve.submit([pretended])
    expect(await findJobs(eve.database, [pretended.id])).toMatchObject([{ user: 'eve' }])
    await expect(eve.nameFor('ada')).resolves.toBe('eve')
    const root = await as('postgres')
    const given = submission({ user: 'ada' })
    await root.submit([given])
    expect(await findJobs(root.database, [given.id])).toMatchObject([{ user: 'ada' }])
  })

  it('let nobody put a job where the jobs of others wait', async () => {
    const ada = await as('ada')
    const job = submission({ after: null })
    await ada.submit([job])
    const root = await as('postgres')
    const [lane] = await root.database.rows('SELECT id FROM queue_lane')
    const id = Number(lane?.['id'])
    const eve = await as('eve')
    await expect(
      eve.database.run(
        `INSERT INTO queue_job (id, lane_id, name, priority, definition, state, retries, interruptions)
         VALUES (?::uuid, ?, 'x', 0, '{}', 'queued', 0, 0)`,
        [newId(), id],
      ),
    ).rejects.toThrow('row-level security')
    await expect(
      eve.database.run(`INSERT INTO ${bossSchema}.job (id, name) VALUES (gen_random_uuid(), ?)`, [
        `lane-${id}`,
      ]),
    ).rejects.toThrow('row-level security')
    await expect(
      eve.database.run(
        `INSERT INTO queue_lane ("user", tool, program, image, cpus, memory_bytes, gpus, labels)
         VALUES ('ada', '', 'sh', '', 1, 0, 0, '{}')`,
      ),
    ).rejects.toThrow('row-level security')
    // In a lane of her own she can name the job of another; nobody takes it from there.
    await eve.submit([submission()])
    const [own] = await eve.database.rows('SELECT id FROM queue_lane')
    await eve.database.run(`DELETE FROM ${bossSchema}.job`)
    await eve.database.run(`INSERT INTO ${bossSchema}.job (id, name) VALUES (?::uuid, ?)`, [
      job.id,
      `lane-${Number(own?.['id'])}`,
    ])
    const node = await as('node')
    const { taken } = await exchange(node, await joined(node))
    expect(taken).toMatchObject([{ jobId: job.id, user: 'ada' }])
  })

  it('let a writer run her own jobs, and only those', async () => {
    const [ada, eve] = [await as('ada'), await as('eve')]
    const [hers, others] = [submission(), submission()]
    await ada.submit([hers])
    await eve.submit([others])
    const worker = await joined(ada)
    expect((await exchange(ada, worker)).taken).toMatchObject([{ jobId: hers.id }])
    expect((await exchange(ada, worker)).taken).toEqual([])
  })

  it('let everybody find that a worker is lost, each for the own jobs', async () => {
    const { ada, job } = await someJob()
    const eve = await as('eve')
    const root = await as('postgres')
    await expect(eve.reap()).resolves.toBe(0)
    await root.database.run("UPDATE queue_worker SET lease_until = now() - interval '1 s'")
    await expect(eve.reap()).resolves.toBe(0)
    expect(await findJobs(ada.database, [job.id])).toMatchObject([{ state: 'running' }])
    await expect(ada.reap()).resolves.toBe(1)
    expect(await findJobs(ada.database, [job.id])).toMatchObject([{ state: 'queued' }])
  })

  it('leave shares to administrators, who give everybody more than nothing', async () => {
    const [root, ada] = [await as('postgres'), await as('ada')]
    await changeShare(root.database, 'ada', 2)
    expect(await queueShares(ada.database, undefined)).toEqual([{ user: 'ada', weight: 2 }])
    await expect(changeShare(ada.database, 'ada', 3)).rejects.toThrow('permission denied')
    await expect(changeShare(root.database, 'ada', 0)).rejects.toThrow('check constraint')
    await changeShare(root.database, 'ada', 1)
    expect(await queueShares(ada.database, undefined)).toEqual([])
    expect(await queueShares(ada.database, 'ada')).toEqual([{ user: 'ada', weight: 1 }])
  })

  it('keep jobs as long as the team keeps records, and what they print as long as samples', async () => {
    const { ada, node, worker, job } = await someJob()
    const root = await as('postgres')
    await node.exchange({
      worker,
      isDraining: false,
      ends: [end(job.id)],
      started: [],
      givesBack: [],
      known: [],
      room: null,
    })
    const young = submission({ user: 'ada' })
    await root.submit([young])
    await root.database.run(
      `UPDATE queue_job SET submitted_at = now() - interval '10 months' WHERE id <> '${young.id}';
       UPDATE queue_job SET ended_at = submitted_at WHERE ended_at IS NOT NULL`,
    )
    expect(await ada.prune()).toBe(0)
    await root.database.run("INSERT INTO retention VALUES ('samples', 2)")
    expect(await ada.prune()).toBe(0)
    expect(await rowsOf(root)).toMatchObject({ queue_job: 2, queue_attempt: 1, queue_log: 0 })
    await root.database.run("INSERT INTO retention VALUES ('records', 3)")
    expect(await ada.prune()).toBe(1)
    expect(await rowsOf(root)).toMatchObject({ queue_job: 1, queue_attempt: 0 })
    expect(await findJobs(root.database, [young.id])).toHaveLength(1)
  })

  it('let go of lanes that nobody uses, and make them again where somebody does', async () => {
    const [ada, root] = [await as('ada'), await as('postgres')]
    const lanes = async () => {
      const sql = 'SELECT count(*) AS lanes FROM jobmeter_queue.queue'
      return Number((await root.database.rows(sql))[0]?.['lanes'])
    }
    const before = submission()
    await ada.submit([before])
    await ada.cancel(before.id)
    await root.database.run(`INSERT INTO retention VALUES ('records', 3);
      UPDATE queue_job SET submitted_at = now() - interval '10 months', ended_at = now() - interval '10 months'`)
    await ada.prune()
    expect(await rowsOf(root)).toMatchObject({ queue_job: 0, queue_lane: 0 })
    expect(await lanes()).toBe(0)
    const after = submission()
    await ada.submit([after])
    expect(await findJobs(root.database, [after.id])).toMatchObject([{ state: 'queued' }])
    await ada.prune()
    expect(await rowsOf(root)).toMatchObject({ queue_job: 1, queue_lane: 1 })
    expect(await lanes()).toBe(1)
  })

  it('keep out who belongs to no group', async () => {
    await expect(as('stranger')).rejects.toThrow('permission denied')
  })
})
