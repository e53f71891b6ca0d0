import { describe, expect, it } from 'vitest'
import { sandbox, usersByCgroups, workload, workloadsMissing } from '../program.ts'
import { runs } from './tolerance.ts'

const count = (text: string, of: string): number => text.split(of).length - 1

describe.skipIf(workloadsMissing).each(usersByCgroups)('signals to jobmeter, as $name', (user) => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s reaches every process of the job once',
    async (name) => {
      using box = sandbox(user)
      const job = box.start(['run', '--quiet', '--', workload('catcher'), 'leave', '2'])
      await job.saw('ready')
      job.signal(name)
      const ended = await job.ended
      const word = name.slice(3)
      expect(count(ended.stdout, `main ${word}`)).toBe(1)
      expect(count(ended.stdout, `child ${word}`)).toBe(2)
      expect(ended.code).toBe(3)
      const [record] = await box.history()
      expect(record).toMatchObject({ status: 'cancelled', returncode: 3 })
    },
  )

  it('a job that ignores TERM is killed after the grace time', async () => {
    using box = sandbox(user)
    const job = box.start([
      'run',
      '--quiet',
      '--grace',
      '1',
      '--',
      workload('catcher'),
      'stay',
      '1',
    ])
    await job.saw('ready')
    job.signal('SIGTERM')
    await job.saw('main TERM')
    expect(await job.ended).toMatchObject({ code: 137, signal: null })
    expect(await box.history()).toMatchObject([{ status: 'cancelled', signal: 'SIGKILL' }])
  })

  it('what does not heed INT is killed after the grace time, though the main process is gone', async () => {
    using box = sandbox(user)
    // A shell without job control has what it starts in the background ignore INT, once that runs: it is asked itself.
    const script = `sh -c 'echo $$; exec sleep 600' & wait`
    const job = box.start(['run', '--quiet', '--grace', '0.5', '--', 'sh', '-c', script])
    const left = Number((await job.saw('\n')).trim())
    job.signal('SIGINT')
    expect((await job.ended).code).toBe(130)
    expect(runs(left)).toBe(false)
  })

  it('what works on after INT, until it is killed, makes the job last as long', async () => {
    using box = sandbox(user)
    const script = '{ echo on; while :; do :; done; } & wait'
    const job = box.start(['run', '--quiet', '--grace', '1.5', '--', 'sh', '-c', script])
    await job.saw('\n')
    job.signal('SIGINT')
    expect((await job.ended).code).toBe(130)
    const [record] = await box.history()
    // One thread cannot keep more than one core busy.
    expect(record?.duration_seconds).toBeGreaterThanOrEqual(1.5)
    expect(record?.usage['cpu_total_seconds']).toBeLessThanOrEqual(
      (record?.duration_seconds ?? 0) * 1.02,
    )
  })

  it.each(['SIGALRM', 'SIGVTALRM', 'SIGXCPU'] as const)(
    '%s leaves no job without anybody who looks after it',
    async (name) => {
      using box = sandbox(user)
      const job = box.start(['run', '--quiet', '--', 'sh', '-c', 'echo $$; exec sleep 600'])
      const pid = Number((await job.saw('\n')).trim())
      job.signal(name)
      expect((await job.ended).code).toBeGreaterThan(128)
      expect(runs(pid)).toBe(false)
    },
  )

  it('a second INT kills at once', async () => {
    using box = sandbox(user)
    const catcher = [workload('catcher'), 'stay', '1']
    const job = box.start(['run', '--quiet', '--grace', '50', '--', ...catcher])
    await job.saw('ready')
    job.signal('SIGINT')
    await job.saw('main INT')
    const secondAt = performance.now()
    job.signal('SIGINT')
    const ended = await job.ended
    expect(ended).toMatchObject({ code: 137, signal: null })
    // On any machine, that is without the grace time.
    expect(performance.now() - secondAt).toBeLessThan(25_000)
  })
})

describe.skipIf(workloadsMissing)('on a terminal', () => {
  it('Ctrl-C reaches the job once, and jobmeter reports the job’s end', async () => {
    using box = sandbox()
    const job = box.terminal(`$JOBMETER run --quiet -- ${workload('catcher')} leave 1`)
    await job.saw('ready')
    job.type('\x03')
    const ended = await job.ended
    expect(ended.code).toBe(3)
    expect(count(ended.stdout, 'main INT')).toBe(1)
    expect(count(ended.stdout, 'child INT')).toBe(1)
    expect(await box.history()).toMatchObject([{ status: 'cancelled', returncode: 3 }])
  })

  it('says what it waits for when the command has ended and something else has not', async () => {
    using box = sandbox()
    // It is born deaf to Ctrl-C: a shell makes it so only some time after its birth.
    const script = 'trap "" INT; sleep 600 & trap - INT; echo ready; wait'
    const job = box.terminal(`$JOBMETER run -- sh -c '${script}'`)
    await job.saw('ready')
    job.type('\x03')
    await job.saw('the command has ended, but not what it started: sleep 600')
    job.type('\x03')
    expect((await job.ended).code).toBe(130)
  })

  it('the job may read from it', async () => {
    using box = sandbox()
    const job = box.terminal(
      `$JOBMETER run --quiet -- sh -c 'echo ready; read word; echo "got $word"'`,
    )
    await job.saw('ready')
    job.type('apple\n')
    await job.saw('got apple')
    expect((await job.ended).code).toBe(0)
  })

  it('Ctrl-Z stops job and jobmeter, and fg goes on', async () => {
    using box = sandbox()
    const shell = box.terminal('bash --norc --noprofile -i')
    shell.type(
      `$JOBMETER run --quiet -- sh -c 'echo pid=$$; exec ${workload('catcher')} leave 0'\n`,
    )
    await shell.saw('ready')
    shell.type('\x1a')
    await shell.saw('Stopped')
    shell.type('fg\n')
    await shell.saw('main CONT')
    shell.type('\x03')
    await shell.saw('main INT')
    shell.type('echo code=$?; exit\n')
    await shell.saw('code=3')
    const { stdout } = await shell.ended
    expect(runs(Number(/pid=(\d+)/.exec(stdout)?.[1]))).toBe(false)
  })
})
