import { writeFileSync } from 'node:fs'
import { it } from 'vitest'
import { sandbox, type Sandbox } from '../program.ts'
import { flow, results, states, until } from './flow.ts'
import { fileOf, type SlurmStage } from './slurm-stage.ts'

const small = 'resource_requirements: { num_cpus: 1, memory: 60m, runtime: PT5M }'

/** What every list says of attempts that wait in Slurm, and of those whose runner is gone. */
export function standingTests(stage: SlurmStage): void {
  it.concurrent('calls a job that waits in Slurm waiting, and says why, until it begins', async ({
    expect,
  }) => {
    using box = sandbox()
    const spec = flow(
      box,
      `slurm_defaults: { hold: true, job-name: pending }
jobs: [{ name: pending, command: "touch there; until [ -e go ]; do sleep 0.1; done", ${small} }]
`,
    )
    const ran = box.start(stage.words(spec, '--slurm-by', 'jobs'), stage.onIt())
    const numberOf = (): string => stage.slurm.call('squeue', '-h', '-n', 'pending', '-o', '%i')
    await until(() => numberOf() !== '')
    await expect.poll(() => told(box, 'jobs', 'list', '1')).toMatch(/WAITING.*Slurm: JobHeldUser/)
    expect(await states(box)).toEqual({ pending: 'waiting' })
    expect(await told(box, 'workflows', 'status', '1')).toMatch(/WAITING +1\n/)
    expect(await told(box, 'workflows', 'status', '1')).not.toContain('RUNNING')
    expect(await told(box, 'workflows', 'list', '--format', 'json')).toMatch(/"waiting": 1,/)
    expect(await history(box)).toMatchObject([
      { status: 'waiting', start_time: null, reason: 'waits in Slurm: JobHeldUser' },
    ])
    expect(await told(box, 'history', '--all')).toContain(
      'Started: not yet, waits in Slurm: JobHeldUser',
    )
    expect(await history(box, '--status', 'running')).toEqual([])
    expect(await history(box, '--status', 'waiting')).toHaveLength(1)
    expect((await results(box)).map(({ status }) => status)).toEqual(['waiting'])
    const releasedAt = Date.now()
    stage.slurm.call('scontrol', 'release', numberOf())
    await until(() => fileOf(box, 'there') !== null)
    await expect.poll(() => states(box)).toEqual({ pending: 'running' })
    const [running] = await history(box)
    expect(running).toMatchObject({ status: 'running', reason: null })
    expect(Date.parse(String(running?.start_time))).toBeGreaterThanOrEqual(releasedAt - 1000)
    writeFileSync(box.path('go'), '')
    const end = await ran.ended
    expect(end.code, end.stderr).toBe(0)
    expect(await history(box)).toMatchObject([{ status: 'success', reason: null }])
  })

  it.concurrent('calls nothing failed that may still run after its runner was killed', async ({
    expect,
  }) => {
    using box = sandbox()
    const spec = flow(
      box,
      `jobs: [{ name: "j{i}", command: "echo {i} >> ran; until [ -e go ]; do sleep 0.1; done", parameters: { i: "1:2" }, ${small} }]\n`,
    )
    const first = box.start(stage.words(spec), stage.onIt())
    const began = (): number => (fileOf(box, 'ran') ?? '').split('\n').length - 1
    await until(() => began() === 2)
    await expect.poll(() => states(box)).toEqual({ j1: 'running', j2: 'running' })
    process.kill(first.pid, 'SIGKILL')
    await first.ended
    const gone =
      'The runner is gone. 2 jobs may still run in Slurm. Pick them up, and go on: jobmeter run --resume 1'
    for (const words of [
      ['workflows', 'status', '1'],
      ['jobs', 'list', '1'],
      ['results', 'list', '1'],
      ['workflows', 'list'],
    ])
      expect(await told(box, ...words), words.join(' ')).toContain(gone)
    expect(await states(box)).toEqual({ j1: 'running', j2: 'running' })
    expect(await told(box, 'workflows', 'list', '--format', 'json')).toMatch(/"interrupted": 0,/)
    expect((await results(box)).map(({ status }) => status)).toEqual(['running', 'running'])
    const resumed = box.start(
      ['run', '--resume', '1', '--slurm-poll', '1s'],
      stage.onIt({ timeoutMs: 200_000 }),
    )
    await expect.poll(() => told(box, 'workflows', 'status', '1')).toContain('It is running')
    await expect.poll(() => states(box)).toEqual({ j1: 'running', j2: 'running' })
    writeFileSync(box.path('go'), '')
    const end = await resumed.ended
    expect(end.code, end.stderr).toBe(0)
    expect(await states(box)).toEqual({ j1: 'success', j2: 'success' })
    expect(began()).toBe(2)
  })
}

async function told(box: Sandbox, ...words: readonly string[]): Promise<string> {
  const { stdout, stderr } = await box.jobmeter(words)
  return stdout + stderr
}

const history = async (
  box: Sandbox,
  ...words: readonly string[]
): Promise<{ status: string; start_time: string | null; reason: string | null }[]> =>
  JSON.parse(await told(box, 'history', '--all', '--format', 'json', ...words)) as []
