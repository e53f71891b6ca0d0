import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, workload, type Sandbox } from '../program.ts'
import { until } from '../workflow/flow.ts'

/** Rules as shipped, but sooner: a test has no minute. */
const soon = `rules:
  - {name: memory-pressure, for: 1s, above: 0.1}
  - {name: memory-limit-near, for: 0s}
  - {name: job-stuck, for: 2s}
  - {name: io-bottleneck, enabled: false}
`

interface Told {
  readonly alert_id: string
  readonly rule: string
  readonly status: string
  readonly job_name: string | null
  readonly text: string
}

const usual = 'channels: [{name: log, type: file, path: alerts.jsonl}]\n'

async function toldOf(
  box: Sandbox,
  args: readonly string[],
  rules = soon,
): Promise<{ code: number | null; told: Told[]; stderr: string }> {
  writeFileSync(box.path('alerts.yaml'), `${usual}${rules}`)
  const ended = await box.jobmeter(args, { env: { JOBMETER_ALERTS: box.path('alerts.yaml') } })
  return { code: ended.code, stderr: ended.stderr, told: await told(box) }
}

/** What stands in the file once everything is delivered. */
async function told(box: Sandbox): Promise<Told[]> {
  for (;;) {
    const { stdout } = await box.jobmeter(['alerts', 'deliver', '--for', '20s'])
    if (!stdout.includes('another process')) break
  }
  if (!existsSync(box.path('alerts.jsonl'))) return []
  const lines = readFileSync(box.path('alerts.jsonl'), 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Told)
}

/** A job that does nothing at all until it is let go: what holds is a pipe that nobody has opened yet. */
const held = ['sh', '-c', 'read word < gate']

/** Lets such a job go once its alert has been told, however long a busy machine takes for that. */
async function letGoOnceTold(box: Sandbox, rule: string): Promise<void> {
  const log = box.path('alerts.jsonl')
  await until(() => existsSync(log) && readFileSync(log, 'utf8').includes(rule))
  writeFileSync(box.path('gate'), '\n')
}

const brief = (all: readonly Told[]): string[] => all.map(({ rule, status }) => `${rule} ${status}`)
const machineAlone = 'memory-pressure'

