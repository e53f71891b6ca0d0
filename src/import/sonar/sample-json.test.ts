import { describe, expect, it } from 'vitest'
import { sampleOf } from './sample-json.ts'

const sample = (card: object, process: object) =>
  sampleOf({
    node: 'gpu1',
    time: '2026-03-01T12:00:00+01:00',
    system: { cpus: [1], gpus: [card, { ce_util: 50, memory: 100, power: 70 }] },
    jobs: [{ job: 7, user: 'ada', processes: [{ pid: 7, cmd: 'train', ...process }] }],
  })

describe('what a sample says is unknown', () => {
  it('is not 0, of cards nor of processes', () => {
    const unknown = sample(
      { ce_util: null, memory: null, power: null },
      { cpu_time: null, resident_memory: null, gpus: [{ gpu_util: null, gpu_memory: null }] },
    )
    expect(unknown).toMatchObject({ gpuShare: null, gpuMemoryKib: null, gpuWatts: null })
    const [process] = unknown.jobs[0]?.processes ?? []
    expect(process).toMatchObject({ cpuSeconds: null, memoryKib: null })
    expect(process).toMatchObject({ gpuShare: null, gpuMemoryKib: null })
  })

  it('is 0 where it is left out', () => {
    const idle = sample({ power: 30 }, { gpus: [{ index: 0 }] })
    expect(idle).toMatchObject({ gpuShare: 0.5, gpuMemoryKib: 100, gpuWatts: 100 })
    const [process] = idle.jobs[0]?.processes ?? []
    expect(process).toMatchObject({ cpuSeconds: 0, memoryKib: 0, gpuShare: 0, gpuMemoryKib: 0 })
  })
})
