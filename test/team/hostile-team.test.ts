import { zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { openSqliteLedger } from '../../src/store/ledger/open.ts'
import { someEnd, someSamples, someStart } from '../contracts/attempts.ts'
import { fillTeam } from '../fill-team.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { ask, cookieFor, serve, type ServedProgram } from '../server/served-program.ts'
import { teamOf } from './recorded-team.ts'

/** 45 bytes, in the form that chunks have, that claim 2^26 rows of 20 columns of zeros: 10 GiB. */
function bombLike(chunk: Buffer): Buffer {
  const names = Array.from({ length: 20 }, (_, place) => place + 1)
  const rows = [0x80, 0x80, 0x80, 0x20]
  const claim = Buffer.from([1, 0, 0, ...rows, names.length, ...names, ...names.map(() => 1)])
  return Buffer.concat([chunk.subarray(0, 1), zstdCompressSync(claim)])
}

describe.skipIf(whyNoPostgres() !== undefined)(
  'a team ledger that somebody has written to by hand',
  () => {
    let postgres: Postgres
    let place: Sandbox
    let address: string
    let team: Database
    let task = ''
    let sound = Buffer.alloc(0)
    let served: ServedProgram
    const put = (packed: Buffer): Promise<number> =>
      team.run("UPDATE sample_chunk SET packed = ? WHERE task_id = ? AND part = 'sample'", [
        packed,
        task,
      ])
    const series = () => place.jobmeter(['series', task, '--db', address])
    const asked = async (path: string) =>
      ask(served.port, `/api/v1/${path}`, { headers: { cookie: await cookieFor(served) } })

    beforeAll(async () => {
      postgres = await startPostgres('fsync=off')
      place = sandbox()
      await place.run(['--interval', '0.05', '--', 'sleep', '0.5'])
      address = await teamOf(postgres, 'hostile', [place.db])
      team = new Database({ connectionString: address })
      const [row] = await team.rows(
        "SELECT task_id, packed FROM sample_chunk WHERE part = 'sample'",
      )
      task = String(row?.['task_id'])
      sound = Buffer.from(row?.['packed'] as Uint8Array)
      served = await serve(place, undefined, ['--db', address])
    }, 120_000)
    afterAll(async () => {
      served.running.signal('SIGKILL')
      await served.running.ended
      await team.close()
      place[Symbol.dispose]()
      await postgres.stop()
    })

    it('gives no wrong figure of samples that are damaged, and says which those are', async () => {
      const right = await series()
      expect(right.code, right.stderr).toBe(0)
      const damaged = Buffer.from(sound)
      damaged[sound.length >> 1] = (damaged[sound.length >> 1] ?? 0) ^ 4
      await put(damaged)
      const told = await series()
      expect(told).toMatchObject({ code: 1, stdout: '' })
      expect(told.stderr).toMatch(new RegExp(`samples 1 to \\d+ of task ${task} are damaged`))
      expect((await asked(`jobs/${task}/samples`)).status).toBe(503)
      await put(sound)
      expect(await series()).toEqual(right)
    })

    it('is not brought to a halt by a few bytes that claim to be gigabytes', async () => {
      await put(bombLike(sound))
      const { status } = await asked(`jobs/${task}/samples`)
      expect(status).toBe(503)
      expect((await asked('jobs?limit=1')).status).toBe(200)
      expect((await series()).stderr).toContain('are damaged')
      await put(sound)
      expect((await asked(`jobs/${task}/samples`)).status).toBe(200)
    })

    it('shows the job of who sent a task first, whoever claims it later', async () => {
      const claim = openSqliteLedger(place.path('claim.db'))
      // Listed before the true one, which started earlier.
      const startedAt = Date.now() / 1000 + 60
      const start = someStart(task, { user: 'mallory', startedAt, job: { name: 'claim' } })
      const ref = claim.jobs.begin(start)
      claim.jobs.writer(ref).add(someSamples(3), 3)
      claim.jobs.finish(ref, someEnd())
      claim.close()
      const samples = await asked(`jobs/${task}/samples`)
      const shown = await asked(`jobs/${task}`)
      await fillTeam(place.path('claim.db'), team)
      expect((await asked('jobs?search=claim')).text).toContain('mallory')
      for (const id of [task, task.slice(0, 12)]) {
        expect(await asked(`jobs/${id}`)).toMatchObject({ status: 200, text: shown.text })
        expect((await asked(`jobs/${id}/samples`)).text).toBe(samples.text)
        const details = await place.jobmeter(['job-details', id, '--db', address])
        expect(details).toMatchObject({ code: 0, stdout: expect.not.stringContaining('mallory') })
      }
    })

    it('shows as many records as are asked for, whatever lies between them', async () => {
      const copy = (taskId: string, usage: string) =>
        team.run(
          `INSERT INTO attempt SELECT (jsonb_populate_record(attempt, jsonb_build_object('id', nextval('attempt_number'),
             'task_id', ?::text, 'usage', ?::text, 'started_at', attempt.started_at + 1, 'form_id', NULL))).*
           FROM attempt WHERE task_id = ?`,
          [taskId, usage, task],
        )
      for (const name of ['a1', 'a2', 'a3', 'a4']) await copy(name, 'no usage')
      const listed = await place.jobmeter([
        'history',
        '--limit',
        '1',
        '--format',
        'json',
        '--db',
        address,
      ])
      expect(listed.stderr).toContain('damaged and left out')
      expect(JSON.parse(listed.stdout)).toMatchObject([{ task_id: task }])
      const page = (await asked('jobs?limit=1')).json() as { readonly jobs: readonly unknown[] }
      expect(page.jobs).toHaveLength(1)
      await team.run("DELETE FROM attempt WHERE task_id LIKE 'a_'")
    })

    it('does not keep a server from ending, whatever it waits for', async () => {
      await expect(
        team.transaction(async (_, statements) => {
          await statements.run('LOCK TABLE attempt IN ACCESS EXCLUSIVE MODE')
          const hanging = asked('jobs?limit=1').catch(() => 'no answer')
          const waits =
            "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'attempt'::regclass"
          await expect.poll(() => statements.rows(waits)).not.toEqual([])
          served.running.signal('SIGTERM')
          const began = performance.now()
          expect(await served.running.ended).toMatchObject({ code: 0 })
          await hanging
          return (performance.now() - began) / 1000
        }),
      ).resolves.toBeLessThan(15)
    })
  },
)
