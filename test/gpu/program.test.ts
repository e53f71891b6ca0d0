import { readdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { card, gpm, setState, standIn, standInMissing } from '../nvml/stand-in.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { flow } from '../workflow/flow.ts'

const working = { util: 98, memutil: 16, power: 692_000, temp: 61, clock: 1980, throttle: 0 }
const units = gpm(0, { 2: 95.6, 3: 14.1, 5: 92.7, 10: 16.1, 20: 1, 21: 1 })

/** Puts itself on the card, and stays there for as long as GPUs take to be looked at a few times. */
const onCard =
  'echo "process 0 pid=$$ memory=3145728 sm=97" >> "$JOBMETER_NVML_STATE"; exec sleep 6'

function withCards(box: Sandbox, visible: string): { env: Record<string, string> } {
  const state = box.path('state')
  setState(state, [card(0, working), card(1), units])
  return {
    env: {
      JOBMETER_NVML: standIn,
      JOBMETER_NVML_STATE: state,
      CUDA_VISIBLE_DEVICES: visible,
    },
  }
}

describe.skipIf(standInMissing).concurrent('a job on a card, through the program', () => {
  it('has it in its record, its summary, its series and its report', async () => {
    using box = sandbox()
    const ended = await box.jobmeter(['run', '--', 'sh', '-c', onCard], withCards(box, '0,1'))
    // The counter stands still: what is told is the power of both cards at the looks.
    const [, joules = ''] =
      /^GPU +4\d % of 2 cards · peak 49 % · 3\.0 MB peak · ([\d,]+) J · 1 never used$/m.exec(
        ended.stderr,
      ) ?? []
    expect(ended.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'GPU bound by its tensor units: in use 93 % of the time (its memory bandwidth 16 %); the card worked 98 %. Of its 2 GPUs 1 was never used.',
    )
    const { stdout } = await box.jobmeter(['show', 'last', '--format', 'json'])
    const told = JSON.parse(stdout) as { duration_seconds: number }
    const watts = Number(joules.replace(',', '')) / told.duration_seconds
    expect(watts).toBeGreaterThan(0.98 * (692 + 75))
    expect(watts).toBeLessThan(1.02 * (692 + 75))
    expect(told).toMatchObject({
      bound_by: { kind: 'gpu-tensor' },
      detailed_profile: {
        gpu_stats: {
          nvidia: {
            gpu_utilization_percent: 49,
            memory_utilization_percent: 8,
            memory_used_mb: 2048,
            memory_total_mb: 286_720,
            temperature_celsius: 61,
          },
        },
      },
      gpus: [
        {
          index: 0,
          vendor: 'nvidia',
          name: 'NVIDIA H200',
          id: 'GPU-0000',
          utilization_percent_mean: 98,
          own_memory_peak_bytes: 3_145_728,
        },
        { index: 1, id: 'GPU-1000', utilization_percent_mean: 0, own_memory_peak_bytes: 0 },
      ],
    })
    const series = await box.jobmeter(['series', 'last'])
    const [header = '', ...lines] = series.stdout.trim().split('\n')
    const columns = header.split(',')
    const at = columns.indexOf('gpu_0_util')
    expect(columns.slice(at, at + 12)).toEqual(
      [0, 1].flatMap((index) =>
        ['util', 'memory_used_mb', 'memory_total_mb', 'memory_pct', 'temp_c', 'power_w'].map(
          (name) => `gpu_${index}_${name}`,
        ),
      ),
    )
    const figures = lines.map((line) =>
      line
        .split(',')
        .slice(at, at + 6)
        .join(' '),
    )
    expect(figures).toContain('98 1024 143360 0.714 61 692')
    const report = await box.jobmeter(['reports', 'job', 'last'])
    expect(report.stdout).toMatch(/GPU +49 %: 1\.0 GPUs of 2\.0 GPUs on the machine/)
  })

  it('has it in the series file of its workflow, and is checked against its request', async () => {
    using box = sandbox()
    const { env } = withCards(box, '0,1')
    const spec = `resource_monitor: { enabled: true, granularity: time_series, sample_interval_seconds: 1 }
jobs:
  - { name: train, command: '${onCard.replaceAll("'", "''")}', resource_requirements: { gpus: 2 } }
`
    const ended = await box.jobmeter(
      ['run', flow(box, spec), '--quiet', '--output-dir', box.path('out')],
      { env },
    )
    expect(ended.code, ended.stderr).toBe(0)
    const folder = box.path('out/resource_utilization')
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.db'))
    using database = openReadOnly(`${folder}/${file}`)
    const rows = database.all(
      'SELECT kind, device, max(utilization_percent) AS most, max(own_memory_bytes) AS own FROM job_device_samples GROUP BY device ORDER BY device',
    )
    expect(rows).toEqual([
      { kind: 'gpu', device: 'GPU-0000', most: 98, own: 3_145_728 },
      { kind: 'gpu', device: 'GPU-1000', most: 0, own: 0 },
    ])
    const checked = await box.jobmeter([
      'reports',
      'check-resource-utilization',
      '1',
      '--all',
      '--format',
      'json',
    ])
    expect(checked.stdout).toContain('"resource_type": "GPU"')
    expect(checked.stdout).toMatch(/"specified": "2 GPUs",\s+"peak_used": "1 GPU"/)
  })
})

describe.skipIf(standInMissing).concurrent('a driver that never answers', () => {
  const failing = 'echo "driver hang=1" > "$JOBMETER_NVML_STATE"'

  it('does not keep the record, the samples and the exit code from a job', async () => {
    using box = sandbox()
    const command = `${onCard.replace('exec sleep 6', 'sleep 1.5')}; ${failing}; sleep 2.5; exit 7`
    const ended = await box.jobmeter(['run', '--', 'sh', '-c', command], withCards(box, '0'))
    expect(ended.code).toBe(7)
    const { stdout } = await box.jobmeter(['show', 'last', '--format', 'json'])
    expect(stdout).toMatch(
      /"at least: [^"]*card 0 could not be read after [\d.]+ s: the GPU driver did not answer for [\d.]+ s/,
    )
    const series = await box.jobmeter(['series', 'last'])
    expect(series.stdout.trim().split('\n').length).toBeGreaterThan(4)
  })

  it('does not keep a limit of time waiting', async () => {
    using box = sandbox()
    const command = `sleep 0.8; ${failing}; sleep 600`
    const ended = await box.jobmeter(
      ['run', '--timeout', '2s', '--', 'sh', '-c', command],
      withCards(box, '0'),
    )
    expect(ended.code).toBe(124)
  })

  it('is told of where it does not even start', async () => {
    using box = sandbox()
    const { env } = withCards(box, '0')
    setState(box.path('state'), ['driver hang=1'])
    const ended = await box.jobmeter(['run', '--', 'sleep', '3'], { env })
    expect(ended.code).toBe(0)
    const { stdout } = await box.jobmeter(['show', 'last', '--format', 'json'])
    expect(stdout).toMatch(
      /"gpu_utilization_percent_mean": "the GPU driver did not answer for \d+ s"/,
    )
    expect(ended.stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /Mostly waiting: .* Whether it used a GPU is not known: the GPU driver did not answer for \d+ s\./,
    )
  })

  it('does not make a card idle that it stops telling of before the first look', async () => {
    using box = sandbox()
    const command = `${onCard.replace('exec sleep 6', 'sleep 0.8')}; ${failing}; sleep 2.5`
    const ended = await box.jobmeter(['run', '--', 'sh', '-c', command], withCards(box, '0'))
    expect(ended.stderr).not.toMatch(/^GPU +0 %/m)
    expect(ended.stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /a lock, input or (its|a) GPU\. (What its GPU did|Whether it used a GPU) is not known/,
    )
    const { stdout } = await box.jobmeter(['show', 'last', '--format', 'json'])
    const { usage } = JSON.parse(stdout) as { usage: Record<string, number | null> }
    expect(usage['gpu_utilization_percent_mean']).toBeNull()
    const series = await box.jobmeter(['series', 'last'])
    expect(series.stdout).not.toContain('gpu_0_util')
  })
})

describe('a machine without a card', () => {
  it('says so in the record, and no figure is 0', async () => {
    using box = sandbox()
    const { record } = await box.run(['--', 'sleep', '0.6'], { env: { JOBMETER_NVML: '' } })
    const told = Object.entries(record.usage).filter(([name]) => name.startsWith('gpu'))
    expect(told).toEqual([['gpu_utilization_percent_mean', null]])
  })
})

function openReadOnly(path: string) {
  const database = new DatabaseSync(path, { readOnly: true })
  return {
    all: (sql: string) =>
      database
        .prepare(sql)
        .all()
        .map((row) => ({ ...row })),
    [Symbol.dispose]: () => database.close(),
  }
}
