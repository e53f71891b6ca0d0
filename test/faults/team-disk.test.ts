import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox } from '../program.ts'
import { teamDatabase } from '../queue/team.ts'
import { smallDisk, withSmallDisk } from '../small-disk.ts'

const isSkipped = whyNoPostgres() !== undefined || withSmallDisk.isSkipped

describe.skipIf(isSkipped)(`a full disk and a team${withSmallDisk.why}`, () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
  }, 60_000)
  afterAll(() => postgres.stop())

  const recordsIn = async (address: string): Promise<unknown> => {
    const team = new Database({ connectionString: address })
    const rows = await team.rows('SELECT status, job_tool FROM attempt ORDER BY started_at')
    await team.close()
    return rows.map((row) => `${String(row['job_tool'])} ${String(row['status'])}`)
  }

  it('of a machine keeps it from joining, and from nothing else', async () => {
    using box = sandbox()
    using disk = smallDisk(box, 4096)
    const ledger = join(disk.path, 'ledger.db')
    const own = { env: { XDG_CONFIG_HOME: join(disk.path, 'config'), JOBMETER_DB: ledger } }
    const address = await teamDatabase(postgres, 'machine')
    await box.jobmeter(['run', '--quiet', '--', 'true'], own)
    await box.jobmeter(['history'], own)
    disk.fill()
    const refused = await box.jobmeter(['team', 'join', address], own)
    expect(refused).toMatchObject({ code: expect.toSatisfy((code) => code !== 0), stdout: '' })
    expect(refused.stderr).toMatch(/no space left|is full/i)
    disk.free()
    expect(await box.jobmeter(['team', 'join', address], own)).toMatchObject({ code: 0 })
    const joined = readFileSync(join(disk.path, 'config/jobmeter/team.json'), 'utf8')
    disk.fill()
    const other = await box.jobmeter(['team', 'join', postgres.address('machine')], own)
    expect(other.code).not.toBe(0)
    expect(readFileSync(join(disk.path, 'config/jobmeter/team.json'), 'utf8')).toBe(joined)
    // What is in the ledger can be sent without a byte of room, and told.
    expect(await box.jobmeter(['sync'], own)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('sent 1 record'),
    })
    expect(await box.jobmeter(['team', 'status'], own)).toMatchObject({ code: 0 })
    expect(await recordsIn(address)).toEqual(['true success'])
    const watching = box.start(['sync', '--watch'], own)
    await box.jobmeter(['run', '--quiet', '--', 'false'], own)
    disk.free()
    await box.jobmeter(['run', '--quiet', '--', 'echo'], own)
    await expect
      .poll(() => recordsIn(address), { timeout: 30_000 })
      .toEqual(expect.arrayContaining(['true success', 'echo success']))
    watching.signal('SIGTERM')
    expect(await watching.ended).toMatchObject({ code: 0 })
    const { stdout } = await box.jobmeter(['history', '--format', 'json'], own)
    const here = (JSON.parse(stdout) as { tool: string; status: string }[]).map(
      ({ tool, status }) => `${tool} ${status}`,
    )
    expect(await recordsIn(address)).toEqual(here.toReversed())
  }, 120_000)

  it('of the team is told as such, loses nothing, and is made up for when there is room', async () => {
    using box = sandbox()
    using disk = smallDisk(box, 65_536)
    const tables = join(disk.path, 'tables')
    mkdirSync(tables)
    spawnSync('chown', ['postgres', tables])
    const root = new Database({ connectionString: postgres.address('postgres') })
    await root.run(`CREATE TABLESPACE small LOCATION '${tables}'`)
    const address = await postgres.database('full', 'TABLESPACE small')
    expect(await box.jobmeter(['team', 'init', address])).toMatchObject({ code: 0 })
    expect(await box.jobmeter(['team', 'join', address])).toMatchObject({ code: 0 })
    const env = { env: { JOBMETER_TEAM: address } }
    await box.run(['--', 'true'])
    const worker = box.start(['worker'], { ...env, timeoutMs: 120_000 })
    expect(await box.jobmeter(['submit', '--wait', '--', 'true'], env)).toMatchObject({ code: 0 })
    disk.fill()
    const full = 'has no room left on its disk'
    // Of what fits the pages that are there already something may still be taken.
    const told: string[] = []
    for (let job = 0; job < 400 && !told.some((words) => words.includes(full)); job += 20) {
      const lines = box.path('lines')
      await box.shell(`yes "sleep 0.0${job} # ${'x'.repeat(800)}" | head -200 > ${lines}`)
      const submitted = await box.jobmeter(['submit', '--each-line', lines], env)
      if (submitted.code !== 0) told.push(submitted.stderr)
    }
    expect(told.at(-1)).toContain(full)
    for (let job = 0; job < 40; job += 1) await box.jobmeter(['run', '--quiet', '--', 'echo'])
    const sent = await box.jobmeter(['sync'])
    const status = await box.jobmeter(['team', 'status', '--format', 'json'])
    disk.free()
    expect.soft(sent.stderr + status.stdout).toContain(full)
    expect((await box.jobmeter(['sync'])).code).toBe(0)
    const after = JSON.parse((await box.jobmeter(['team', 'status', '--format', 'json'])).stdout)
    expect(after).toMatchObject({ waiting_records: 0, last_error: null })
    expect(await recordsIn(address)).toHaveLength((await box.history()).length)
    expect(
      await box.jobmeter(['submit', '--wait', '--priority', '9', '--', 'true'], {
        ...env,
        timeoutMs: 100_000,
      }),
    ).toMatchObject({ code: 0 })
    worker.signal('SIGTERM')
    await worker.ended
    await root.run('DROP DATABASE "full" WITH (FORCE)')
    await root.run('DROP TABLESPACE small')
    await root.close()
  }, 240_000)
})
