import { readdirSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { teamDatabase } from './team.ts'
import { startWorker } from './worker.ts'

describe.skipIf(whyNoPostgres() !== undefined)('what jobs of the queue print', () => {
  let postgres: Postgres
  let box: Sandbox
  let address: string
  let worker: ReturnType<typeof startWorker>
  let made = 0
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
  }, 60_000)
  afterAll(() => postgres.stop())
  beforeEach(async () => {
    box = sandbox()
    made += 1
    address = await teamDatabase(postgres, `logs${made}`)
    worker = startWorker(address, box.directory, '--cpus', '2')
  }, 60_000)
  afterEach(async () => {
    worker.kill('SIGTERM')
    await worker.hasEnded
    box[Symbol.dispose]()
  }, 60_000)

  const ask = (args: readonly string[]) => box.jobmeter(args, { env: { JOBMETER_TEAM: address } })

  it('is whole when they have ended, however short they are', async () => {
    const lines = Array.from(
      { length: 400 },
      (_, index) => `echo first; sleep 0.0${index % 10}; echo last`,
    )
    writeFileSync(box.path('jobs.txt'), `${lines.join('\n')}\n`)
    const { stdout } = await ask(['submit', '--each-line', 'jobs.txt'])
    const ids = stdout.trim().split('\n')
    expect(await ask(['wait', ...ids])).toMatchObject({ code: 0 })
    const database = new Database({ connectionString: address })
    const rows = await database.rows(
      `SELECT string_agg(convert_from(bytes, 'UTF8'), '' ORDER BY from_byte) AS printed
       FROM queue_log WHERE stream = 'stdout' GROUP BY task_id`,
    )
    await database.close()
    expect(rows).toHaveLength(400)
    expect(rows.filter(({ printed }) => printed !== 'first\nlast\n')).toEqual([])
    expect(readdirSync(box.path('queue-logs'))).toEqual([])
  }, 180_000)

  it('is whole where a character is in two pieces, and leaves terminals alone', async () => {
    const job = [
      "printf x >&2; head -c 400000 /dev/zero | tr '\\0' y | sed 's/yy/é/g' >&2",
      String.raw`printf 'a\033]0;title\007b\n'`,
    ]
    const args = ['--labels', '', '--', 'sh', '-c', job.join('; ')]
    const { stdout } = await ask(['submit', ...args])
    const id = stdout.trim()
    expect(await ask(['wait', id])).toMatchObject({ code: 0 })
    const printed = await ask(['logs', id])
    expect(printed.stdout).toBe('a\u001b]0;title\u0007b\n')
    expect(printed.stderr === `x${'é'.repeat(200_000)}`).toBe(true)
    const shown = await box.terminal(`JOBMETER_TEAM=${address} $JOBMETER logs --stdout ${id}`).ended
    expect(shown.stdout).toContain('title')
    expect(shown.stdout).not.toContain('\u001b]')
  }, 60_000)

  it('is kept of each stream, however much there is of the other', async () => {
    const much = `head -c 1500000 /dev/zero | tr '\\0' x; echo; echo why >&2; exit 3`
    const { stdout } = await ask(['submit', '--', 'sh', '-c', much])
    const id = stdout.trim()
    expect(await ask(['wait', id])).toMatchObject({ code: 3 })
    expect(await ask(['logs', '--stderr', id])).toMatchObject({ stdout: 'why\n' })
    const kept = await ask(['logs', '--stdout', id])
    expect(kept.stdout.length).toBeGreaterThanOrEqual(1_048_576)
    expect(kept.stdout.endsWith('xxx\n')).toBe(true)
    expect(kept.stderr).toContain('bytes before this are not kept')
  }, 60_000)
})
