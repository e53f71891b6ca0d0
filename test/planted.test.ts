import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from './program.ts'
import { asRootOnly, stranger } from './root-only.ts'
import { flow } from './workflow/flow.ts'

/** A folder that all may write to, as /tmp is. */
function common(box: Sandbox, name: string): string {
  mkdirSync(box.path(name), { recursive: true })
  chmodSync(box.path(name), 0o1777)
  chmodSync(box.directory, 0o755)
  return box.path(name)
}

const theirs = (path: string): void => {
  spawnSync('chown', ['-h', `${stranger.uid}:${stranger.gid}`, path])
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
    const ended = await box.jobmeter(['run', spec, '--output-dir', 'out'], { timeoutMs: 20_000 })
    expect(ended.code, ended.stderr).toBe(1)
    expect(ended.stderr).toContain('job_1_1_1_1.o')
    expect(lstatSync(log).size).toBe(0)
  })

  it('a pipe in the place of an error log holds nothing up, nor does it hold up who reads it', async () => {
    using box = sandbox()
    common(box, 'out/job_stdio')
    spawnSync('mkfifo', [box.path('out/job_stdio/job_1_1_1_1.e')])
    const spec = flow(box, 'jobs: [{ name: a, command: "true" }]\n')
    const ended = await box.jobmeter(['run', spec, '--output-dir', 'out'], { timeoutMs: 20_000 })
    expect(ended, ended.stderr).toMatchObject({ code: 1, signal: null })
    const read = await box.jobmeter(['logs', 'a', '--stderr'], { timeoutMs: 20_000 })
    expect(read).toMatchObject({ code: 1, signal: null, stdout: '' })
    expect(read.stderr).toContain('job_1_1_1_1.e is no plain file')
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
    expect(ended.stderr).toContain(`out/${name} is a link that somebody else made`)
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
    expect(ended.stderr).toContain('nob/pl is a link that somebody else made')
    expect(readdirSync(box.path('private'))).toEqual([])
  })

  it('a pipe beside a ledger holds nobody up who reads it', async () => {
    using box = sandbox()
    await box.jobmeter(['run', '-q', '--', 'true'])
    await box.history()
    spawnSync('mkfifo', [`${box.db}-journal`])
    const ended = await box.jobmeter(['history'], { timeoutMs: 20_000 })
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
    const { stdout } = await box.jobmeter(['history', '--db', db])
    expect(stdout).toContain('echo')
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
