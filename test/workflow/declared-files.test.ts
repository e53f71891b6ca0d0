import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { flow, results, states } from './flow.ts'

/** `a` makes one of the two files that it declares; `b` reads the other one. */
const careless = (strict: string) => `${strict}
files:
  - { name: made, path: made.txt }
  - { name: model, path: out/model.bin }
  - { name: folder, path: folder }
jobs:
  - { name: a, command: "touch made.txt; mkdir -p folder", output_files: [made, model, folder] }
  - { name: b, command: "true", input_files: [model] }
`

describe('declared outputs', () => {
  it('that are missing are told at the end of the run and in the results', async () => {
    using box = sandbox()
    const { code, stderr } = await box.jobmeter(['run', flow(box, careless(''))])
    expect(code).toBe(0)
    expect(stderr).toContain('[1/2] a success in')
    expect(stderr).toContain('\n⚠ a: declared output missing: out/model.bin\n')
    expect(await results(box)).toMatchObject([
      { job_name: 'a', status: 'success', warning: 'declared output missing: out/model.bin' },
      { job_name: 'b', status: 'success', warning: null },
    ])
    const { stdout } = await box.jobmeter(['results', 'list', '1'])
    expect(stdout).toMatch(/\n⚠ a: declared output missing: out\/model\.bin\n$/)
    const csv = await box.jobmeter(['results', 'list', '1', '--format', 'csv'])
    expect(csv.stdout).toMatch(/,warning\n.*,declared output missing: out\/model\.bin\n.*,\n$/)
    expect((await box.jobmeter(['show', 'a'])).stdout).toContain('out/model.bin')
    const json = await box.jobmeter(['run', flow(box, careless('')), '--format', 'json'])
    expect(JSON.parse(json.stdout)).toMatchObject({
      warnings: [{ job_name: 'a', text: 'declared output missing: out/model.bin' }],
    })
  })

  it.each([
    ['the file says so', 'strict_files: true', []],
    ['the option says so', 'strict_files: false', ['--strict-files']],
  ])('that are missing are a failure where %s', async (_, key, options) => {
    using box = sandbox()
    const spec = flow(box, careless(key))
    const { code, stderr } = await box.jobmeter(['run', ...options, spec])
    expect(code).toBe(1)
    expect(stderr).toContain('✗ a: failed, declared output missing: out/model.bin')
    expect(await states(box)).toEqual({ a: 'failed', b: 'cancelled' })
    mkdirSync(box.path('out'))
    writeFileSync(box.path('out/model.bin'), '')
    const again = await box.jobmeter(['run', '--resume', '1', '--strict-files'])
    expect(again.code).toBe(0)
    expect(again.stderr).not.toContain('missing')
  })

  it('that are all there are not spoken of', async () => {
    using box = sandbox()
    const spec = flow(
      box,
      careless('').replace('touch made.txt', 'mkdir out; touch made.txt out/model.bin'),
    )
    const { stderr } = await box.jobmeter(['run', spec, '--strict-files'])
    expect(stderr).toContain('2 of 2 jobs succeeded')
    expect(stderr).not.toContain('⚠')
  })
})

describe('declared inputs', () => {
  const reads = (strict: string) => `${strict}
files:
  - { name: given, path: data/given.csv }
  - { name: made, path: made.txt }
jobs:
  - { name: a, command: "touch began made.txt", input_files: [given], output_files: [made] }
  - { name: b, command: "true", input_files: [given, made] }
`
  const told =
    '1 declared input file is missing, and none of the jobs left to run writes it: data/given.csv (a, b)'

  it('that nobody makes are told before anything starts', async () => {
    using box = sandbox()
    const { code, stderr } = await box.jobmeter(['run', flow(box, reads(''))])
    expect(code).toBe(0)
    expect(stderr.startsWith(`jobmeter: ${told}\n[1/2] a success`)).toBe(true)
    // Of what has succeeded nothing is asked any more.
    const again = await box.jobmeter(['run', '--resume', '1'])
    expect(again.stderr).not.toContain('declared input')
  })

  it('that nobody makes are an error where the file is strict', async () => {
    using box = sandbox()
    const spec = flow(box, reads('strict_files: true'))
    const { code, stderr } = await box.jobmeter(['run', spec])
    expect(code).toBe(1)
    expect(stderr).toContain(told)
    expect(stderr).toContain('jobmeter run --resume 1')
    expect(existsSync(box.path('began'))).toBe(false)
    mkdirSync(box.path('data'))
    writeFileSync(box.path('data/given.csv'), '1\n')
    expect((await box.jobmeter(['run', '--resume', '1'])).code).toBe(0)
  })

  it('that a job made which will not run again are looked for when the rest goes on', async () => {
    using box = sandbox()
    const chain = `strict_files: true
files: [{ name: mid, path: mid.txt }]
jobs:
  - { name: a, command: touch mid.txt, output_files: [mid] }
  - { name: b, command: "touch began; exit 1", input_files: [mid] }
`
    const spec = flow(box, chain)
    expect((await box.jobmeter(['run', spec])).code).toBe(1)
    expect(await states(box)).toEqual({ a: 'success', b: 'failed' })
    rmSync(box.path('mid.txt'))
    rmSync(box.path('began'))
    const { code, stderr } = await box.jobmeter(['run', '--resume', '1'])
    expect(code).toBe(1)
    expect(stderr).toContain('missing, and none of the jobs left to run writes it: mid.txt (b)')
    expect(existsSync(box.path('began'))).toBe(false)
  })

  it('are not spoken of with --quiet', async () => {
    using box = sandbox()
    const ended = await box.jobmeter(['run', flow(box, reads('')), '--quiet'])
    expect(ended).toMatchObject({ code: 0, stdout: '', stderr: '' })
  })
})
