import { mkdtempSync, openSync, closeSync, fsyncSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { burnCpu } from '../../test/profile/burn-cpu.ts'
import type { LiveSample } from './live-meter.ts'
import { getProfiler, ResourceProfiler } from './resource-profiler.ts'

const documentedKeys = [
  'duration_seconds',
  'samples_collected',
  'sampling_interval_seconds',
  'cpu',
  'memory',
  'process_cpu',
  'process_memory',
  'io_stats',
  'gpu_stats',
  'container_stats',
  'unavailable',
]

describe('a profile', () => {
  it('has the documented keys, in their order, whatever was chosen', () => {
    for (const metrics of [undefined, [], ['cpu', 'process_memory']] as const) {
      const profiler = new ResourceProfiler(metrics === undefined ? {} : { metrics })
      profiler.startProfiling()
      const profile = profiler.stopProfiling()
      expect(Object.keys(profile)).toEqual(documentedKeys)
      const { cpu, memory, process_cpu, process_memory, io_stats } = profile
      const sections = { cpu, memory, process_cpu, process_memory, io_stats }
      expect(Object.values(sections).map((section) => Object.keys(section))).toEqual([
        ['mean_percent', 'max_percent', 'min_percent'],
        ['mean_used_mb', 'max_used_mb', 'min_used_mb'],
        ['mean_percent', 'max_percent'],
        ['mean_mb', 'max_mb', 'min_mb'],
        ['read_mb', 'write_mb', 'read_count', 'write_count', 'total_io_mb'],
      ])
      expect(profile.sampling_interval_seconds).toBe(0.5)
    }
  })

  it('tells the CPU time, memory and bytes that were used, against what is known of them', () => {
    const directory = mkdtempSync(join(tmpdir(), 'jobmeter-profile-'))
    const profiler = new ResourceProfiler({ intervalSeconds: 0.1 })
    const begun = performance.now()
    profiler.startProfiling()
    burnCpu(0.6)
    const held = Buffer.alloc(150 * 2 ** 20, 1)
    const rssMb = process.memoryUsage.rss() / 2 ** 20
    const file = openSync(join(directory, 'written'), 'w')
    writeSync(file, held, 0, 20 * 2 ** 20)
    fsyncSync(file)
    const cpuSeconds = 0.6
    const profile = profiler.stopProfiling()
    const wallSeconds = (performance.now() - begun) / 1000
    closeSync(file)
    rmSync(directory, { recursive: true })

    expect(profile.duration_seconds).toBeGreaterThan(0.6)
    expect(String(profile.duration_seconds)).toMatch(/^\d+(\.\d{1,6})?$/)
    expect(profile.duration_seconds).toBeLessThanOrEqual(wallSeconds + 0.01)
    const usedSeconds =
      ((profile.process_cpu.mean_percent ?? NaN) * (profile.duration_seconds ?? NaN)) / 100
    expect(usedSeconds).toBeGreaterThan(cpuSeconds * 0.93)
    expect(usedSeconds).toBeLessThan(cpuSeconds + 0.35)
    expect((profile.process_memory.max_mb ?? NaN) / rssMb).toBeGreaterThan(0.97)
    expect((profile.process_memory.max_mb ?? NaN) / rssMb).toBeLessThan(1.05)
    expect(profile.process_memory.min_mb).toBeLessThan(rssMb - 100)
    expect(profile.io_stats.write_mb).toBeGreaterThanOrEqual(20)
    expect(profile.io_stats.write_mb).toBeLessThan(21)
    expect(profile.io_stats.write_count).toBeGreaterThanOrEqual(1)
    expect(profile.io_stats.total_io_mb).toBeCloseTo(
      (profile.io_stats.read_mb ?? NaN) + (profile.io_stats.write_mb ?? NaN),
      2,
    )
    expect(profile.cpu.max_percent).toBeLessThanOrEqual(100)
    expect(profile.cpu.mean_percent).toBeGreaterThan(0)
    expect(profile.memory.max_used_mb).toBeGreaterThan(profile.process_memory.max_mb ?? NaN)
  })

  it('leaves out what was not asked for, with null and a reason, never 0', () => {
    const profiler = new ResourceProfiler({ metrics: ['process_cpu'] })
    profiler.startProfiling()
    burnCpu(0.02)
    const profile = profiler.stopProfiling()
    expect(profile.process_cpu.mean_percent).toBeGreaterThan(0)
    expect(profile.memory).toEqual({ mean_used_mb: null, max_used_mb: null, min_used_mb: null })
    expect(profile.io_stats.read_count).toBeNull()
    expect(profile.gpu_stats).toEqual({})
    expect(profile.container_stats).toEqual({})
    expect(profile.unavailable).toEqual({
      cpu: 'not asked for',
      memory: 'not asked for',
      process_memory: 'not asked for',
      io_stats: 'not asked for',
      gpu_stats: 'not asked for',
      container_stats: 'no container was named',
    })
    expect(() => new ResourceProfiler({ metrics: ['disk' as 'cpu'] })).toThrow(/no part "disk"/)
  })

  it('says why there are no figures of GPUs, and none of a container that is not there', async () => {
    const profiler = new ResourceProfiler({ metrics: ['gpu_stats'] })
    profiler.startProfiling('no-such-container')
    await profiler.ready()
    const profile = profiler.stopProfiling()
    const hasCards = Object.keys(profile.gpu_stats).length > 0
    expect(hasCards ? 'some GPU' : profile.unavailable.gpu_stats).toMatch(/GPU/)
    expect(profile.container_stats).toEqual({})
    expect(profile.unavailable.container_stats).toMatch(/socket|no container|ended before/)
  })
})

describe('profilers', () => {
  it('tell what happens, and go on whatever a listener throws', async () => {
    const profiler = new ResourceProfiler({ intervalSeconds: 0.1, metrics: ['process_cpu'] })
    const heard: string[] = []
    profiler.on('start', ({ containerName }) => heard.push(`start ${containerName}`))
    profiler.on('problem', (problem) => heard.push(problem))
    profiler.on('sample', () => {
      throw new Error('no')
    })
    profiler.on('problem', () => {
      throw new Error('not even this')
    })
    const ended = new Promise((resolve) => profiler.on('stop', resolve))
    profiler.startProfiling()
    const timer = setInterval(() => {}, 1000)
    const samples: LiveSample[] = []
    for await (const sample of profiler) {
      samples.push(sample)
      if (samples.length === 2) profiler.stopProfiling()
    }
    clearInterval(timer)
    // One more comes at the end if that is half an interval later, on a busy machine.
    expect(samples.length).toBeGreaterThanOrEqual(2)
    expect(await ended).toMatchObject({ samples_collected: samples.length })
    const problem = 'a listener of sample failed: Error: no'
    expect(heard).toEqual(['start null', ...samples.map(() => problem)])
    // The first may come so late that the second follows at once, with no time in between to tell a share of.
    const names = samples.flatMap(({ metrics }) => Object.keys(metrics))
    expect(new Set(names)).toEqual(new Set(['cpu_process_percent']))
  })

  it('stop once where a listener of the last sample stops them too, and may be started again from there', () => {
    const profiler = new ResourceProfiler({ intervalSeconds: 3600, metrics: ['process_cpu'] })
    const heard: string[] = []
    profiler.on('problem', (problem) => heard.push(problem))
    profiler.on('stop', () => heard.push('stop'))
    profiler.on('sample', () => {
      heard.push('sample')
      if (heard.length > 1) return
      profiler.stopProfiling()
      profiler.startProfiling()
    })
    profiler.startProfiling()
    expect(profiler.stopProfiling().samples_collected).toBe(1)
    expect(heard).toEqual(['sample', 'stop'])
    expect(profiler.isProfiling).toBe(true)
    profiler.stopProfiling()
    expect(heard).toEqual(['sample', 'stop', 'sample', 'stop'])
  })

  it('run side by side without disturbing each other', () => {
    const outer = new ResourceProfiler({ metrics: ['process_cpu'] })
    const inner = new ResourceProfiler({ metrics: ['process_cpu'] })
    outer.startProfiling()
    burnCpu(0.2)
    inner.startProfiling()
    burnCpu(0.2)
    const first = inner.stopProfiling()
    const second = outer.stopProfiling()
    const cpuSeconds = (profile: typeof first): number =>
      ((profile.process_cpu.mean_percent ?? NaN) * (profile.duration_seconds ?? NaN)) / 100
    expect(cpuSeconds(first)).toBeGreaterThan(0.17)
    expect(cpuSeconds(first)).toBeLessThan(0.3)
    expect(cpuSeconds(second)).toBeGreaterThan(0.37)
    expect(cpuSeconds(second)).toBeLessThan(0.55)
  })

  it('say so when they are started twice or stopped before they were started', () => {
    const profiler = new ResourceProfiler()
    expect(() => profiler.stopProfiling()).toThrow(/not running/)
    profiler.startProfiling()
    expect(profiler.isProfiling).toBe(true)
    expect(() => profiler.startProfiling()).toThrow(/running already/)
    profiler.stopProfiling()
    profiler.startProfiling()
    expect(profiler.stopProfiling().samples_collected).toBe(1)
    expect(profiler.isProfiling).toBe(false)
  })

  it('of the whole program are one', () => {
    expect(getProfiler()).toBe(getProfiler())
    expect(getProfiler()).toBeInstanceOf(ResourceProfiler)
  })
})
