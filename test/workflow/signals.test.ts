import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox, type Running, type Sandbox } from '../program.ts'
import { runs } from '../exact/tolerance.ts'
import { flow, until } from './flow.ts'

const isThere = (box: Sandbox, name: string): boolean =>
  existsSync(box.path(name)) && readFileSync(box.path(name), 'utf8').endsWith('\n')

async function startSleeper(box: Sandbox): Promise<{ run: Running; pid: number }> {
  const spec = flow(box, "jobs: [{ name: a, command: 'echo $$ > pid; exec sleep 600' }]\n")
  const run = box.start(['run', spec], { input: '' })
  await until(() => isThere(box, 'pid'))
  return { run, pid: Number(readFileSync(box.path('pid'), 'utf8')) }
}

describe('signals to the runner of a workflow', () => {
  it.each(['SIGQUIT', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM', 'SIGXCPU'] as const)(
    '%s ends the jobs too',
    async (signal) => {
      using box = sandbox()
      const { run, pid } = await startSleeper(box)
      run.signal(signal)
      expect((await run.ended).code).toBeGreaterThan(128)
      expect(runs(pid)).toBe(false)
    },
  )

  it('SIGUSR1 opens no door', async () => {
    using box = sandbox()
    const { run, pid } = await startSleeper(box)
    run.signal('SIGUSR1')
    // Whoever has been told to stop has dealt with what came before.
    run.signal('SIGTERM')
    const { stderr } = await run.ended
    expect(stderr).not.toContain('Debugger')
    expect(runs(pid)).toBe(false)
  })
})
