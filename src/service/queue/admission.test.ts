import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { submission } from '../../../test/queue/some-submission.ts'
import type { QueueOrder } from '../../model/queue.ts'
import { realSystem } from '../../system/real.ts'
import { readTools } from '../../workflow/tools/read-tools.ts'
import { readWorkerRules } from '../../workflow/worker-rules/read-worker-rules.ts'
import { Admission } from './admission.ts'

const toolsHere = `tools:
  mesh: { command: [sh, -c, "echo here {params.size}"], environment: { PLACE: here } }
`

const system = realSystem({ ownsProcess: false })

describe('what a worker runs', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'jobmeter-admission-'))
    writeFileSync(join(folder, 'sh'), '#!/bin/sh\necho another\n')
    chmodSync(join(folder, 'sh'), 0o755)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  function admission(rules: string): Admission {
    const read = readWorkerRules(rules, 'worker.yaml', 'ada')
    const tools = readTools(toolsHere, 'tools.yaml')
    if (read.kind !== 'ok' || tools.kind !== 'ok') throw new Error('a file is wrong')
    return new Admission(system, read.value, tools.value, '/usr/bin:/bin')
  }
  const { order: some } = submission()
  const admit = (rules: string, differences: Partial<QueueOrder>) => {
    const order = { ...some, tool: 'sh', command: ['sh'], ...differences }
    return admission(rules).admit({
      taskId: '',
      jobId: '',
      number: 1,
      laneId: 1,
      isAhead: false,
      user: 'ada',
      order,
    })
  }
  const onlySh = 'commands: [sh]'

  it('is the program that its rules name, and no other of the same name', () => {
    for (const program of ['sh', '/bin/sh', '/usr/bin/sh'])
      expect(admit(onlySh, { command: [program] })).toMatchObject({ command: [program] })
    const another = join(folder, 'sh')
    expect(admit(onlySh, { command: [another] })).toBe(`this worker does not run ${another}`)
    expect(admit(onlySh, { command: ['./sh'], workingDirectory: folder })).toContain(another)
    expect(admit(`commands: [${another}]`, { command: [another] })).toMatchObject({ tool: 'sh' })
    expect(admit(`commands: [${another}]`, {})).toBe('this worker does not run sh')
    expect(admit('tools: [sh]', { command: [another] })).toContain('is not the program')
    const kind = { user: 'ada', tool: 'sh', image: '' }
    expect(admission(onlySh).accepts({ ...kind, program: another })).toBe(false)
    expect(admission(onlySh).accepts({ ...kind, program: 'sh' })).toBe(true)
  })

  it('is what is really run, of attempts of workflows too', () => {
    const attempt = { ...some, command: ['cat'] }
    expect(admit(onlySh, { attempt })).toBe('this worker does not run cat')
    expect(admit('tools: [mesh]', { tool: 'mesh', attempt })).toContain('has no tool mesh')
  })

  it('is not changed by variables', () => {
    expect(admit(onlySh, { environment: { PATH: folder } })).toContain('does not run')
    const environment = { LD_PRELOAD: '/tmp/other.so' }
    expect(admit(onlySh, { environment })).toBe('this worker runs no jobs that set LD_PRELOAD')
    expect(admit('users: [ada]', { environment })).toMatchObject({ environment })
  })

  it('is a tool as its own file has it, whatever the submitter says', () => {
    const hers = { tool: 'mesh', command: ['/tmp/evil'], image: 'evil', params: { size: 3 } }
    expect(admit('tools: [mesh]', hers)).toMatchObject({
      command: ['sh', '-c', 'echo here 3'],
      image: '',
      environment: { PLACE: 'here' },
    })
    expect(admit('users: [ada]', hers)).toMatchObject({ command: ['/tmp/evil'] })
    expect(admit('tools: [mesh]', { ...hers, params: {} })).toContain('needs the parameter "size"')
    expect(admit('tools: [cat]', { ...hers, tool: 'cat' })).toContain('has no tool cat')
  })
})
