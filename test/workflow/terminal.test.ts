import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { flow, lines, states, until } from './flow.ts'

/** Moves up over the bar and the line of one job, and clears all below. */
const erased = '\r\u001b[2A\u001b[J'

describe('a workflow on a terminal', () => {
  it('shows a bar and its jobs while it runs, and clears them away at the end', async () => {
    using box = sandbox()
    flow(
      box,
      'jobs:\n  - { name: napping, command: sleep 1.2 }\n  - { name: quick, command: "true" }\n',
    )
    const run = box.terminal('TERM=xterm $JOBMETER run flow.yaml')
    await run.saw('napping')
    const { code, stdout } = await run.ended
    expect(code).toBe(0)
    expect(stdout).toContain('░')
    expect(stdout).toContain('1 running')
    const end = stdout.lastIndexOf('2 of 2 jobs succeeded')
    expect(end).toBeGreaterThan(0)
    const beforeEnd = stdout.slice(stdout.lastIndexOf('napping', end), end)
    expect(beforeEnd).toContain(erased)
  })

  it('that cannot move its cursor gets plain lines', async () => {
    using box = sandbox()
    flow(box, 'jobs: [{ name: quick, command: "true" }]\n')
    const { stdout } = await box.terminal('$JOBMETER run flow.yaml').ended
    expect(stdout).toContain('[1/1] quick success')
    expect(stdout).not.toContain('\u001b')
  })

  it('passes Ctrl-C on to its jobs at once', async () => {
    using box = sandbox()
    flow(
      box,
      `jobs: [{ name: a, command: "trap 'echo INT >> got; exit 3' INT; touch started; while :; do sleep 0.05; done" }]\n`,
    )
    const run = box.terminal('TERM=xterm $JOBMETER run flow.yaml --grace 30')
    await until(() => existsSync(box.path('started')))
    run.type('\x03')
    const { code, stdout } = await run.ended
    expect(code, stdout).toBe(130)
    expect(lines(box.path('got'))).toEqual(['INT'])
    expect(await states(box)).toEqual({ a: 'cancelled' })
  })
})
