import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { openSqliteLedger } from '../../src/store/ledger/open.ts'
import { lockLedger } from '../locked-ledger.ts'
import { ordinaryUser, sandbox, type Ended, type Sandbox, type User } from '../program.ts'
import { smallDisk, withSmallDisk } from '../small-disk.ts'

const isRoot = process.getuid?.() === 0
/** Root may write anywhere, and has a home that is not the tests' to write to. */
const user: User = isRoot ? ordinaryUser : { name: 'an ordinary user' }

type Environment = Readonly<Record<string, string>>

interface Trouble {
  /** What a user meets; answers how it is mended before the record is asked for, where it must be. */
  readonly make?: (box: Sandbox) => (() => void) | void
  /** Where HOME alone says where the ledger is; undefined for none. */
  readonly home?: ((box: Sandbox) => string) | null
  /** What stands after `$JOBMETER run …` in a line of shell. */
  readonly redirect?: string
  /** What it says on standard error. */
  readonly says: RegExp
}

const nothing = /^$/
const inFallback =
  /the record is in (\/(?:var\/tmp|tmp)\/jobmeter-\d+\/\w+\.spool\/\w+\.jsonl), where/
const beside = (why: string) =>
  new RegExp(`the record waits in .*ledger\\.db\\.spool/\\w+\\.jsonl until .*${why}`)

/** Puts something else in the ledger's place. */
const insteadOfLedger =
  (make: (path: string) => void) =>
  (box: Sandbox): (() => void) => {
    make(box.db)
    return () => rmSync(box.db, { recursive: true })
  }

function edited(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

const garbage = 'no ledger at all, and longer than the first hundred bytes of one. '.repeat(4)

/** What must not keep a job from running, nor its exit code from being passed on. */
const troubles: Readonly<Record<string, Trouble>> = {
  'no trouble at all': { says: nothing },
  'no HOME': { home: null, says: inFallback },
  'an empty HOME': { home: () => '', says: inFallback },
  'a HOME that is not there': { home: () => '/nonexistent', says: inFallback },
  'a HOME that may not be looked into': {
    make(box) {
      mkdirSync(box.path('home'), 0)
    },
    home: (box) => box.path('home'),
    says: inFallback,
  },
  'a HOME that may not be written to': {
    make(box) {
      mkdirSync(box.path('home'), 0o500)
    },
    home: (box) => box.path('home'),
    says: inFallback,
  },
  'a HOME that is a file': {
    make(box) {
      writeFileSync(box.path('home'), '')
    },
    home: (box) => box.path('home'),
    says: inFallback,
  },
  'a HOME that runs in circles': {
    make(box) {
      symlinkSync('home', box.path('home'))
    },
    home: (box) => box.path('home'),
    says: inFallback,
  },
  'a spool that is a file': {
    make(box) {
      writeFileSync(`${box.db}.spool`, '')
    },
    says: inFallback,
  },
  'a spool that may not be written to': {
    make(box) {
      mkdirSync(`${box.db}.spool`, 0o500)
    },
    says: inFallback,
  },
  'a locked ledger': {
    make: (box) => lockLedger(box.db),
    says: nothing,
  },
  'a ledger that is garbage': {
    make: insteadOfLedger((path) => writeFileSync(path, garbage)),
    says: beside('not a jobmeter ledger'),
  },
  'a ledger that is a directory': {
    make: insteadOfLedger((path) => mkdirSync(path)),
    says: beside('this is not a file'),
  },
  'a ledger that is a pipe': {
    make: insteadOfLedger((path) => spawnSync('mkfifo', [path])),
    says: beside('this is not a file'),
  },
  'a ledger of a newer build': {
    make: insteadOfLedger((path) => {
      openSqliteLedger(path).jobs.close()
      edited(path, 'PRAGMA user_version = 99')
    }),
    says: beside('written by version 99'),
  },
  'a database of another program': {
    make: insteadOfLedger((path) => edited(path, 'CREATE TABLE visits (url)')),
    says: beside('a database of another program'),
  },
  'a cache that is a file': {
    make(box) {
      writeFileSync(box.path('cache'), '')
    },
    says: nothing,
  },
  'a cache that may not be looked into': {
    make(box) {
      mkdirSync(box.path('cache'), 0)
    },
    says: nothing,
  },
  'standard error on a full device': { redirect: '2>/dev/full', says: nothing },
  'standard error closed': { redirect: '2>&-', says: nothing },
  'standard output closed': { redirect: '>&-', says: nothing },
  'all streams closed': { redirect: '<&- >&- 2>&-', says: nothing },
}

/** The job says that it ran in a file of its own: its streams may be closed. */
const job = (box: Sandbox) => `run -- sh -c 'echo ran >> ${box.path('ran')}; exit 3'`

const complaints = ({ stderr }: Ended) =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('jobmeter: '))
    .join('\n')

/** The records of jobs of this sandbox that `history` shows. */
async function found(box: Sandbox, before: string, env: Environment): Promise<unknown[]> {
  const listed = await box.shell(`${before} $JOBMETER history --format json`, { env })
  expect(listed.code, listed.stderr).toBe(0)
  const records = JSON.parse(listed.stdout) as { working_directory: string }[]
  return records.filter((record) => record.working_directory === box.directory)
}

