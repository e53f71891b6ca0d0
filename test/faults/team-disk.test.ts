import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { startPostgresIn, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { smallDisk, withSmallDisk, type SmallDisk } from '../small-disk.ts'
import { BusyLedger } from '../team/busy-ledger.ts'
import { teamOf } from '../team/recorded-team.ts'
import { contentOfLedgers, contentOfTeam } from '../team/team-content.ts'

const isSkipped = whyNoPostgres() !== undefined || withSmallDisk.isSkipped

describe.skipIf(isSkipped)(`a team database whose disk is full${withSmallDisk.why}`, () => {
  let box: Sandbox
  let disk: SmallDisk
  let directory: string
  let postgres: Postgres
  let address: string
  beforeEach(async () => {
    box = sandbox()
    // PostgreSQL, which runs as another user, has a way to it.
    directory = mkdtempSync(join(tmpdir(), 'jm-disk-'))
    chmodSync(directory, 0o755)
    disk = smallDisk({ directory, path: (name) => join(directory, name) }, 160_000)
    mkdirSync(`${disk.path}/postgres`)
    postgres = await startPostgresIn(`${disk.path}/postgres`, 'fsync=off', 'shared_buffers=1MB')
    address = await teamOf(postgres, 'team', [])
  }, 60_000)
  afterEach(async () => {
    await postgres.stop()
    disk[Symbol.dispose]()
    rmSync(directory, { recursive: true })
    box[Symbol.dispose]()
  })

  const status = async (): Promise<Record<string, unknown>> => {
    const { stdout } = await box.jobmeter(['team', 'status', '--format', 'json'])
    return JSON.parse(stdout) as Record<string, unknown>
  }

  const ends = async (): Promise<void> => {
    expect(await box.jobmeter(['sync', '-q'])).toMatchObject({ code: 0, stderr: '' })
    expect(await status()).toMatchObject({ waiting_records: 0, last_error: null, refused: [] })
    const team = new Database({ connectionString: address })
    const content = await contentOfTeam(team)
    await team.close()
    expect(content).toEqual(contentOfLedgers([box.db]))
  }

  it('is told in its own words; what waits is sent when there is room again', async () => {
    const busy = new BusyLedger(box.db, 11)
    for (let act = 0; act < 100; act += 1) busy.act()
    expect(await box.jobmeter(['team', 'join', address])).toMatchObject({ code: 0 })
    expect(await box.jobmeter(['sync', '-q'])).toMatchObject({ code: 0, stderr: '' })

    disk.fill()
    for (let act = 0; act < 1500; act += 1) busy.act()
    busy.endAll()
    busy.close()
    const refused = await box.jobmeter(['sync'])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('has no room left on its disk (could not ')
    expect(refused.stderr).toContain('No space left on device')
    expect(refused.stderr).toContain('what could not be sent is sent once there is room')
    expect(await status()).toMatchObject({
      waiting_records: expect.any(Number),
      last_error: expect.stringContaining('has no room left on its disk'),
      refused: [],
    })

    disk.free()
    await ends()
  }, 120_000)

  it('loses nothing where its log has no room, which stops it', async () => {
    const busy = new BusyLedger(box.db, 12)
    for (let act = 0; act < 300; act += 1) busy.act()
    busy.endAll()
    busy.close()
    expect(await box.jobmeter(['team', 'join', address])).toMatchObject({ code: 0 })
    disk.fill()
    const database = new Database({ connectionString: address })
    const useUp = async (): Promise<void> => {
      for (let segment = 0; segment < 50; segment += 1) {
        await database.run("SELECT pg_logical_emit_message(false, '', repeat('x', 100000))")
        await database.rows('SELECT pg_switch_wal()')
      }
    }
    await expect(useUp()).rejects.toThrow(/terminat|No space left|ECONNRE/)
    await database.close()
    const refused = await box.jobmeter(['sync'])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('cannot be reached')
    disk.free()
    await postgres.restart()
    await ends()
  }, 120_000)
})
