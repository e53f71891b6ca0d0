import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someEnd, someStart } from '../../../test/contracts/attempts.ts'
import { someWorkflow } from '../../../test/contracts/workflows.ts'
import { measured } from '../../model/measured.ts'
import { emptyUsage } from '../../model/usage.ts'
import { StoreError } from '../errors.ts'
import type { Store } from './store.ts'
import { applicationId, newestVersion } from './ledger-marks.ts'
import { migrations } from './migrations.ts'
import { openSqliteInPlace } from './open-in-place.ts'
import { openSqliteLedger } from './open.ts'

let directory: string
let path: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-'))
  path = join(directory, 'ledger.db')
})
afterEach(() => rmSync(directory, { recursive: true }))

/** Rows as the first version wrote them: two jobs, one of which still ran. */
const rowsOfVersion1 = `
INSERT INTO job VALUES (1, 'train', 'python3', 'train.py', '{"rate":0.1}', '["nightly"]',
  '["python3","train.py"]', '/home/ada', 2.0, 4294967296, NULL, 3600.0);
INSERT INTO job VALUES (2, 'make', 'make', NULL, '{}', '[]', '["make"]', '/', NULL, NULL, NULL, NULL);
INSERT INTO attempt (id, task_id, job_id, number, status, started_at, ended_at, duration_seconds,
  exit_code, cpu_seconds, usage, user, host, cores, owner_host, owner_boot_id, owner_pid,
  owner_start_ticks, sample_interval_seconds, samples_collected) VALUES
  (1, 'aaaa', 1, 1, 'success', 1700000000.0, 1700000012.5, 12.5, 0, 3.25,
  '{"cpuTotalSeconds":{"value":3.25,"basis":"cgroup"},"readBytes":{"value":null,"why":"no counter"}}',
  'ada', 'node01', 8, 'node01', 'b0', 4242, 99, 1.0, 1);
INSERT INTO attempt (id, task_id, job_id, number, status, started_at, user, host, cores, owner_host,
  owner_boot_id, owner_pid, owner_start_ticks) VALUES
  (2, 'bbbb', 2, 1, 'running', 1700000050.0, 'ada', 'node01', 8, 'node01', 'b0', 4243, 100);
INSERT INTO sample (attempt_id, timestamp, elapsed_seconds) VALUES (1, 1700000001.0, 1.0);
`

/** The same rows in a file that older builds have brought to a version, and more of that one. */
function writeVersion(version: number, more = ''): void {
  const [first, ...later] = migrations.slice(0, version)
  const database = new DatabaseSync(path)
  database.exec(`
    PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;
    ${first ?? ''} ${rowsOfVersion1} ${later.join('')} ${more}
    PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`)
  database.close()
}

describe('a ledger of version 1', () => {
  it('is upgraded with all that is in it, and takes workflows', () => {
    writeVersion(1)
    const { jobs, workflows, close } = openSqliteLedger(path)
    expect(jobs.find({})).toMatchObject([
      { taskId: 'bbbb', jobId: 2, name: 'make', status: 'running', attempt: 1 },
      {
        taskId: 'aaaa',
        jobId: 1,
        tool: 'python3',
        params: { rate: 0.1 },
        requirements: { cpus: 2, memoryBytes: 4_294_967_296 },
        status: 'success',
        usage: {
          cpuTotalSeconds: { value: 3.25, basis: 'cgroup' },
          readBytes: { value: null, why: 'no counter' },
          writeBytes: { value: null },
        },
      },
    ])
    expect(jobs.find({ tool: 'python3' })).toHaveLength(1)
    expect(jobs.findBrief({}, ['cpuTotalSeconds', 'readBytes'])).toMatchObject([
      { taskId: 'bbbb', usage: { cpuTotalSeconds: { value: null }, readBytes: { value: null } } },
      { taskId: 'aaaa', usage: { cpuTotalSeconds: { value: 3.25 }, readBytes: { value: null } } },
    ])
    expect(jobs.series('aaaa').read().rows).toHaveLength(1)
    expect(jobs.interrupt('bbbb', 'gone')).toBe(true)
    jobs.finish(jobs.begin(someStart('cccc')), someEnd())
    expect(workflows.listWorkflows()).toEqual([])
    const id = workflows.createWorkflow(someWorkflow(['a']))
    expect(workflows.findWorkflow(id)?.jobs).toMatchObject([{ state: 'waiting', jobId: 4 }])
    expect(jobs.prune(1_700_000_040)).toMatchObject({ attempts: 2, samples: 1 })
    close()
    const database = new DatabaseSync(path)
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: newestVersion })
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([])
    database.close()
  })

  it('has in the end the same tables as a new one', () => {
    const fresh = join(directory, 'fresh.db')
    openSqliteLedger(fresh).close()
    writeVersion(1)
    openSqliteLedger(path).close()
    const schema = (file: string) => {
      const database = new DatabaseSync(file)
      const rows = database.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all()
      database.close()
      return rows
    }
    expect(schema(path)).toEqual(schema(fresh))
  })
})

