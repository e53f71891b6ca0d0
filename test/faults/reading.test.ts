import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { applicationId } from '../../src/store/ledger/ledger-marks.ts'
import { migrations } from '../../src/store/ledger/migrations.ts'
import { whileLocked } from '../locked-ledger.ts'
import { ordinaryUser, sandbox, type Sandbox } from '../program.ts'
import { smallDisk, withSmallDisk, type SmallDisk } from '../small-disk.ts'
import { flow } from '../workflow/flow.ts'

/** Every command that only looks. */
const questions = [
  'history',
  'stats',
  'export',
  'show last',
  'series last',
  'reports job last',
  'workflows list',
  'workflows show 1',
  'workflows status 1',
  'jobs list 1',
  'results list 1',
  'reports check-resource-utilization 1',
  'reports compare name:kept name:waits',
]

/** A ledger with a workflow and a job in it, and another job that waits outside. */
async function prepare(box: Sandbox, env: Readonly<Record<string, string>>): Promise<void> {
  const spec = flow(box, 'jobs: [{ name: a, command: "true" }]\n')
  const lines = [
    `$JOBMETER run ${spec} --quiet --output-dir out`,
    '$JOBMETER run --quiet --name kept -- true',
    '$JOBMETER history > history',
  ]
  const done = await box.shell(lines.join(' && '), { env })
  expect(done.code, done.stderr).toBe(0)
  // Some runs take what waits into the ledger, if they can.
  await whileLocked(env['JOBMETER_DB'] ?? '', () =>
    box.shell('$JOBMETER run --quiet --name waits --interval 0.05 -- sleep 0.2', { env }),
  )
  expect(readdirSync(`${env['JOBMETER_DB']}.spool`)).toHaveLength(1)
}

interface Answers {
  /** Questions that were not answered, with what was said instead. */
  readonly refused: readonly string[]
  readonly names: readonly string[]
  readonly samples: number
  readonly notes: string
}

/** What comes of asking everything. */
async function answers(box: Sandbox, env: Readonly<Record<string, string>>): Promise<Answers> {
  const refused: string[] = []
  for (const question of questions) {
    const { code, stderr, stdout } = await box.jobmeter(question.split(' '), { env })
    if (code !== 0 || stdout.length < 10) refused.push(`${question}: ${code} ${stderr}`)
  }
  const { stdout, stderr } = await box.jobmeter(['export'], { env })
  const series = await box.jobmeter(['series', 'last'], { env })
  return {
    refused,
    names: namesIn(stdout),
    samples: series.stdout.trimEnd().split('\n').length - 1,
    notes: stderr,
  }
}

const namesIn = (exported: string) =>
  exported
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { name: string }).name)

const everything = {
  refused: [],
  names: ['a', 'kept', 'waits'],
  samples: expect.closeTo(6, -1) as number,
  notes: expect.stringContaining('records outside the ledger: 1') as string,
}

/** What is there once the ledger can be written to again. */
async function later(box: Sandbox, env: Readonly<Record<string, string>>) {
  const { code, stderr, stdout } = await box.jobmeter(['export'], { env })
  const waiting = readdirSync(`${env['JOBMETER_DB']}.spool`)
  return { code, stderr, names: namesIn(stdout), waiting }
}

const allTakenIn = { code: 0, stderr: '', names: everything.names, waiting: [] }

/** Leaves a log with something in it, as a writer does that is killed; with its index or without. */
function leaveLog(db: string, end: '-shm' | ''): void {
  const database = new DatabaseSync(db)
  database.exec('UPDATE job SET tags = \'["from-the-log"]\'')
  for (const file of ['', '-wal', '-shm']) copyFileSync(db + file, `${db}.copy${file}`)
  database.close()
  for (const file of ['', '-wal', ...(end === '' ? [] : [end])])
    copyFileSync(`${db}.copy${file}`, db + file)
  for (const file of ['', '-wal', '-shm']) rmSync(`${db}.copy${file}`)
  expect(existsSync(`${db}-wal`)).toBe(true)
}

const asked = (box: Sandbox, env: Readonly<Record<string, string>>) =>
  box.jobmeter(['export'], { env })

const ways: readonly [string, (disk: SmallDisk) => void, (disk: SmallDisk) => void][] = [
  ['a full disk', (disk) => disk.fill(), (disk) => disk.free()],
  ['a read-only disk', (disk) => disk.makeReadOnly(), (disk) => disk.makeWritable()],
]

