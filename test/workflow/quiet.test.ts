import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { flow, script, until, onPath } from './flow.ts'

const silent = { stdout: '', stderr: '' }

describe('resuming', () => {
  it('says how much is left', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      'jobs:\n  - { name: "j{i}", command: "test {i} -lt 3 -o -e go", parameters: { i: "1:4" } }\n',
    )
    const first = await box.jobmeter(['run', spec])
    expect(first.stderr).not.toContain('resuming')
    writeFileSync(box.path('go'), '')
    const second = await box.jobmeter(['run', '--resume', '1'])
    expect(second.stderr.startsWith('jobmeter: resuming: 2 of 4 jobs left\n')).toBe(true)
    const third = await box.jobmeter(['run-jobs', '1'])
    expect(third.stderr.startsWith('jobmeter: resuming: 0 of 4 jobs left\n')).toBe(true)
  })

  it('is silent with --quiet, whatever there would be to say', async () => {
    using box = sandbox()
    writeFileSync(box.path('raw.csv'), 'one\n')
    const yaml = `resource_monitor: { granularity: time_series, generate_plots: true }
files: [{ name: raw, path: raw.csv }, { name: none, path: none }, { name: out, path: out }]
jobs:
  - { name: a, command: "true", input_files: [raw, none], output_files: [out] }
`
    const spec = flow(box, yaml)
    const loud = await box.jobmeter(['run', spec])
    for (const said of ['none (a)', 'declared output missing', 'Page ', 'Next '])
      expect(loud.stderr).toContain(said)
    writeFileSync(box.path('raw.csv'), 'two\n')
    expect(await box.jobmeter(['run', '--resume', '1', '-q'])).toMatchObject({ code: 0, ...silent })
    flow(box, yaml.replace('"true"', '"true again"'))
    const mended = await box.jobmeter(['run', spec, '--resume', '1', '--quiet'])
    expect(mended).toMatchObject({ code: 0, ...silent })
    expect(await box.jobmeter(['run-jobs', '1', '--quiet'])).toMatchObject({ code: 0, ...silent })
  })

  it('tells with --quiet what failed for good, and no tries before that', async () => {
    using box = sandbox()
    const yaml = `failure_handlers:
  - { name: again, rules: [{ match_all_exit_codes: true, max_retries: 1 }] }
jobs:
  - { name: good, command: "true" }
  - { name: "a b", command: "exit 3", failure_handler: again }
  - { name: after, command: "true", depends_on: ["a b"] }
  - { name: second, command: "echo >> tries; test -e tries.1 || ! touch tries.1", failure_handler: again }
`
    expect(await box.jobmeter(['run', flow(box, yaml), '--quiet'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: "jobmeter: a b: failed, exited with code 3; see jobmeter logs 'a b' --workflow 1\n",
    })
    expect(readFileSync(box.path('tries'), 'utf8')).toBe('\n\n')
  })

  it('tells with --quiet what is not tried again because its recovery failed', async () => {
    using box = sandbox()
    const yaml = `failure_handlers:
  - { name: broken, rules: [{ match_all_exit_codes: true, recovery_script: exit 9 }] }
jobs: [{ name: b, command: "exit 6", failure_handler: broken }]
`
    expect(await box.jobmeter(['run', flow(box, yaml), '--quiet'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'jobmeter: the recovery script of b exited with code 9\n' +
        'jobmeter: b: failed, exited with code 6; see jobmeter logs b --workflow 1\n',
    })
  })

  it('tells with --quiet that logs are lost', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      'jobs: [{ name: a, command: rm -r out }, { name: b, command: "true", depends_on: [a] }]\n',
    )
    const { code, stderr } = await box.jobmeter([
      'run',
      spec,
      '-q',
      '--output-dir',
      box.path('out'),
    ])
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^jobmeter: the output directory \S+out was removed while the workflow ran; .* are lost\n$/,
    )
  })

  it('tells with --quiet that Slurm does not answer', async () => {
    using box = sandbox()
    script(box, 'sbatch', 'for script; do :; done\nsh "$script" > /dev/null 2>&1 &\necho 7')
    script(box, 'squeue', `touch ${box.path('asked')}\necho 'out of order' >&2\nexit 1`)
    const spec = flow(
      box,
      'jobs: [{ name: a, command: "until [ -e asked ]; do sleep 0.1; done" }]\n',
    )
    const words = ['run', spec, '--quiet', '--executor', 'slurm', '--slurm-by', 'jobs']
    expect(await box.jobmeter(words, onPath(box))).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'jobmeter: Slurm does not say how jobs stand: squeue said: out of order\n',
    })
  })

  it.each([
    ['NODE_FAIL', 'interrupted, the node of Slurm job 2 failed on c1 (NODE_FAIL)'],
    ['CANCELLED', 'cancelled, job 2 was cancelled in Slurm (scancel)'],
  ])(
    'tells with --quiet of a job that meets %s while a run stops for the failure of another',
    async (state, how) => {
      using box = sandbox()
      const number = `case $* in *job-name=b*) echo 2 ;; *) echo 1 ;; esac`
      script(box, 'sbatch', `for script; do :; done\nsh "$script" > /dev/null 2>&1 &\n${number}`)
      const columns = '%-24s%-24s%-24s%-24s%-16s%-12s%s'
      const lost = `test ! -e ${box.path('begun')} || printf '${columns}' 2 2 N/A ${state} 0 0 c1`
      script(box, 'squeue', `case $* in *json*) exit 1 ;; esac\n${lost}`)
      const yaml = `jobs:
  - { name: a, command: "until [ -e begun ]; do sleep 0.1; done; exit 3" }
  - { name: b, command: "touch begun; while [ -e begun ]; do sleep 0.1; done" }
`
      const on = ['--fail-fast', '--executor', 'slurm', '--slurm-by', 'jobs', '--slurm-poll', '1s']
      const ended = await box.jobmeter(['run', flow(box, yaml), '--quiet', ...on], onPath(box))
      expect(ended).toMatchObject({
        code: 1,
        stderr:
          'jobmeter: a: failed, exited with code 3; see jobmeter logs a --workflow 1\n' +
          `jobmeter: b: ${how}; see jobmeter logs b --workflow 1\n` +
          'jobmeter: stopped because a did not succeed\n',
      })
    },
  )

  it('is silent with --quiet about what a killed runner left', async () => {
    using box = sandbox()
    script(box, 'long', 'echo here > began\nexec sleep 100')
    const spec = flow(box, 'jobs: [{ name: a, command: long }]\n')
    const running = box.start(['run', spec], onPath(box))
    await until(() => existsSync(box.path('began')))
    running.signal('SIGKILL')
    await running.ended
    script(box, 'long', 'true')
    const resumed = await box.jobmeter(['run', '--resume', '1', '--quiet'], onPath(box))
    expect(resumed).toMatchObject({ code: 0, ...silent })
  })
})

