import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from '../../test/program.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'

let box: Sandbox
beforeEach(() => {
  box = sandbox()
})
afterEach(() => box[Symbol.dispose]())

const waiting = () => readdirSync(`${box.db}.spool`)
const script = (...lines: readonly string[]) => [
  'run',
  '--quiet',
  '--',
  'sh',
  '-c',
  lines.join('\n'),
]

/** Keeps everybody else out of the ledger until the answer is called. */
function locked(path: string): () => void {
  const database = new DatabaseSync(path)
  database.exec('BEGIN EXCLUSIVE')
  return () => database.close()
}

describe('the record of a job', () => {
  it('is on disk when `run` ends, and in the ledger when somebody looks', async () => {
    await box.jobmeter(['run', '--quiet', '--name', 'short', '--', 'true'])
    expect(await box.history()).toMatchObject([{ name: 'short', status: 'success' }])
    expect(waiting()).toEqual([])
  })

  it('does not wait for others who hold the ledger', async () => {
    openSqliteStore(box.db).close()
    const release = locked(box.db)
    const { code, stderr } = await box.jobmeter(['run', '--quiet', '--', 'sh', '-c', 'exit 3'])
    release()
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
    expect(await box.history()).toMatchObject([{ returncode: 3 }])
  })

  it('goes to the ledger itself once the job has lasted, and the spool is empty before it ends', async () => {
    const looks = `while [ -n "$(ls ${box.db}.spool)" ]; do sleep 0.02; done`
    const { code } = await box.jobmeter(script(looks, 'exit 4'))
    expect(code).toBe(4)
    expect(await box.history()).toMatchObject([{ status: 'failed', returncode: 4 }])
    expect((await box.sampleTimes()).length).toBeGreaterThan(5)
  })

  it('stays in the spool, and says so, where the ledger is damaged while the job runs', async () => {
    openSqliteStore(box.db).close()
    const job = box.start(script('echo on', 'sleep 2.3', 'exit 5'))
    await job.saw('on')
    writeFileSync(box.db, 'not a database any more')
    const { code, stderr } = await job.ended
    expect(code).toBe(5)
    expect(stderr).toContain(`the record waits in ${box.db}.spool/`)
    expect(waiting()).toHaveLength(1)
    rmSync(box.db)
    expect(await box.history()).toMatchObject([{ status: 'failed', returncode: 5 }])
    expect((await box.sampleTimes()).length).toBeGreaterThan(5)
  })

  it('has its number in the ledger with --format json', async () => {
    const { stderr } = await box.jobmeter(['run', '--format', 'json', '--', 'true'])
    expect(JSON.parse(stderr)).toMatchObject({ job_id: 1, attempt: 1, status: 'success' })
  })

  it('shows a job while it runs', async () => {
    const running = box.start(['run', '--quiet', '--', 'sh', '-c', 'echo on; read line'])
    await running.saw('on')
    expect(await box.history()).toMatchObject([{ status: 'running' }])
    running.type('\n')
    await running.ended
    expect(await box.history()).toMatchObject([{ status: 'success' }])
    expect(waiting()).toEqual([])
  })
})

describe('a ledger that cannot be used', () => {
  it.each([
    ['another file', () => writeFileSync(box.db, 'x'.repeat(200)), 'not a jobmeter ledger'],
    ['a directory', () => mkdirSync(box.db), 'this is not a file'],
    [
      'a database of another program',
      () => {
        const other = new DatabaseSync(box.db)
        other.exec('CREATE TABLE visits (url)')
        other.close()
      },
      'a database of another program',
    ],
    [
      'a ledger of a newer build',
      () => {
        openSqliteStore(box.db).close()
        const newer = new DatabaseSync(box.db)
        newer.exec('PRAGMA user_version = 99')
        newer.close()
      },
      'written by version 99',
    ],
  ])('is refused before the job starts: %s', async (_, make, says) => {
    make()
    const { code, stderr } = await box.jobmeter(script(`touch ${box.path('ran')}`))
    expect(code).toBe(1)
    expect(stderr).toContain(says)
    expect(existsSync(box.path('ran'))).toBe(false)
  })
})
