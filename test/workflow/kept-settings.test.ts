import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, type Ended, type Sandbox } from '../program.ts'
import { flow, states } from './flow.ts'

/** `b` does not write what it declares, and `c` comes after it. */
const careless = `files: [{ name: made, path: made.txt }]
jobs:
  - { name: b, command: "true", output_files: [made] }
  - { name: c, command: "true", depends_on: [b] }
`

/** The command that a run itself recommends, word by word. */
function recommended(box: Sandbox, { stderr }: Ended): Promise<Ended> {
  const command = /jobmeter (run \S+ --resume \d+|run --resume \d+)$/m.exec(stderr)?.[1]
  if (command === undefined) throw new Error(stderr)
  return box.jobmeter(command.split(' '))
}

describe('how a workflow was run', () => {
  it('is how it is resumed, by the command that the run recommends', async () => {
    using box = sandbox()
    const asked = ['--strict-files', '--output-dir', 'o4']
    const first = await box.jobmeter(['run', flow(box, careless), ...asked])
    expect(first.stderr).toContain('✗ b: failed, declared output missing: made.txt')
    const again = await recommended(box, first)
    expect(again.code, again.stderr).toBe(1)
    expect(again.stderr).toContain(
      `as before: --strict-files --output-dir ${box.path('o4')}; to change that, give another value or --no-strict-files, or --forget-settings for none of it\n`,
    )
    expect(again.stderr).toContain('✗ b: failed, declared output missing: made.txt')
    expect(await states(box)).toEqual({ b: 'failed', c: 'cancelled' })
    expect(existsSync(box.path('output'))).toBe(false)
    const third = await box.jobmeter(['run-jobs', '1'])
    expect(third.code, third.stderr).toBe(1)
  })

  it('is changed by what is said on resuming, for the times after that too', async () => {
    using box = sandbox()
    const asked = ['--strict-files', '--output-dir', 'o4']
    await box.jobmeter(['run', flow(box, careless), ...asked])
    const loose = await box.jobmeter(['run', '--resume', '1', '--no-strict-files'])
    expect(loose.code, loose.stderr).toBe(0)
    expect(loose.stderr).toContain(
      `as before: --output-dir ${box.path('o4')}; to change that, give another value, or --forget-settings for none of it\n`,
    )
    expect(loose.stderr).toContain('⚠ b: declared output missing')
  })

  it('goes for a run that refused to start', async () => {
    using box = sandbox()
    const reads = `files: [{ name: data, path: data.csv }]
jobs: [{ name: a, command: "true", input_files: [data] }]
`
    const first = await box.jobmeter(['run', flow(box, reads), '--strict-files'])
    expect(first.stderr).toContain('1 declared input file is missing')
    const again = await recommended(box, first)
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('1 declared input file is missing')
    writeFileSync(box.path('data.csv'), '')
    expect((await recommended(box, again)).code).toBe(0)
  })

  it('goes for whether anything starts after a failure, and how much at once', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      'jobs: [{ name: a, command: "false" }, { name: b, command: "true" }, { name: c, command: "true" }]\n',
    )
    const one = ['--fail-fast', '--max-parallel-jobs', '1', '--cpus', '1', '--grace', '3s']
    await box.jobmeter(['run', spec, ...one])
    const again = await box.jobmeter(['run', '--resume', '1'])
    expect(again.stderr).toContain(
      'as before: --fail-fast --max-parallel-jobs 1 --cpus 1 --grace 3s; to change that, give another value or --keep-going, or --forget-settings for none of it\n',
    )
    expect(await states(box)).toMatchObject({ a: 'failed' })
    expect(Object.values(await states(box))).not.toContain('success')
    const going = await box.jobmeter(['run', '--resume', '1', '--keep-going'])
    expect(going.stderr).not.toContain('--fail-fast')
    expect(await states(box)).toEqual({ a: 'failed', b: 'success', c: 'success' })
  })

  it('goes for jobs that were not watched, also with a file that is mended', async () => {
    using box = sandbox()
    const series = 'resource_monitor: { granularity: time_series }\n'
    const spec = flow(box, `${series}jobs: [{ name: a, command: "false" }]\n`)
    const samples = () => readdirSync(box.path('output/resource_utilization'))
    const first = await box.jobmeter(['run', spec, '--no-resource-monitoring'])
    const again = await recommended(box, first)
    expect(again.stderr).toContain('as before: --no-resource-monitoring; to change that')
    expect(samples()).toEqual([])
    await box.jobmeter(['run', spec, '--resume', '1', '--resource-monitoring'])
    expect(samples()).toHaveLength(1)
  })

  it('has jobs watched again, or no longer, where that is all that is said', async () => {
    using box = sandbox()
    const series = 'resource_monitor: { granularity: time_series }\n'
    const spec = flow(box, `${series}jobs: [{ name: a, command: "false" }]\n`)
    const samples = () => readdirSync(box.path('output/resource_utilization'))
    await box.jobmeter(['run', spec, '--no-resource-monitoring'])
    await box.jobmeter(['run', '--resume', '1', '--resource-monitoring'])
    expect(samples()).toHaveLength(1)
    await box.jobmeter(['run', '--resume', '1', '--no-resource-monitoring'])
    expect(samples()).toHaveLength(1)
    const { stderr } = await box.jobmeter(['run-jobs', '1'])
    expect(stderr).not.toContain('resource-monitoring')
    expect(samples()).toHaveLength(1)
  })

  it('is told before what is wrong with it by now', async () => {
    using box = sandbox()
    const spec = flow(box, 'jobs: [{ name: a, command: "false" }]\n')
    await box.jobmeter(['run', spec, '--gpus', '2'], { env: { CUDA_VISIBLE_DEVICES: '0,1' } })
    const env = { CUDA_VISIBLE_DEVICES: '0' }
    const { code, stderr } = await box.jobmeter(['run', '--resume', '1'], { env })
    expect([code, stderr]).toEqual([
      1,
      'jobmeter: as before: --gpus 2; to change that, give another value, or --forget-settings for none of it\njobmeter: --gpus 2, as before: CUDA_VISIBLE_DEVICES=0 leaves 1 GPU. Give another --gpus\n',
    ])
    const again = await box.jobmeter(['run', '--resume', '1', '--gpus', '1'], { env })
    expect(again.stderr).toContain('✗ a: failed')
  })

  it('is forgotten where that is asked for, and told where its alerts are gone', async () => {
    using box = sandbox()
    const series = 'resource_monitor: { granularity: time_series }\n'
    const spec = flow(box, `${series}jobs: [{ name: a, command: "false" }]\n`)
    writeFileSync(box.path('a.yaml'), 'rules: [{ name: gpu-underused, enabled: false }]\n')
    const asked = ['--cpus', '1', '--alerts', 'a.yaml', '--no-resource-monitoring']
    const first = await box.jobmeter(['run', spec, ...asked])
    expect(first.code, first.stderr).toBe(1)
    rmSync(box.path('a.yaml'))
    const again = await box.jobmeter(['run', '--resume', '1'])
    expect(again.stderr).toMatch(/no alerts: .*a\.yaml/)
    expect(again.stderr).toContain('✗ a: failed')
    const forgetful = await box.jobmeter(['run', '--resume', '1', '--forget-settings'])
    expect(forgetful.stderr).toContain('✗ a: failed')
    expect(readdirSync(box.path('output/resource_utilization'))).toHaveLength(1)
    const { stderr } = await box.jobmeter(['run', '--resume', '1'])
    expect([forgetful.stderr, stderr].join('')).not.toMatch(/as before|no alerts/)
  })

  it('is silent where nobody said anything', async () => {
    using box = sandbox()
    const first = await box.jobmeter(['run', flow(box, 'jobs: [{ name: a, command: "false" }]\n')])
    expect((await recommended(box, first)).stderr).not.toContain('as before')
  })
})

describe('jobs that ask for too much', () => {
  it('are told with the command to run, with the name of the file', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      'resource_requirements: [{ name: big, num_cpus: 4000 }]\njobs: [{ name: a, command: "true", resource_requirements: big }]\n',
    )
    const { stderr } = await box.jobmeter(['run', spec])
    expect(stderr).toContain(`Ask for less, then run: jobmeter run ${spec} --resume 1.`)
  })
})