describe('single commands', () => {
  it('tell their record all the same where --format json asks for it', async () => {
    using box = sandbox()
    const ended = await box.jobmeter(['run', '-q', '--format', 'json', '--', 'echo', 'hello'])
    expect(ended).toMatchObject({ code: 0, stdout: 'hello\n' })
    expect(JSON.parse(ended.stderr)).toMatchObject({ tool: 'echo', returncode: 0 })
  })

  it('are silent with --quiet but for their own output', async () => {
    using box = sandbox()
    expect(await box.jobmeter(['run', '-q', '--', 'sh', '-c', 'echo mine'])).toMatchObject({
      code: 0,
      stdout: 'mine\n',
      stderr: '',
    })
    const child = spawn('sleep', ['0.3'], { stdio: 'ignore' })
    const watched = await box.jobmeter(['watch', '-q', '--pid', String(child.pid)])
    expect(watched).toMatchObject({ code: 0, ...silent })
  })
})

describe('what is watched', () => {
  it('is summed up with all that a run is summed up with', async () => {
    using box = sandbox()
    writeFileSync(box.path('prices.yaml'), 'currency: EUR\ncore_hour: 1\n')
    const child = spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' })
    const watch = box.start(
      ['watch', '--threads', '--interval', '0.1', '--pid', String(child.pid)],
      { env: { JOBMETER_PRICES: box.path('prices.yaml') } },
    )
    for (let times: number[] = []; !times.some((seconds) => seconds > 1);)
      times = await box.sampleTimes().catch(() => [])
    child.kill('SIGKILL')
    const { stderr } = await watch.ended
    expect(stderr).toMatch(/^Thread .* in the busiest, sh$/m)
    expect(stderr).toMatch(/^Cost .* EUR for what it used$/m)
  })
})