describe('a ledger of version 4, with usages in the rows of their attempts', () => {
  const usage = (cpuSeconds: number): string =>
    JSON.stringify({ measured: [['wait4', { cpuTotalSeconds: cpuSeconds }]], unmeasured: [] })
  const end = (status: string, cpuSeconds: number): string =>
    `status = '${status}', ended_at = 1700000012.5, duration_seconds = 12.5, exit_code = 0,
     cpu_seconds = ${cpuSeconds}, lower_bounds = '', usage = '${usage(cpuSeconds)}'`
  const ended = `
    UPDATE attempt SET ${end('success', 3)} WHERE id = 1;
    UPDATE attempt SET ${end('interrupted', 4)} WHERE id = 2;`
  const cpuOf = (jobs: Store): unknown =>
    Object.fromEntries(
      jobs
        .find({})
        .map(({ taskId, usage: { cpuTotalSeconds } }) => [taskId, cpuTotalSeconds.value]),
    )
  const query = (sql: string): unknown => {
    const database = new DatabaseSync(path)
    const found = database.prepare(sql).all()
    database.close()
    return found
  }

  it('is read as it is, and keeps what is new apart', () => {
    writeVersion(4, ended)
    const { jobs, close } = openSqliteLedger(path)
    expect(cpuOf(jobs)).toEqual({ aaaa: 3, bbbb: 4 })
    const late = { ...someEnd(), usage: { ...emptyUsage(''), cpuTotalSeconds: measured(5, 'x') } }
    jobs.finish({ taskId: 'bbbb', jobId: 2, attemptId: 2 }, late)
    expect(cpuOf(jobs)).toEqual({ aaaa: 3, bbbb: 5 })
    expect(query('SELECT id, usage IS NULL AS moved FROM attempt')).toEqual([
      { id: 1, moved: 0 },
      { id: 2, moved: 1 },
    ])
    expect(jobs.prune(1_800_000_000).attempts).toBe(2)
    expect(query('SELECT * FROM attempt_usage')).toEqual([])
    close()
  })

  it('takes what a runner of that version still writes after it was upgraded', () => {
    writeVersion(4, ended)
    const older = new DatabaseSync(path)
    const { jobs, close } = openSqliteLedger(path)
    const { attemptId } = jobs.begin(someStart('cccc'))
    jobs.interrupt('cccc', 'its owner was thought dead')
    older.exec(`UPDATE attempt SET ${end('success', 7)} WHERE id = ${attemptId}`)
    expect(cpuOf(jobs)).toMatchObject({ aaaa: 3, cccc: 7 })
    older.exec(`DELETE FROM attempt WHERE id = ${attemptId}`)
    expect(query('SELECT * FROM attempt_usage')).toEqual([])
    older.close()
    close()
  })

  it('is read in place where it cannot be changed', () => {
    writeVersion(4, ended)
    const refusal = new StoreError('unreadable', path, 'it is not to be changed')
    const { jobs, close } = openSqliteInPlace(path, refusal)
    expect(cpuOf(jobs)).toEqual({ aaaa: 3, bbbb: 4 })
    expect(jobs.findBrief({}, ['cpuTotalSeconds'])).toMatchObject([
      { taskId: 'bbbb', usage: { cpuTotalSeconds: { value: 4 } } },
      { taskId: 'aaaa', usage: { cpuTotalSeconds: { value: 3 } } },
    ])
    close()
    expect(query('PRAGMA user_version')).toEqual([{ user_version: 4 }])
  })
})
