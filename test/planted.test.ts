import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { ordinaryUser, sandbox, type Sandbox } from './program.ts'
import { asRootOnly, stranger } from './root-only.ts'
import { decideTidying } from './tidy-turn.ts'
import { flow } from './workflow/flow.ts'

/** A folder that all may write to, as /tmp is. */
function common(box: Sandbox, name: string): string {
  mkdirSync(box.path(name), { recursive: true })
  chmodSync(box.path(name), 0o1777)
  chmodSync(box.directory, 0o755)
  return box.path(name)
}

const theirs = (path: string): void => {
  spawnSync('chown', ['-Rh', `${stranger.uid}:${stranger.gid}`, path])
}

/** A folder of a stranger's with a ledger that has a workflow. */
async function ledgerOfTheirs(box: Sandbox): Promise<string> {
  mkdirSync(box.path('home'))
  chmodSync(box.directory, 0o755)
  const db = box.path('home/led.db')
  const spec = flow(box, 'jobs: [{ name: a, command: "true" }]\n')
  await box.jobmeter(['workflows', 'create-from-spec', spec, '--db', db])
  theirs(box.path('home'))
  return db
}

/** Puts a record that a stranger made where the spool of a ledger will be looked for. */
async function plantRecord(box: Sandbox, ledger: string): Promise<void> {
  const words = ['run', '-q', '--name', 'planted', '--db', box.path('x.db'), '--', 'true']
  const leavesIt = { NODE_OPTIONS: `--require ${decideTidying(box.directory, false)}` }
  await box.jobmeter(words, { env: leavesIt })
  cpSync(box.path('x.db.spool'), `${ledger}.spool`, { recursive: true })
  theirs(`${ledger}.spool`)
  // As a careless stranger, or one who wants others to look into it, would have it.
  chmodSync(`${ledger}.spool`, 0o755)
  for (const name of readdirSync(`${ledger}.spool`)) chmodSync(`${ledger}.spool/${name}`, 0o644)
}

