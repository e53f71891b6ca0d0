import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someEnd, someStart } from '../../../test/contracts/attempts.ts'
import { someWorkflow } from '../../../test/contracts/workflows.ts'
import { applicationId, newestVersion } from './ledger-marks.ts'
import { migrations } from './migrations.ts'
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

function writeVersion1(): void {
  const database = new DatabaseSync(path)
  database.exec(`
    PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; ${migrations[0] ?? ''}
    PRAGMA application_id = ${applicationId}; PRAGMA user_version = 1; ${rowsOfVersion1}`)
  database.close()
}

describe('a ledger of version 1', () => {
  it('is upgraded with all that is in it, and takes workflows', () => {
    writeVersion1()
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
    expect(jobs.samples('aaaa')).toHaveLength(1)
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
    writeVersion1()
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
