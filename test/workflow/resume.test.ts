import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from '../program.ts'
import { flow, lines, results, states, until } from './flow.ts'

/** `first` is done, `second` waits for the file `go`, `third` comes after it. Each writes its name when it is done. */
const gated = `jobs:
  - { name: first, command: echo first >> order }
  - { name: second, command: 'echo $$ > started; while [ ! -e go ]; do sleep 0.02; done; echo second >> order', depends_on: [first] }
  - { name: third, command: echo third >> order, depends_on: [second] }
`

async function startGated(box: Sandbox, ...options: string[]) {
  const run = box.start(['run', flow(box, gated), ...options], { input: '' })
  await until(() => existsSync(box.path('started')) && pidOf(box) > 0)
  return run
}

const pidOf = (box: Sandbox): number => Number(readFileSync(box.path('started'), 'utf8'))

async function resume(box: Sandbox): Promise<string> {
  writeFileSync(box.path('go'), '')
  const ended = await box.jobmeter(['run', '--resume', '1'])
  expect(ended.code, ended.stderr).toBe(0)
  return ended.stderr
}

describe('a run that was cut short', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('by %s ends with %d, and goes on where it stopped', async (signal, code) => {
    using box = sandbox()
    const run = await startGated(box, '--grace', '1')
    run.signal(signal)
    const ended = await run.ended
    expect(ended.code, ended.stderr).toBe(code)
    expect(ended.stderr).toContain(`stopped by ${signal}`)
    expect(await states(box)).toEqual({ first: 'success', second: 'cancelled', third: 'cancelled' })
    await resume(box)
    expect(lines(box.path('order'))).toEqual(['first', 'second', 'third'])
    expect(await results(box, '--all-runs')).toMatchObject([
      { job_name: 'first', run_id: 1, attempt: 1, status: 'success' },
      { job_name: 'second', run_id: 1, attempt: 1, status: 'cancelled' },
      { job_name: 'second', run_id: 2, attempt: 2, status: 'success' },
      { job_name: 'third', run_id: 2, attempt: 1, status: 'success' },
    ])
  })

  it('goes on in its own folder, from wherever it is told to', async () => {
    using box = sandbox()
    const run = await startGated(box)
    run.signal('SIGTERM')
    await run.ended
    writeFileSync(box.path('go'), '')
    mkdirSync(box.path('elsewhere'))
    const cwd = box.path('elsewhere')
    const ended = await box.jobmeter(['run', '--resume', '1'], { cwd })
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.stderr).toContain(`its jobs run in ${realpathSync(box.directory)}, as before`)
    expect(lines(box.path('order'))).toEqual(['first', 'second', 'third'])
    expect(readdirSync(cwd)).toEqual([])
  })

  it('goes on where it is told to if its own folder is gone', async () => {
    using box = sandbox()
    const [old, moved] = [box.path('old'), box.path('moved')]
    mkdirSync(old)
    writeFileSync(
      join(old, 'flow.yaml'),
      'name: flow\njobs:\n  - { name: a, command: test -e go }\n',
    )
    expect((await box.jobmeter(['run', 'flow.yaml'], { cwd: old })).code).toBe(1)
    renameSync(old, moved)
    writeFileSync(join(moved, 'go'), '')
    const ended = await box.jobmeter(['run', '--resume', '1'], { cwd: moved })
    expect(ended.stderr).toContain('no longer exists; they run in')
    expect(ended.code).toBe(0)
  })

  it('before its first job goes on where it was to run, not here', async () => {
    using box = sandbox()
    const bare = { env: { PATH: '/nowhere' } }
    const spec = flow(box, 'jobs: [{ name: a, command: echo ran > ran }]\n')
    const begun = await box.jobmeter(['run', spec, '--executor', 'slurm'], bare)
    expect(begun.stderr).toContain('sbatch was not found')
    const resumed = await box.jobmeter(['run', '--resume', '1'], bare)
    expect(resumed.stderr).toContain('sbatch was not found')
    expect(existsSync(box.path('ran'))).toBe(false)
    const here = await box.jobmeter(['run', '--resume', '1', '--executor', 'local'], bare)
    expect(here.code, here.stderr).toBe(0)
    expect(existsSync(box.path('ran'))).toBe(true)
  })

  it('by kill -9 knows what was interrupted, and runs that again', async () => {
    using box = sandbox()
    const run = await startGated(box)
    run.signal('SIGKILL')
    await run.ended
    expect(await states(box)).toEqual({
      first: 'success',
      second: 'interrupted',
      third: 'waiting',
    })
    // What the dead runner left must not do the work a second time.
    const left = pidOf(box)
    const again = box.start(['run', '--resume', '1'], { input: '' })
    // Its `sleep` may be named too, and first, for pids begin anew.
    const said = await again.saw('that a killed runner left behind: ')
    expect(said).toMatch(new RegExp(`a killed runner left behind: (\\d+, )*${left}\\b`))
    writeFileSync(box.path('go'), '')
    expect((await again.ended).code).toBe(0)
    expect(lines(box.path('order'))).toEqual(['first', 'second', 'third'])
    expect((await results(box)).map(({ status }) => status)).toEqual(Array(3).fill('success'))
  })

  it('while a recovery or an action runs ends that too', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      `failure_handlers: [{ name: h, rules: [{ match_all_exit_codes: true, recovery_script: "echo $$ > started; exec sleep 30" }] }]
actions: [{ trigger_type: on_workflow_complete, action_type: run_commands, commands: [touch complete] }]
jobs: [{ name: a, command: "exit 1", failure_handler: h }]
`,
    )
    const run = box.start(['run', spec, '--grace', '1'], { input: '' })
    await until(() => existsSync(box.path('started')) && pidOf(box) > 0)
    run.signal('SIGINT')
    expect((await run.ended).code).toBe(130)
    expect(await states(box)).toEqual({ a: 'failed' })
  })

  it('has nothing to do once all is done', async () => {
    using box = sandbox()
    writeFileSync(box.path('go'), '')
    expect((await box.jobmeter(['run', flow(box, gated)])).code).toBe(0)
    await resume(box)
    expect(lines(box.path('order'))).toEqual(['first', 'second', 'third'])
  })
})