describe.skipIf(asRootOnly.isSkipped)(`what others planted for root${asRootOnly.why}`, () => {
  it('a spool that leads to root’s own gives none of its records away', async () => {
    using box = sandbox()
    await box.jobmeter(['run', '-q', '--', 'echo', 'secret'])
    const folder = common(box, 'common')
    symlinkSync(`${box.db}.spool`, `${folder}/led.db.spool`)
    theirs(`${folder}/led.db.spool`)
    await box.jobmeter(['history', '--db', `${folder}/led.db`])
    expect((await box.history()).map(({ status }) => status)).toEqual(['success'])
  })

  it.each([
    ['a pipe', (path: string) => void spawnSync('mkfifo', [path])],
    ['a file of theirs', (path: string) => writeFileSync(path, '', { mode: 0o666 })],
  ])('%s in the place of a log is not written to, and holds nothing up', async (_, plant) => {
    using box = sandbox()
    common(box, 'out/job_stdio')
    const log = box.path('out/job_stdio/job_1_1_1_1.o')
    plant(log)
    theirs(log)
    const spec = flow(box, 'jobs: [{ name: a, command: "echo secret" }]\n')
    const ended = await box.jobmeter(['run', spec, '--output-dir', 'out'], { timeoutMs: 90_000 })
    expect(ended.code, ended.stderr).toBe(1)
    expect(ended.stderr).toContain('job_1_1_1_1.o')
    expect(lstatSync(log).size).toBe(0)
  })

  it('a pipe in the place of an error log holds nothing up, nor does it hold up who reads it', async () => {
    using box = sandbox()
    common(box, 'out/job_stdio')
    spawnSync('mkfifo', [box.path('out/job_stdio/job_1_1_1_1.e')])
    const spec = flow(box, 'jobs: [{ name: a, command: "true" }]\n')
    const ended = await box.jobmeter(['run', spec, '--output-dir', 'out'], { timeoutMs: 90_000 })
    expect(ended, ended.stderr).toMatchObject({ code: 1, signal: null })
    const read = await box.jobmeter(['logs', 'a', '--stderr'], { timeoutMs: 90_000 })
    expect(read).toMatchObject({ code: 1, signal: null, stdout: '' })
    expect(read.stderr).toContain('job_1_1_1_1.e is not a regular file')
  })

  it.each([
    ['job_stdio', ''],
    ['resource_utilization', 'resource_monitor: { granularity: time_series }\n'],
  ])('a link in the place of %s leads no run into a folder of root’s', async (name, monitor) => {
    using box = sandbox()
    mkdirSync(box.path('private'))
    mkdirSync(box.path('out'))
    symlinkSync(box.path('private'), box.path(`out/${name}`))
    theirs(box.path('out'))
    theirs(box.path(`out/${name}`))
    const spec = flow(box, `${monitor}jobs: [{ name: a, command: "echo secret" }]\n`)
    const ended = await box.jobmeter(['run', spec, '--output-dir', 'out'])
    expect(ended.code, ended.stderr).toBe(1)
    expect(ended.stderr).toContain(`out/${name} is a link that somebody else created`)
    const alone = await box.jobmeter(['run', '--output-dir', 'out', '--', 'echo', 'ran'])
    expect(alone).toMatchObject({ code: 0, stdout: 'ran\n' })
    expect(readdirSync(box.path('private'))).toEqual([])
  })

  it('a link on the way to plots has no directory made behind it', async () => {
    using box = sandbox()
    await box.jobmeter([
      'run',
      '-q',
      '--output-dir',
      'out',
      '--interval',
      '0.05',
      '--',
      'sleep',
      '0.2',
    ])
    const [series = ''] = readdirSync(box.path('out/resource_utilization'))
    mkdirSync(box.path('private'))
    mkdirSync(box.path('nob'))
    symlinkSync(box.path('private'), box.path('nob/pl'))
    for (const name of ['nob', 'nob/pl']) theirs(box.path(name))
    const file = box.path(`out/resource_utilization/${series}`)
    const ended = await box.jobmeter(['plot-resources', file, '-o', 'nob/pl/new/deep'])
    expect(ended.code, ended.stderr).toBe(1)
    expect(ended.stderr).toContain('nob/pl is a link that somebody else created')
    expect(readdirSync(box.path('private'))).toEqual([])
  })

  it('a pipe beside a ledger holds nobody up who reads it', async () => {
    using box = sandbox()
    await box.jobmeter(['run', '-q', '--', 'true'])
    await box.history()
    spawnSync('mkfifo', [`${box.db}-journal`])
    const ended = await box.jobmeter(['history'], { timeoutMs: 90_000 })
    expect(ended.signal).toBe(null)
    expect(ended.stderr).toContain('-journal')
  })

  it('a spool that others made, in a folder for all, gets nothing of root’s', async () => {
    using box = sandbox()
    const db = `${common(box, 'common')}/led.db`
    mkdirSync(`${db}.spool`)
    chmodSync(`${db}.spool`, 0o777)
    theirs(`${db}.spool`)
    const ended = await box.jobmeter(['run', '-q', '--db', db, '--', 'echo', 'ran'])
    expect(ended).toMatchObject({ code: 0, stdout: 'ran\n' })
    expect(readdirSync(`${db}.spool`)).toEqual([])
    const read = await box.jobmeter(['history', '--db', db])
    expect(read).toMatchObject({ code: 1, stdout: '' })
    expect(read.stderr).toContain('in a directory that others can write to')
  })

  it('a record in a spool that others made reaches no ledger of root’s', async () => {
    using box = sandbox()
    const db = `${common(box, 'common')}/led.db`
    await plantRecord(box, db)
    await box.jobmeter(['run', '-q', '--db', db, '--', 'echo', 'mine'])
    for (const args of [['--db', db], []])
      expect((await box.jobmeter(['history', ...args])).stdout).not.toContain('planted')
    expect(readdirSync(`${db}.spool`)).toHaveLength(1)
  })

  it('a record in a spool that others made reaches no ledger of another user', async () => {
    using box = sandbox(ordinaryUser)
    const db = `${common(box, 'common')}/led.db`
    await plantRecord(box, db)
    const ran = await box.jobmeter(['run', '-q', '--db', db, '--', 'echo', 'mine'])
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: 'mine\n' })
    expect(ran.stderr).toContain('the spool beside it is not private to you')
    const read = await box.jobmeter(['history', '--db', db])
    expect(read.stdout).not.toContain('planted')
    expect(read.stdout).toContain('echo')
    expect(read.stderr).toContain(`${db}.spool is not private to you`)
    expect(readdirSync(`${db}.spool`)).toHaveLength(1)
  })

  it('a spool that others made gets no sign of life of a workflow', async () => {
    using box = sandbox(ordinaryUser)
    const db = `${common(box, 'common')}/led.db`
    mkdirSync(`${db}.spool`)
    chmodSync(`${db}.spool`, 0o777)
    theirs(`${db}.spool`)
    const spec = flow(box, `jobs: [{ name: a, command: "ls ${db}.spool" }]\n`)
    const ended = await box.jobmeter(['run', spec, '--db', db, '--output-dir', box.path('out')])
    expect(ended.code, ended.stderr).toBe(0)
    const log = readdirSync(box.path('out/job_stdio')).filter((name) => name.endsWith('.o'))
    expect(log).toEqual([])
  })

  it('a log of changes beside a ledger, in a folder for all, is not brought into it', async () => {
    using box = sandbox(ordinaryUser)
    const db = `${common(box, 'common')}/led.db`
    await box.jobmeter(['run', '-q', '--db', db, '--', 'true'])
    expect((await box.jobmeter(['history', '--db', db])).code).toBe(0)
    writeFileSync(`${db}-journal`, 'planted')
    theirs(`${db}-journal`)
    const read = await box.jobmeter(['history', '--db', db])
    expect(read.code).toBe(1)
    expect(read.stderr).toContain('-journal is not a file that SQLite made')
  })

  it.each([
    ['run of a file', (spec: string) => ['run', spec]],
    ['resume', () => ['run', '--resume', '1']],
    ['run of stored jobs', () => ['run-jobs', '1']],
  ])('a ledger of theirs has root run nothing: %s', async (_, args) => {
    using box = sandbox()
    const db = await ledgerOfTheirs(box)
    const ledger = new DatabaseSync(db)
    ledger.exec(`UPDATE job SET shell_command = 'touch ${box.path('evil')}'`)
    ledger.exec(
      `CREATE TRIGGER t AFTER INSERT ON job BEGIN
         UPDATE job SET shell_command = 'touch ${box.path('evil')}'; END`,
    )
    ledger.close()
    const spec = flow(box, 'jobs: [{ name: mine, command: "true" }]\n')
    const ended = await box.jobmeter([...args(spec), '--db', db])
    expect(existsSync(box.path('evil'))).toBe(false)
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toContain('can be changed by others')
    expect(ended.stderr).toContain(`sudo -u '#${stranger.uid}'`)
  })

  it('a ledger of theirs is read with their rights', async () => {
    using box = sandbox()
    const db = await ledgerOfTheirs(box)
    const read = await box.jobmeter(['workflows', 'list', '--db', db])
    expect(read, read.stderr).toMatchObject({ code: 0 })
    expect(read.stdout).toContain('flow')
    expect(read.stderr).toContain(`with the permissions of its owner, user ${stranger.uid}`)
    // As if a link had led there.
    await box.jobmeter(['run', '-q', '--name', 'secret', '--', 'true'])
    await box.history()
    renameSync(box.db, `${dirname(db)}/roots.db`)
    const roots = await box.jobmeter(['history', '--db', `${dirname(db)}/roots.db`])
    expect(roots.code).toBe(1)
    expect(roots.stdout).not.toContain('secret')
  })

  it('a directory of theirs gets nothing of root’s', async () => {
    using box = sandbox()
    const db = await ledgerOfTheirs(box)
    const before = readdirSync(dirname(db))
    const ran = await box.jobmeter(['run', '--db', db, '--', 'echo', 'ran'])
    expect(ran).toMatchObject({ code: 0, stdout: 'ran\n' })
    expect(ran.stderr).toContain(`others can change ${db}`)
    expect((await box.history()).map(({ name }) => name)).toEqual(['echo'])
    const output = await box.jobmeter(['run', '-q', '--output-dir', dirname(db), '--', 'true'])
    expect(output.code).toBe(0)
    expect(output.stderr).toContain('no series file is written')
    expect(readdirSync(dirname(db))).toEqual(before)
  })

  it('a workflow of root’s in a directory of theirs runs, and makes no database there', async () => {
    using box = sandbox()
    const folder = dirname(await ledgerOfTheirs(box))
    const monitor = 'resource_monitor: { enabled: true, granularity: time_series }\n'
    const spec = flow(box, `${monitor}jobs: [{ name: a, command: "sleep 0.3" }]\n`)
    const ended = await box.jobmeter(['run', spec, '--output-dir', `${folder}/out`])
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.stderr).toContain(`samples are kept in ${box.directory}/resource_utilization/`)
    const series = await box.jobmeter(['series', 'a'])
    expect(series.stdout.trimEnd().split('\n').length).toBeGreaterThan(1)
    const made = readdirSync(`${folder}/out`, { recursive: true, encoding: 'utf8' })
    expect(made.filter((name) => name.endsWith('.db'))).toEqual([])
  })

  it('a ledger of root’s that others may write to is not run', async () => {
    using box = sandbox()
    const spec = flow(box, 'jobs: [{ name: a, command: "true" }]\n')
    await box.jobmeter(['workflows', 'create-from-spec', spec])
    chmodSync(box.db, 0o666)
    const ended = await box.jobmeter(['run-jobs', '1', '--db', box.db])
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('root does not run workflows from such a ledger')
  })

  it('a series of theirs is not opened by root', async () => {
    using box = sandbox()
    const folder = dirname(await ledgerOfTheirs(box))
    const series = `${folder}/series.db`
    writeFileSync(series, '')
    theirs(series)
    const ended = await box.jobmeter(['plot-resources', series, '-o', box.path('plots')])
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('root does not open a series file that others can change')
  })

  it('a ledger in a folder for all gets nothing of root’s', async () => {
    using box = sandbox()
    const planted = `${common(box, 'common')}/led.db`
    writeFileSync(planted, '', { mode: 0o666 })
    chownSync(planted, stranger.uid, stranger.gid)
    const ended = await box.jobmeter(['run', '-q', '--db', planted, '--', 'echo', 'ran'])
    expect(ended).toMatchObject({ code: 0, stdout: 'ran\n' })
    await box.jobmeter(['history', '--db', planted])
    expect(readFileSync(planted, 'latin1')).not.toContain('echo')
    expect(existsSync(`${planted}-wal`) && readFileSync(`${planted}-wal`, 'latin1')).toBe(false)
  })

  it('a runner that somebody else’s ledger names is not signalled', async () => {
    using box = sandbox()
    const home = box.path('home')
    mkdirSync(home)
    const db = `${home}/led.db`
    await box.jobmeter([
      'workflows',
      'create-from-spec',
      flow(box, 'jobs: [{ name: a, command: "true" }]\n'),
      '--db',
      db,
    ])
    const victim = spawn('sleep', ['60'], { stdio: 'ignore' })
    const stat = readFileSync(`/proc/${victim.pid}/stat`, 'utf8').split(' ')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const ledger = new DatabaseSync(db)
    ledger
      .prepare(
        'UPDATE workflow SET owner_host = ?, owner_boot_id = ?, owner_pid = ?, owner_start_ticks = ?',
      )
      .run(hostname(), boot, victim.pid ?? 0, Number(stat[21]))
    ledger.close()
    spawnSync('chown', ['-R', `${stranger.uid}:${stranger.gid}`, home])
    const ended = await box.jobmeter(['workflows', 'cancel', '1', '--db', db])
    expect(ended.code, ended.stdout + ended.stderr).not.toBe(0)
    expect(victim.exitCode ?? victim.signalCode).toBe(null)
    victim.kill('SIGKILL')
  })
})
