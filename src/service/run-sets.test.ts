import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from '../../test/program.ts'

let box: Sandbox
beforeEach(() => {
  box = sandbox()
})
afterEach(() => box[Symbol.dispose]())

const run = (cpus: number) =>
  box.jobmeter(
    `run --quiet --name par --cpus ${cpus} --param workers=${cpus} -- sleep ${0.4 / cpus}`.split(
      ' ',
    ),
  )

describe('reports scaling', () => {
  it('answers for runs whose parameter says the same as their CPU request, by name or a bare word', async () => {
    await run(1)
    await run(2)
    for (const what of ['name:par', 'par']) {
      const { stdout, code } = await box.jobmeter(['reports', 'scaling', what, '--format', 'json'])
      expect(code).toBe(0)
      const { points } = JSON.parse(stdout) as { points: { workers: number; speed_up: number }[] }
      expect(points.map(({ workers }) => workers)).toEqual([1, 2])
      expect(points[1]?.speed_up).toBeGreaterThan(1.2)
    }
  })

  it('says what a bare word is not', async () => {
    await run(1)
    const { stderr, code } = await box.jobmeter(['reports', 'scaling', 'pra'])
    expect(code).toBe(1)
    expect(stderr).toContain('no job is named "pra", and no task id starts with it')
  })
})