describe(`a job of ${user.name}`, () => {
  it.each(Object.entries(troubles))('runs, and is found again, with %s', async (_, trouble) => {
    using box = sandbox(user)
    const { make, home, redirect = '', says } = trouble
    if (home !== undefined && !isRoot && home?.(box) !== box.path('home')) return
    const mend = make?.(box)
    if (isRoot) spawnSync('chown', ['-hR', String(ordinaryUser.uid), box.directory])
    const env: Record<string, string> =
      home === undefined ? {} : { JOBMETER_DB: '', XDG_STATE_HOME: '', XDG_CACHE_HOME: '' }
    if (home) env['HOME'] = home(box)
    const before = home === null ? 'unset HOME;' : ''
    const ended = await box.shell(`${before} $JOBMETER ${job(box)} ${redirect}`, { env })
    expect(ended.code, ended.stderr).toBe(3)
    expect(readFileSync(box.path('ran'), 'utf8')).toBe('ran\n')
    expect(complaints(ended)).toMatch(says)
    mend?.()
    expect(await found(box, before, env)).toMatchObject([{ returncode: 3, status: 'failed' }])
    const fallback = inFallback.exec(ended.stderr)?.[1]
    if (fallback !== undefined) rmSync(dirname(fallback), { recursive: true, force: true })
  })

  it('runs with its summary going nowhere', async () => {
    using box = sandbox(user)
    await box.shell(`{ $JOBMETER ${job(box)}; echo $? > code; } 2>&1 >/dev/null | true`)
    expect(readFileSync(box.path('code'), 'utf8')).toBe('3\n')
    expect(await found(box, '', {})).toMatchObject([{ returncode: 3, status: 'failed' }])
  })
})

describe.skipIf(withSmallDisk.isSkipped)(`a job whose disk${withSmallDisk.why}`, () => {
  it.each([
    ['is full', 'fill', 'free'],
    ['is read-only', 'makeReadOnly', 'makeWritable'],
  ] as const)('%s runs, is found, and is in the ledger later', async (_, spoil, mend) => {
    using box = sandbox()
    using disk = smallDisk(box, 1024)
    const env = { JOBMETER_DB: `${disk.path}/ledger.db`, XDG_CACHE_HOME: `${disk.path}/cache` }
    disk[spoil]()
    const ended = await box.shell(`$JOBMETER ${job(box)}`, { env })
    expect(ended.code, ended.stderr).toBe(3)
    expect(complaints(ended)).toMatch(inFallback)
    expect(readFileSync(box.path('ran'), 'utf8')).toBe('ran\n')
    expect(await found(box, '', env)).toMatchObject([{ returncode: 3, job_id: null }])
    disk[mend]()
    expect(await found(box, '', env)).toMatchObject([{ returncode: 3, job_id: 1 }])
  })

  it('becomes full while it runs is recorded elsewhere', async () => {
    using box = sandbox()
    using disk = smallDisk(box, 1024)
    const env = { JOBMETER_DB: `${disk.path}/ledger.db` }
    const fill = `head -c 2M /dev/zero > ${disk.path}/filler`
    const ended = await box.shell(`$JOBMETER run -- sh -c '${fill}; exit 3'`, { env })
    expect(ended.code, ended.stderr).toBe(3)
    expect(complaints(ended)).toMatch(inFallback)
    expect(await found(box, '', env)).toMatchObject([{ returncode: 3, job_id: null }])
    disk.free()
    expect(await found(box, '', env)).toMatchObject([{ returncode: 3, job_id: 1 }])
  })

  it('becomes full under a workflow has it end, and say what runs again', async () => {
    using box = sandbox()
    using disk = smallDisk(box, 2048)
    const env = { JOBMETER_DB: `${disk.path}/ledger.db` }
    const fill = `head -c 4M /dev/zero > ${disk.path}/filler`
    const spec = box.path('flow.yaml')
    writeFileSync(
      spec,
      `name: full\njobs: [{ name: filler, command: '${fill}; echo ran >> ran' }]\n`,
    )
    const ended = await box.jobmeter(['run', spec], { env })
    expect(ended.code, ended.stderr).toBe(1)
    expect(ended.stderr).toContain('no space left to write to the ledger')
    expect(ended.stderr).toContain('runs again: jobmeter run --resume 1')
    disk.free()
    const resumed = await box.jobmeter(['run', '--resume', '1'], { env })
    expect(resumed.stderr).toContain('1 of 1 job')
  })

  it('is gone altogether runs all the same', async () => {
    using box = sandbox()
    chmodSync(box.directory, 0o755)
    const env = { JOBMETER_DB: '/proc/none/ledger.db' }
    const ended = await box.shell(`$JOBMETER ${job(box)}`, { env })
    expect(ended.code, ended.stderr).toBe(3)
    const fallback = inFallback.exec(ended.stderr)?.[1] ?? ''
    expect(await found(box, '', env)).toMatchObject([{ returncode: 3 }])
    rmSync(dirname(fallback), { recursive: true })
  })
})
