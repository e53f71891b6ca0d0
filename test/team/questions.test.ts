import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox, type Ended, type Sandbox } from '../program.ts'
import { recordSome, teamOf } from './recorded-team.ts'

/** Questions, each asked of a local ledger and of the team that it was sent to. */
const questions: readonly string[] = [
  'job-history',
  'job-history --all --format json',
  'job-history --tag nightly',
  'job-history --name FIRST',
  'job-history --status failed --limit 2',
  'job-stats',
  'job-stats --format json',
  'job-details last',
  'job-details long',
  'job-details long --format json',
  'series long --format csv',
  'series long --format json',
  'series train',
  'series train --format json',
  'reports job train',
  'report train -o page.html',
  'results list 1',
  'results list 1 --format json',
  'results list 1 --failed',
  'jobs list 1',
  'jobs list 1 --format json',
  'workflows list',
  'workflows list --format json',
  'workflows show 1',
  'workflows status 1',
  'workflows status 1 --format json',
  'workflows status 7',
  'reports job long',
  'reports job train --format json',
  'reports check-resource-utilization 1',
  'reports check-resource-utilization 1 --format json',
  'reports recommend 1',
  'reports recommend 1 --format json',
  'reports compare train prepare',
  'reports scaling',
  'export',
  'export --format json',
  'benchmark list',
  'benchmark list --format json',
  'benchmark report v1',
  'benchmark report 1 --format json',
  'benchmark compare 1 v1',
  'report long -o page.html',
  'report 1 -o page.html',
  'job-details no-such-job',
]

const refused: readonly string[] = [
  'run -- true',
  'run spec.yaml',
  'run-jobs 1',
  'watch --pid 1',
  'workflows create-from-spec spec.yaml',
  'workflows cancel 1',
  'workflows reset 1',
  'workflows delete 1',
  'benchmark run -- true',
]

describe.skipIf(whyNoPostgres() !== undefined)('a team ledger', () => {
  let postgres: Postgres
  let place: Sandbox
  let address: string
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    place = sandbox()
    await recordSome(place)
    address = await teamOf(postgres, 'golden', [place.db])
  })
  afterAll(async () => {
    place[Symbol.dispose]()
    await postgres.stop()
  })

  const ask = (question: string, db: string): Promise<Ended> =>
    place.jobmeter([...question.split(' '), '--db', db])

  /** Pages say when they were made. */
  const plain = ({ code, stdout, stderr }: Ended, db: string): unknown => ({
    code,
    stdout: stdout.replaceAll(db, 'LEDGER'),
    stderr: stderr.replaceAll(db, 'LEDGER'),
  })

  it.each(questions)('answers as a local ledger does: %s', async (question) => {
    const local = plain(await ask(question, place.db), place.db)
    const team = plain(await ask(question, address), address)
    expect(team).toEqual(local)
    expect(local).not.toMatchObject({ code: 70 })
  })

  it('is asked by the environment too', async () => {
    const env = { JOBMETER_DB: address }
    const asked = await place.jobmeter(['job-history', '--format', 'json'], { env })
    expect(asked.stdout).toBe((await ask('job-history --format json', place.db)).stdout)
  })

  it.each(refused)('refuses what would write to it: %s', async (command) => {
    const { code, stderr, stdout } = await place.jobmeter(['--db', address, ...command.split(' ')])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('a team ledger answers questions only')
    expect(stderr).toContain('jobmeter team join')
  })

  it('lets jobs run where the environment names it, and records them on their own machine', async () => {
    using other = sandbox()
    const env = { JOBMETER_DB: address, XDG_STATE_HOME: other.path('state') }
    expect(await other.jobmeter(['run', '-q', '--', 'true'], { env })).toMatchObject({ code: 0 })
    const own = other.path('state/jobmeter/ledger.db')
    const asked = await other.jobmeter(['job-history', '--format', 'json', '--db', own])
    expect(JSON.parse(asked.stdout)).toMatchObject([{ name: 'true' }])
    // The numbers of workflows that the team shows are not those of this machine.
    const workflow = await other.jobmeter(['workflows', 'delete', '1'], { env })
    expect(workflow.stderr).toContain('a team ledger answers questions only')
  })

  it('says where logs and samples are that it does not have', async () => {
    using other = sandbox()
    await recordSome(other)
    const both = await teamOf(postgres, 'two_machines', [place.db, other.db])
    const listed = await place.jobmeter(['workflows', 'list', '--format', 'json', '--db', both])
    expect(JSON.parse(listed.stdout)).toHaveLength(2)
    const logs = await place.jobmeter(['logs', 'train', '--workflow', '2', '--db', both])
    expect(logs).toMatchObject({ code: 1, stdout: '' })
    expect(logs.stderr).toContain(`in ${other.path('out')}`)
    const all = await place.jobmeter(['logs', '--workflow', '1', '--db', both])
    expect(all.stderr).toContain(`in ${place.path('out')}`)
  })

  const secret = (database: string): string =>
    postgres.address(database, 'ada:se%40cret').replace('ada', 'postgres')

  it.each([
    ['no_such_database', 'has no such database'],
    ['postgres', 'holds no team ledger'],
  ])('says what is wrong: %s', async (database, says) => {
    const asked = await ask('job-history', secret(database))
    expect(asked).toMatchObject({ code: 1, stdout: '' })
    expect(asked.stderr).toContain(says)
    expect(asked.stderr).toContain(`/${database}: `)
    expect(asked.stderr).not.toContain('cret')
    expect(asked.stderr.trim().split('\n')).toHaveLength(1)
  })

  it('says so where nobody answers, and who asks has no rights, and where it is newer', async () => {
    const gone = await ask('job-history', 'postgres://ada:se%40cret@127.0.0.1:1/jobs')
    expect(gone).toMatchObject({ code: 1 })
    expect(gone.stderr).toContain('postgres://ada@127.0.0.1:1/jobs: cannot be reached')
    expect(gone.stderr).not.toContain('cret')
    const newer = await teamOf(postgres, 'newer', [])
    const client = new Client({ connectionString: newer })
    await client.connect()
    await client.query('CREATE ROLE nobody LOGIN')
    const asNobody = await ask('job-history', postgres.address('newer', 'nobody'))
    expect(asNobody.stderr).toContain('does not let this role do that')
    await client.query('INSERT INTO jobmeter.version (step) VALUES (99)')
    await client.end()
    const asked = await ask('workflows list', newer)
    expect(asked).toMatchObject({ code: 1 })
    expect(asked.stderr).toContain('is of version 99')
  })
})
