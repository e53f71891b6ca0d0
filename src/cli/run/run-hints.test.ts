import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox } from '../../../test/program.ts'

describe('whoever takes a job of `run` for that of a workflow', () => {
  it.each(['once', 'last'])('is told that its output is not kept (%s)', async (typed) => {
    using box = sandbox()
    await box.run(['--name', 'once', '--', 'true'])
    const { code, stderr } = await box.jobmeter(['logs', typed])
    expect(code).toBe(1)
    expect(stderr).toContain(
      'job once belongs to no workflow: the output of jobmeter run goes to the terminal and is not kept',
    )
  })

  it.each(['recommend', 'check-resource-utilization'])(
    'is led to the report of the job (%s)',
    async (report) => {
      using box = sandbox()
      await box.run(['--name', 'once', '--', 'true'])
      const { code, stderr } = await box.jobmeter(['reports', report, 'once'])
      expect(code).toBe(2)
      expect(stderr).toContain(
        '"once" is not a workflow id but the name of a job. See jobmeter reports job once',
      )
      const other = await box.jobmeter(['reports', report, 'nobody'])
      expect(other.stderr).toContain('"nobody" is not a workflow id. See jobmeter workflows list')
    },
  )
})

describe('a command that is in the current directory alone', () => {
  it.each([{}, { JOBMETER_NO_FFI: '1' }])('is named as it can be run (%o)', async (env) => {
    using box = sandbox()
    writeFileSync(box.path('w.py'), '#!/usr/bin/python3\n', { mode: 0o755 })
    const { code, stderr } = await box.jobmeter(['run', 'w.py'], { env })
    expect(code).toBe(127)
    expect(stderr).toContain('w.py: command not found. Did you mean ./w.py?')
    const other = await box.jobmeter(['run', 'nowhere.py'], { env })
    expect(other.stderr).not.toContain('Did you mean')
  })
})

describe('retries in a job of a spec', () => {
  it.each(['max_retries', 'retries'])('are sent to failure_handlers (%s)', async (key) => {
    using box = sandbox()
    writeFileSync(box.path('w.yaml'), `jobs:\n  - { name: a, command: "true", ${key}: 2 }\n`)
    const { stderr } = await box.jobmeter(['run', 'w.yaml'])
    expect(stderr).toContain(
      `${key}: unknown key. Retries belong in the rules of failure_handlers, beside jobs: max_retries.`,
    )
  })
})