// At once: each has a ledger of its own, and mostly waits for the lock of it.
describe.skipIf(withSmallDisk.isSkipped).concurrent.each(ways)(
  `on %s${withSmallDisk.why}`,
  (_, spoil, mend) => {
    it('all that is recorded can be read, and is taken in later', async () => {
      using box = sandbox()
      using disk = smallDisk(box, 4096)
      const env = { JOBMETER_DB: `${disk.path}/ledger.db` }
      await prepare(box, env)
      spoil(disk)
      expect(await answers(box, env)).toEqual(everything)
      mend(disk)
      expect(await later(box, env)).toEqual(allTakenIn)
    })

    it.each([
      ['with its index', '-shm'],
      ['alone', ''],
    ] as const)('a log %s is read too', async (__, end) => {
      using box = sandbox()
      using disk = smallDisk(box, 4096)
      const env = { JOBMETER_DB: `${disk.path}/ledger.db` }
      await prepare(box, env)
      leaveLog(env.JOBMETER_DB, end)
      spoil(disk)
      const { code, stdout, stderr } = await asked(box, env)
      expect(code, stderr).toBe(0)
      expect(stdout.split('"from-the-log"')).toHaveLength(3)
      mend(disk)
      expect(await later(box, env)).toEqual(allTakenIn)
    })

    it('a ledger of an older version is read too', async () => {
      using box = sandbox()
      using disk = smallDisk(box, 4096)
      const env = { JOBMETER_DB: `${disk.path}/ledger.db` }
      const database = new DatabaseSync(env.JOBMETER_DB)
      database.exec(`${migrations[0] ?? ''} PRAGMA user_version = 1;
      PRAGMA application_id = ${applicationId}`)
      database.close()
      spoil(disk)
      const { code, stdout, stderr } = await box.jobmeter(['history'], { env })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain('No job')
    })

    it('what would write says why it cannot', async () => {
      using box = sandbox()
      using disk = smallDisk(box, 4096)
      const env = { JOBMETER_DB: `${disk.path}/ledger.db` }
      await prepare(box, env)
      spoil(disk)
      for (const line of ['workflows reset 1', 'run-jobs 1', 'prune --older-than 0s']) {
        const { code, stderr } = await box.jobmeter(line.split(' '), { env })
        expect(code, `${line}: ${stderr}`).toBe(1)
        expect(stderr).toMatch(/no space left|cannot be opened for reading and writing/)
        expect(stderr).not.toContain('a bug in jobmeter')
      }
    })
  },
)

describe.concurrent('a ledger in a directory that is not to be written to', () => {
  it('can be read, with what waits beside it', async () => {
    using box = sandbox(process.getuid?.() === 0 ? ordinaryUser : undefined)
    const env = { JOBMETER_DB: box.path('archive/ledger.db') }
    await prepare(box, env)
    spawnSync('chmod', ['-R', 'a-w', box.path('archive')])
    expect(await answers(box, env)).toEqual(everything)
    spawnSync('chmod', ['-R', 'u+w', box.path('archive')])
    expect(await later(box, env)).toEqual(allTakenIn)
  })

  it('can be read by another user, without what only its owner may see', async ({ skip }) => {
    if (process.getuid?.() !== 0) return skip('only root can be another user')
    using box = sandbox()
    const env = { JOBMETER_DB: box.path('archive/ledger.db') }
    await prepare(box, env)
    for (const [path, mode] of [
      ['', 0o755],
      ['archive', 0o755],
      ['archive/ledger.db', 0o644],
    ] as const)
      chmodSync(box.path(path), mode)
    using other = sandbox(ordinaryUser)
    const { code, stderr, stdout } = await other.jobmeter(['export'], { env })
    expect(code, stderr).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(2)
    expect(stderr).toContain('ledger.db.spool is not private to you')
  })
})

describe.concurrent('a ledger that another keeps locked', () => {
  it('can be read, with what waits beside it', async () => {
    using box = sandbox()
    const env = { JOBMETER_DB: box.db }
    await prepare(box, env)
    const { code, stdout, stderr } = await whileLocked(box.db, () => box.jobmeter(['export']))
    expect(code, stderr).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(3)
    expect(await later(box, env)).toEqual(allTakenIn)
  })
})

describe.concurrent('an answer', () => {
  it('that cannot be written is an error, and no fault', async () => {
    using box = sandbox()
    await prepare(box, { JOBMETER_DB: box.db })
    const { code, stderr } = await box.shell('$JOBMETER export >/dev/full')
    expect(code).toBe(1)
    expect(stderr).toContain('the output could not be written')
    const short = await box.shell('$JOBMETER export | true')
    expect(short.code).toBe(0)
  })

  it('that nobody reads does not change how a command ends', async () => {
    using box = sandbox()
    writeFileSync(box.path('fails.yaml'), 'name: fails\njobs: [{ name: a, command: "exit 3" }]\n')
    const command = '$JOBMETER run fails.yaml --quiet --format json'
    await box.shell(`cd ${box.directory}; { ${command}; echo $? > code; } | true`)
    expect(readFileSync(box.path('code'), 'utf8')).toBe('1\n')
  })
})

describe.concurrent('a ledger that is out of sight', () => {
  it('is told, and not called empty', async () => {
    using box = sandbox(process.getuid?.() === 0 ? ordinaryUser : undefined)
    const env = { JOBMETER_DB: box.path('archive/ledger.db') }
    await prepare(box, env)
    chmodSync(box.path('archive'), 0)
    const { code, stdout, stderr } = await box.jobmeter(['history'], { env })
    const doctor = await box.jobmeter(['doctor'], { env })
    chmodSync(box.path('archive'), 0o700)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('ledger.db: the ledger cannot be opened')
    expect(doctor.stdout).toMatch(/ledger.*cannot be opened/)
    expect(await later(box, env)).toEqual(allTakenIn)
  })
})