describe('two runners', () => {
  it('of one workflow: the second is refused while the first lives', async () => {
    using box = sandbox()
    const run = await startGated(box)
    const second = await box.jobmeter(['run', '--resume', '1'])
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(`workflow 1 is being run by process ${run.pid}`)
    writeFileSync(box.path('go'), '')
    expect((await run.ended).code).toBe(0)
    expect(lines(box.path('order'))).toEqual(['first', 'second', 'third'])
  })

  it('started at once run each job once', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      'jobs: [{ name: "j{i}", command: "echo {i} >> order", parameters: { i: "1:40" } }]\n',
    )
    await box.jobmeter(['workflows', 'create-from-spec', spec])
    const ends = await Promise.all([1, 2, 3].map(() => box.jobmeter(['run-jobs', '1'])))
    expect(ends.some(({ code }) => code === 0)).toBe(true)
    expect(
      lines(box.path('order'))
        .map(Number)
        .toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
    expect(await results(box, '--all-runs')).toHaveLength(40)
  })
})

describe('a changed input', () => {
  const files = `files:
  - { name: raw, path: raw.csv }
  - { name: clean, path: clean.csv }
  - { name: other, path: other.csv }
jobs:
  - { name: clean, command: "cat \${files.input.raw} > \${files.output.clean}; echo clean >> order" }
  - { name: report, command: "cat \${files.input.clean}; echo report >> order" }
  - { name: other, command: "cat \${files.input.other}; echo other >> order" }
`

  it('has exactly those run again that depend on it', async () => {
    using box = sandbox()
    writeFileSync(box.path('raw.csv'), 'one\n')
    writeFileSync(box.path('other.csv'), 'x\n')
    const run = await box.jobmeter(['run', flow(box, files), '--cpus', '1'])
    expect(run.code, run.stderr).toBe(0)
    expect(lines(box.path('order'))).toHaveLength(3)
    writeFileSync(box.path('raw.csv'), 'two\n')
    const stderr = await resume(box)
    expect(stderr).toContain('raw.csv changed since the last run; 2 jobs will run again')
    expect(lines(box.path('order')).slice(3)).toEqual(['clean', 'report'])
    expect(await resume(box)).not.toContain('changed')
    expect(lines(box.path('order'))).toHaveLength(5)
  })

  it('while the job ran counts as changed', async () => {
    using box = sandbox()
    writeFileSync(box.path('raw.csv'), 'one\n')
    const spec = flow(
      box,
      'files: [{ name: raw, path: raw.csv }]\njobs: [{ name: a, command: "echo a >> order; test -e go || echo later >> raw.csv", input_files: [raw] }]\n',
    )
    expect((await box.jobmeter(['run', spec])).code).toBe(0)
    expect(await resume(box)).toContain('raw.csv changed since the last run; 1 job will run again')
    expect(lines(box.path('order'))).toEqual(['a', 'a'])
  })
})
