import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ContainerResourceMonitor, getProfiler, ResourceProfiler } from '../../src/index.ts'
import { burnCpu } from './burn-cpu.ts'

/** Profiling as it is documented for programs that come from other tools, line by line. */
describe('the documented use of profilers', () => {
  let folder = ''
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'jobmeter-documented-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Computes, holds memory and writes a file, as a small simulation does. */
  function runSimulation(): void {
    const mesh = Buffer.alloc(64 * 2 ** 20, 1)
    burnCpu(0.3)
    writeFileSync(join(folder, 'result'), mesh.subarray(0, 4 * 2 ** 20), { flush: true })
  }

  it('profiles a piece of code', () => {
    const profiler = new ResourceProfiler()
    profiler.startProfiling()
    runSimulation()
    const profile = profiler.stopProfiling()
    expect(`Duration: ${profile.duration_seconds}s`).toMatch(/^Duration: \d+\.\d+s$/)
    expect(`CPU mean: ${profile.cpu.mean_percent}%`).toMatch(/^CPU mean: \d+(\.\d+)?%$/)
    expect(`Memory peak: ${profile.memory.max_used_mb} MB`).toMatch(/^Memory peak: \d+(\.\d+)? MB$/)
    expect(`I/O total: ${profile.io_stats.total_io_mb} MB`).toMatch(/^I\/O total: \d+(\.\d+)? MB$/)
    expect(profile.io_stats.total_io_mb).toBeGreaterThanOrEqual(4)
    const { mean_percent: percent } = profile.process_cpu
    expect(((percent ?? NaN) / 100) * (profile.duration_seconds ?? NaN)).toBeGreaterThan(0.25)
    expect(profile.process_memory.max_mb).toBeGreaterThan(64)
    // One sample at the end stands for a time that is shorter than the interval.
    expect(profile.samples_collected).toBeGreaterThanOrEqual(1)
    expect(profile.sampling_interval_seconds).toBe(0.5)
  })

  it('takes another interval, and only some of the metrics', () => {
    const slow = new ResourceProfiler({ intervalSeconds: 1 })
    slow.startProfiling()
    expect(slow.stopProfiling().sampling_interval_seconds).toBe(1)
    const light = new ResourceProfiler({ metrics: ['cpu', 'memory'] })
    light.startProfiling()
    burnCpu(0.25)
    const profile = light.stopProfiling()
    expect(profile.cpu.mean_percent).toBeGreaterThan(0)
    expect(profile.memory.mean_used_mb).toBeGreaterThan(0)
    expect(profile.process_cpu).toEqual({ mean_percent: null, max_percent: null })
  })

  it('collects a sample every half second', async () => {
    const profiler = new ResourceProfiler()
    profiler.startProfiling()
    const timer = setInterval(() => {}, 1000)
    const times: number[] = []
    for await (const { elapsedSeconds } of profiler) {
      times.push(elapsedSeconds)
      if (times.length === 3) break
    }
    clearInterval(timer)
    const profile = profiler.stopProfiling()
    expect(profile.samples_collected).toBeGreaterThanOrEqual(3)
    expect(profile.samples_collected).toBeLessThanOrEqual(4)
    // Late they may be on a busy machine, but never early, and lateness does not add up.
    expect(times.every((seconds, index) => seconds > (index + 1) * 0.5 - 0.01)).toBe(true)
  })

  it('monitors a container by its name, and says why it could not', async () => {
    const before = process.env['DOCKER_HOST']
    process.env['DOCKER_HOST'] = `unix://${folder}/nobody.sock`
    try {
      const monitor = new ContainerResourceMonitor('keystone-fenicsx')
      monitor.startMonitoring()
      await monitor.ready()
      const profile = monitor.stopMonitoring()
      expect(monitor.containerName).toBe('keystone-fenicsx')
      expect(profile.container_stats['cpu_percent']).toBeUndefined()
      expect(profile.unavailable.container_stats).toContain('nobody.sock')
      await expect(monitor.getContainerInfo()).rejects.toThrow(/keystone-fenicsx/)
    } finally {
      if (before === undefined) delete process.env['DOCKER_HOST']
      else process.env['DOCKER_HOST'] = before
    }
  })

  it('has one profiler for the whole program', () => {
    const profiler = getProfiler()
    profiler.startProfiling()
    expect(getProfiler().isProfiling).toBe(true)
    expect(getProfiler().stopProfiling().duration_seconds).toBeGreaterThan(0)
  })
})
