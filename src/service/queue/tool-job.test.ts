import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realSystem } from '../../system/real.ts'
import { readTools } from '../../workflow/tools/read-tools.ts'
import type { WantedJob } from './submission.ts'
import { toolJob } from './tool-job.ts'

const system = realSystem({ ownsProcess: false })

const tools = `tools:
  train:
    command: [python3, "{script}"]
    image: example.org/train
    gpus: 2
    environment: { MODE: fast }
  mesh:
    command: [mesh, "{script}"]
    image: example.org/mesh
    engine: podman
`

describe('a tool in a container', () => {
  let folder: string
  let work: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'jobmeter-tool-'))
    work = join(folder, 'work')
    mkdirSync(work)
    for (const path of ['work/inside.py', 'outside.py']) writeFileSync(join(folder, path), '')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  function commandOf(tool: string, script: string, more: Partial<WantedJob> = {}): string {
    const read = readTools(tools, 'tools.yaml')
    if (read.kind !== 'ok') throw new Error('the file is wrong')
    const wanted = {
      command: [],
      known: { workingDirectory: work },
      environment: {},
      labels: [],
      image: '',
      timeoutSeconds: null,
      memoryLimitBytes: null,
      graceSeconds: 10,
      priority: 0,
      retries: 0,
      interruptions: 3,
      after: null,
      ...more,
    }
    return toolJob(system, read.value, tool, { script, params: {} }, wanted).command.join(' ')
  }

  it('has the variables of the job, and the GPUs that its worker gives it', () => {
    const command = commandOf('train', 'inside.py', { environment: { SEED: '7' } })
    for (const name of ['MODE', 'SEED', 'CUDA_VISIBLE_DEVICES'])
      expect(command).toContain(`--env ${name} `)
    expect(command).toContain('--gpus all ')
    expect(command).not.toContain('inside.py:')
  })

  it('has none of the GPUs where none are asked for', () => {
    expect(commandOf('mesh', 'inside.py')).toBe(
      `podman run --rm --volume ${work}:${work} --workdir ${work} example.org/mesh mesh inside.py`,
    )
  })

  it('has a script that is not in its folder', () => {
    const outside = join(folder, 'outside.py')
    for (const script of [outside, '../outside.py'])
      expect(commandOf('mesh', script)).toContain(`--volume ${outside}:${outside}:ro `)
    expect(commandOf('mesh', '/in/the/image.py')).not.toContain('image.py:')
  })
})
