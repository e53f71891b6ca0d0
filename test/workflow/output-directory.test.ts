import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { flow, lines, results } from './flow.ts'

/** `a` takes the output directory away; `b` and `c` come after it. */
const removing = (how: string, monitor = '') => `${monitor}jobs:
  - { name: a, command: "${how}; echo a >> order" }
  - { name: b, command: "echo b >> order; echo said by b", depends_on: [a] }
  - { name: c, command: "echo c >> order", depends_on: [b] }
`

const withoutFfi = { env: { JOBMETER_NO_FFI: '1' } }

describe('an output directory that is removed while its workflow runs', () => {
  it.each([
    ['', '', {}],
    [', without FFI', '', withoutFfi],
    [', with a file of samples in it', 'resource_monitor: { granularity: time_series }\n', {}],
  ])('is made again, and that is said%s', async (_, monitor, options) => {
    using box = sandbox()
    const spec = flow(box, removing('rm -rf output', monitor))
    const { code, stderr } = await box.jobmeter(['run', spec], options)
    expect(code, stderr).toBe(0)
    expect(stderr).toContain(`the output directory ${box.path('output')} was removed`)
    expect(stderr).toContain('it was created again')
    expect(lines(box.path('order'))).toEqual(['a', 'b', 'c'])
    expect(existsSync(box.path('output/job_stdio'))).toBe(true)
    expect((await box.jobmeter(['logs', 'b'])).stdout).toContain('said by b')
  })

  it.each([
    ['', {}],
    [', without FFI', withoutFfi],
  ])('and cannot be made again ends the run with what to do%s', async (_, options) => {
    using box = sandbox()
    const spec = flow(box, removing('rm -rf output; echo in the way > output'))
    const { code, stderr } = await box.jobmeter(['run', spec], options)
    expect(code).toBe(1)
    expect(stderr).toContain(`the output directory ${box.path('output')} was removed`)
    expect(stderr).toContain('jobmeter run --resume 1 --output-dir DIR')
    expect(stderr).not.toContain('command not found')
    expect(await results(box)).toMatchObject([{ job_name: 'a', status: 'success' }])
    writeFileSync(box.path('order'), '')
    const resumed = await box.jobmeter(['run', '--resume', '1', '--output-dir', 'other'])
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(lines(box.path('order'))).toEqual(['b', 'c'])
  })
})
