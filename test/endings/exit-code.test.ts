import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, usersByCgroups } from '../program.ts'
import { runs } from '../exact/tolerance.ts'

describe.each(usersByCgroups)('the exit code, as $name', (user) => {
  const cases = [
    { what: 'success', script: 'true', code: 0, status: 'success', signal: null },
    { what: 'the command’s own', script: 'exit 7', code: 7, status: 'failed', signal: null },
    { what: 'SIGSEGV', script: 'kill -SEGV $$', code: 139, status: 'failed', signal: 'SIGSEGV' },
    { what: 'SIGKILL', script: 'kill -KILL $$', code: 137, status: 'failed', signal: 'SIGKILL' },
    {
      what: 'SIGTERM of its own',
      script: 'kill -TERM $$',
      code: 143,
      status: 'failed',
      signal: 'SIGTERM',
    },
  ]

  it.each(cases)('is what a shell says: $what', async ({ script, code, status, signal }) => {
    using box = sandbox(user)
    const { ended, record } = await box.run(['--', 'sh', '-c', script])
    expect(ended.code).toBe(code)
    expect(record).toMatchObject({ status, signal, returncode: code })
  })

  it('is 127 for a command that is not there', async () => {
    using box = sandbox(user)
    const { ended, record } = await box.run(['--', 'no-such-command-anywhere'])
    expect(ended.code).toBe(127)
    expect(record).toMatchObject({ status: 'error', returncode: 127 })
    expect(record.error).toContain('no-such-command-anywhere')
  })

  it('is 127 too where a folder on the path is closed to us', async () => {
    using box = sandbox(user)
    mkdirSync(box.path('private'), { mode: 0 })
    const env = { PATH: `${box.path('private')}:/usr/bin:/bin` }
    const { ended } = await box.run(['--', 'no-such-command-anywhere'], { env })
    expect(ended.code).toBe(127)
  })

  it('is 126 for a file that is not executable, and for a folder', async () => {
    using box = sandbox(user)
    writeFileSync(box.path('plain'), 'echo never\n')
    chmodSync(box.path('plain'), 0o644)
    expect((await box.run(['--', box.path('plain')])).ended.code).toBe(126)
    expect((await box.run(['--', box.directory])).ended.code).toBe(126)
  })

  it('is 1 for a jobmeter that cannot work, with what to do about it', async () => {
    using box = sandbox(user)
    const gone = 'mkdir gone; cd gone; rmdir ../gone; $JOBMETER run -- touch ../ran'
    expect(await box.terminal(gone).ended).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('the working directory no longer exists; cd to'),
    })
    expect(existsSync(box.path('ran'))).toBe(false)
  })

  it('is the job’s though so few files may be open that nothing can be recorded', async () => {
    using box = sandbox(user)
    const full = `ulimit -n 24; $JOBMETER run -- sh -c 'touch ${box.path('ran')}; exit 3'`
    const { code, stdout } = await box.terminal(full).ended
    expect(code).toBe(3)
    expect(stdout).toMatch(
      /the job is not recorded: .*: too many files are open; ulimit -n shows the limit and can raise it/,
    )
    expect(stdout).not.toContain('yours to write')
    expect(existsSync(box.path('ran'))).toBe(true)
  })

  it('is 124 when the time is over', async () => {
    using box = sandbox(user)
    const { ended, record } = await box.run(['--timeout', '0.5', '--', 'sleep', '30'])
    expect(ended.code).toBe(124)
    expect(record.status).toBe('timeout')
    // The job would take 30 s; how soon a busy machine comes to end it is not ours.
    expect(record.duration_seconds).toBeLessThan(20)
  })
})

describe.each(usersByCgroups)('processes that outlive the job, as $name', (user) => {
  // The straggler closes the pipes it was given; else whoever reads them would wait for it.
  const leave = 'sleep 300 </dev/null >/dev/null 2>&1 & echo $!'

  it('are left and reported by default', async () => {
    using box = sandbox(user)
    const ended = await box.jobmeter(['run', '--', 'sh', '-c', leave])
    const pid = Number(ended.stdout)
    expect(ended.code).toBe(0)
    expect(runs(pid)).toBe(true)
    expect(ended.stderr).toContain(String(pid))
    expect(ended.stderr).toContain('sleep')
    process.kill(pid)
  })

  it('are killed with --stragglers kill', async () => {
    using box = sandbox(user)
    const ended = await box.jobmeter(['run', '--stragglers', 'kill', '--', 'sh', '-c', leave])
    expect(ended.code).toBe(0)
    expect(runs(Number(ended.stdout))).toBe(false)
  })

  it('are waited for with --stragglers wait', async () => {
    using box = sandbox(user)
    const slow = `(sleep 1; echo done > ${box.path('late')}) </dev/null >/dev/null 2>&1 & echo $!`
    const ended = await box.jobmeter(['run', '--stragglers', 'wait', '--', 'sh', '-c', slow])
    expect(ended.code).toBe(0)
    expect(existsSync(box.path('late')) && readFileSync(box.path('late'), 'utf8')).toBe('done\n')
  })
})