describe.concurrent('alerts of real jobs', () => {
  it('fire when a job fails or times out, and are over when it runs well again', async () => {
    using box = sandbox()
    const off = 'rules: [{name: memory-pressure, enabled: false}]\n'
    const failed = await toldOf(box, ['run', '-q', '--name', 'a', '--', 'sh', '-c', 'exit 3'], off)
    expect(failed.code).toBe(3)
    expect(failed.told).toMatchObject([
      { rule: 'job-failed', status: 'firing', text: 'the job failed: exited with code 3' },
    ])
    const late = await toldOf(
      box,
      ['run', '-q', '--name', 'b', '--timeout', '0.2s', '--', 'sleep', '9'],
      off,
    )
    expect(late.code).toBe(124)
    expect(brief(late.told.slice(1))).toEqual(['job-timed-out firing'])
    const well = await toldOf(box, ['run', '-q', '--name', 'a', '--', 'true'], off)
    expect(brief(well.told.slice(2))).toEqual(['job-failed resolved'])
    const again = await toldOf(box, ['run', '-q', '--name', 'a', '--', 'true'], off)
    expect(again.told).toHaveLength(3)
  })

  it('tell each failure, and those of one folder are over when the job runs well there', async () => {
    using box = sandbox()
    const off = 'rules: [{name: memory-pressure, enabled: false}]\n'
    writeFileSync(box.path('alerts.yaml'), `${usual}${off}`)
    const env = { JOBMETER_ALERTS: box.path('alerts.yaml') }
    const run = async (folder: string, script: string): Promise<void> => {
      mkdirSync(box.path(folder), { recursive: true })
      await box.jobmeter(['run', '-q', '--name', 'sh', '--', 'sh', '-c', script], {
        env,
        cwd: box.path(folder),
      })
    }
    await run('one', 'exit 3')
    await run('two', 'exit 3')
    await run('two', 'exit 4')
    const failed = await told(box)
    expect(failed.map(({ status, text }) => `${status} ${text}`)).toEqual([
      'firing the job failed: exited with code 3',
      'firing the job failed: exited with code 3',
      'firing the job failed: exited with code 4',
    ])
    await run('two', 'exit 0')
    const over = (await told(box)).slice(3)
    expect(over.map(({ status, alert_id: id }) => `${status} ${id}`)).toEqual(
      failed.slice(1).map(({ alert_id: id }) => `resolved ${id}`),
    )
    const { stdout } = await box.jobmeter(['alerts', 'list', '--format', 'json'])
    expect(JSON.parse(stdout)).toMatchObject([{ alert_id: failed[0]?.alert_id }])
  })

  it('fire on a job that does nothing, and not on one that works', async () => {
    using box = sandbox()
    const off = soon.replace('for: 1s, above: 0.1', 'enabled: false')
    spawnSync('mkfifo', [box.path('gate')])
    const [idle] = await Promise.all([
      toldOf(box, ['run', '-q', '--name', 'idle', '--', ...held], off),
      letGoOnceTold(box, 'job-stuck'),
    ])
    expect(brief(idle.told)).toEqual(['job-stuck firing', 'job-stuck resolved'])
    const loop = 'end=$((SECONDS+5)); while [ $SECONDS -lt $end ]; do :; done'
    const busy = await toldOf(box, ['run', '-q', '--name', 'busy', '--', 'bash', '-c', loop], off)
    expect(busy.told).toHaveLength(2)
  })

  it('fire on a job near its memory limit, and on a machine that is short of memory', async () => {
    using box = sandbox()
    const hold = 'data = bytearray(115 * 2**20)\nimport time\ntime.sleep(4)'
    const limited = await toldOf(box, [
      'run',
      '-q',
      '--memory-limit',
      '128m',
      '--name',
      'full',
      '--',
      'python3',
      '-c',
      hold,
    ])
    expect(limited.code).toBe(0)
    const own = limited.told.filter(({ rule }) => rule === 'memory-limit-near')
    expect(brief(own)).toEqual(['memory-limit-near firing', 'memory-limit-near resolved'])
    const machine = limited.told.filter(({ rule }) => rule === machineAlone)
    expect(brief(machine)).toEqual(['memory-pressure firing', 'memory-pressure resolved'])
    expect(machine.map(({ job_name: job }) => job)).toEqual([null, null])
    const small = await toldOf(box, [
      'run',
      '-q',
      '--memory-limit',
      '1g',
      '--name',
      'small',
      '--',
      'python3',
      '-c',
      hold,
    ])
    expect(small.told.filter(({ rule }) => rule === 'memory-limit-near')).toHaveLength(2)
  })

  it('fire on a rule of one’s own, on the console too', async () => {
    using box = sandbox()
    const rules = `  - {name: screen, type: console}
shipped: false
rules:
  - {name: busy, metric: cpu_process_percent, above: 5, for: 1s, says: it works}
`
    writeFileSync(box.path('alerts.yaml'), `channels:\n${rules}`)
    const ended = await box.jobmeter(
      [
        'run',
        '-q',
        '--alerts',
        'alerts.yaml',
        '--name',
        'b',
        '--',
        workload('burn'),
        '4000',
        'report',
      ],
      {},
    )
    expect(ended.stderr).toMatch(
      /jobmeter: alert \[warning\] it works: cpu_process_percent is \d+(\.\d+)?, above 5 for 1 s \(job b, on .+\)/,
    )
    expect(ended.stderr).toContain('[resolved] it works: over, because the job has ended')
  })

  it('learn from past runs how long a job takes', async () => {
    using box = sandbox()
    for (let run = 0; run < 5; run++)
      await box.jobmeter(['run', '-q', '--name', 'steady', '--', 'sleep', '0.3'])
    const rules = `shipped: false
rules:
  - {name: slower, metric: elapsed_seconds, for: 0s, unusual: {direction: above, figure: duration_seconds}}
`
    const slow = await toldOf(box, ['run', '-q', '--name', 'steady', '--', 'sleep', '9'], rules)
    expect(brief(slow.told)).toEqual(['slower firing', 'slower resolved'])
    expect(slow.told[0]?.text).toMatch(/slower: elapsed_seconds is \d.*, usually \d/)
    const other = await toldOf(box, ['run', '-q', '--name', 'new', '--', 'sleep', '8'], rules)
    expect(other.told).toHaveLength(2)
  })

  it('judge a job that is soon over by its past runs, at its end', async () => {
    using box = sandbox()
    const args = (seconds: string) => ['run', '-q', '--name', 'brief', '--', 'sleep', seconds]
    // They differ by more than what a busy machine adds to one.
    for (const seconds of ['0.1', '0.9', '0.3', '0.7', '0.5']) await box.jobmeter(args(seconds))
    const rules = `shipped: false
rules:
  - {name: took-longer, at: end, metric: duration_seconds, unusual: {direction: above, figure: duration_seconds}}
`
    const slow = await toldOf(box, args('6'), rules)
    expect(brief(slow.told)).toEqual(['took-longer firing'])
    expect(slow.told[0]?.text).toMatch(/duration_seconds is \d.*, usually \d/)
    const soonOver = await toldOf(box, args('0.1'), rules)
    expect(brief(soonOver.told.slice(1))).toEqual(['took-longer resolved'])
  })

  it('do not take a run for its own past', async () => {
    using box = sandbox()
    const args = ['run', '-q', '--name', 'new', '--', 'sleep', '0.1']
    const rules = `shipped: false
rules:
  - {name: any, at: end, metric: 99 * duration_seconds, unusual: {figure: duration_seconds, least_runs: 3}}
`
    for (let run = 0; run < 3; run++) expect((await toldOf(box, args, rules)).told).toEqual([])
    expect(brief((await toldOf(box, args, rules)).told)).toEqual(['any firing'])
  })

  it('fire for jobs of a workflow once they are not tried again', async () => {
    using box = sandbox()
    const spec = `name: flow
resource_monitor: {enabled: true, sample_interval_seconds: 1}
jobs:
  - {name: good, command: "true"}
  - {name: bad, command: "exit 4", failure_handler: again}
  - {name: idle, command: read word < gate}
failure_handlers:
  - name: again
    rules: [{exit_codes: [4], max_retries: 2}]
`
    writeFileSync(box.path('flow.yaml'), spec)
    const off = soon.replace('for: 1s, above: 0.1', 'enabled: false')
    spawnSync('mkfifo', [box.path('gate')])
    const [ended] = await Promise.all([
      toldOf(box, ['run', 'flow.yaml', '--quiet'], off),
      letGoOnceTold(box, 'job-stuck'),
    ])
    expect(ended.code).toBe(1)
    expect(ended.told.map(({ rule, status, job_name: job }) => `${job} ${rule} ${status}`)).toEqual(
      ['bad job-failed firing', 'idle job-stuck firing', 'idle job-stuck resolved'],
    )
  })

  it('fire for a job that was to be tried again and is not, once, and not where it was', async () => {
    using box = sandbox()
    const spec = `name: flow
jobs:
  - {name: broken, command: "exit 6", failure_handler: in_vain}
  - {name: lucky, command: "test -e tried || ! touch tried", failure_handler: again}
failure_handlers:
  - name: in_vain
    rules: [{match_all_exit_codes: true, max_retries: 5, recovery_script: exit 9}]
  - name: again
    rules: [{match_all_exit_codes: true, max_retries: 1, recovery_script: exit 0}]
`
    writeFileSync(box.path('flow.yaml'), spec)
    const off = 'rules: [{name: memory-pressure, enabled: false}]\n'
    const ended = await toldOf(box, ['run', 'flow.yaml', '--quiet'], off)
    expect(ended.code).toBe(1)
    expect(ended.told).toMatchObject([
      { job_name: 'broken', status: 'firing', text: 'the job failed: exited with code 6' },
    ])
  })

  it('fire for a process that is watched', async () => {
    using box = sandbox()
    const off = soon.replace('for: 1s, above: 0.1', 'enabled: false')
    writeFileSync(box.path('alerts.yaml'), `${usual}${off}`)
    const [ended] = await Promise.all([
      box.shell(
        'mkfifo gate; sh -c "read word < gate" & $JOBMETER watch --quiet --alerts alerts.yaml --name seen --pid $!',
      ),
      letGoOnceTold(box, 'job-stuck'),
    ])
    expect(ended.code).toBe(0)
    const all = await told(box)
    expect(brief(all)).toEqual(['job-stuck firing', 'job-stuck resolved'])
    expect(all[0]?.job_name).toBe('seen')
  })

  it('do not keep a job from running if their file is wrong, unless it was named', async () => {
    using box = sandbox()
    writeFileSync(box.path('wrong.yaml'), 'rulez: []\n')
    const args = ['run', '-q', '--', 'true']
    const ran = await box.jobmeter(args, { env: { JOBMETER_ALERTS: box.path('wrong.yaml') } })
    expect(ran.code).toBe(0)
    expect(ran.stderr).toMatch(
      /no alerts: an error in the alert file\n.*wrong\.yaml:1:1 rulez: unknown key\. Did you mean "rules"\?/,
    )
    const named = await box.jobmeter(['run', '-q', '--alerts', 'wrong.yaml', '--', 'touch', 'ran'])
    expect(named.code).toBe(2)
    expect(existsSync(box.path('ran'))).toBe(false)
  })

  it('leave nothing behind where none are set up', async () => {
    using box = sandbox()
    await box.jobmeter(['run', '-q', '--', 'false'])
    expect(existsSync(box.path('alerts.db'))).toBe(false)
  })
})
