import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'
import { sandbox } from '../../../test/program.ts'

it('shows on a terminal how many processes there are, as one says it', async () => {
  using box = sandbox()
  const child = spawn('sleep', ['60'], { stdio: 'ignore' })
  const watching = box.terminal(`$JOBMETER watch --interval 0.1 --pid ${child.pid}`)
  await watching.saw(' · 1 process')
  child.kill()
  const { code, stdout } = await watching.ended
  expect(code).toBe(0)
  expect(stdout).not.toContain('1 processes')
})
