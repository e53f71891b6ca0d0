import { describe, expect, it } from 'vitest'
import { readTools } from './read-tools.ts'

describe('a file of tools', () => {
  it('says how each is run, and what it asks for', () => {
    const read = readTools(
      `tools:
  fenicsx:
    command: [python3, "{script}", "{params.mesh_size}"]
    image: example.org/fenicsx
    cpus: 4
    memory: 8g
    timeout: 2h
    environment: { OMP_NUM_THREADS: 4 }
    labels: [scratch]
`,
      'tools.yaml',
    )
    if (read.kind !== 'ok') throw new Error('it has errors')
    expect(read.value.get('fenicsx')).toEqual({
      command: ['python3', '{script}', '{params.mesh_size}'],
      image: 'example.org/fenicsx',
      engine: 'docker',
      requirements: { cpus: 4, memoryBytes: 8 * 2 ** 30, gpus: null, runtimeSeconds: null },
      timeoutSeconds: 7200,
      memoryLimitBytes: null,
      environment: { OMP_NUM_THREADS: '4' },
      workingDirectory: null,
      scriptIsFile: false,
      labels: ['scratch'],
    })
  })

  it('tells all that is wrong at once, with the places', () => {
    const read = readTools('tools:\n  a: { comand: [x] }\n  b: { command: [] }\n', 'tools.yaml')
    expect(read.kind).toBe('invalid')
    if (read.kind !== 'invalid') return
    expect(read.errors.map(({ line }) => line)).toEqual(expect.arrayContaining([2, 3]))
  })
})
