import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeAll, describe, expect, it } from 'vitest'
import { ContainerResourceMonitor, ResourceProfiler } from '../../src/index.ts'
import { startDocker, whyNoDocker, type Docker } from '../docker.ts'

const missing = whyNoDocker()

let docker: Docker
const hostBefore = process.env['DOCKER_HOST']
beforeAll(async () => {
  if (missing !== undefined) return
  docker = await startDocker()
  process.env['DOCKER_HOST'] = docker.host
  return async () => {
    if (hostBefore === undefined) delete process.env['DOCKER_HOST']
    else process.env['DOCKER_HOST'] = hostBefore
    await docker.stop()
  }
})

/** Starts a container that computes for 2 s of CPU time, holds 200 MB and writes 100 MB. */
const start = (name: string, ...words: readonly string[]): string =>
  docker.docker(
    'run',
    '-d',
    '--network=none',
    `--name=${name}`,
    ...words,
    docker.image,
    'contained',
    '2000',
    '200',
    '100',
    '/tmp/written',
  )

const ended = async (name: string): Promise<void> => {
  await once(spawn('docker', ['wait', name], { env: process.env, stdio: 'ignore' }), 'exit')
}

const inMb = (text: string | undefined): number => {
  const [, value, unit] = /^([\d.]+)(B|KB|MB|GB|KiB|MiB|GiB)/.exec(text ?? '') ?? []
  const scale = { B: 2 ** -20, KB: 1e3 / 2 ** 20, MB: 1e6 / 2 ** 20, GB: 1e9 / 2 ** 20 }
  const binary = { KiB: 1 / 1024, MiB: 1, GiB: 1024 }
  return Number(value) * ({ ...scale, ...binary }[unit ?? ''] ?? NaN)
}

describe.skipIf(missing !== undefined)(
  `profiles of containers${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    it('tell what a container used that was started later, as docker stats writes it', async () => {
      const monitor = new ContainerResourceMonitor('later')
      monitor.startMonitoring()
      await monitor.ready()
      start('later', '--memory=300m', '--cpus=1')
      await ended('later')
      const profile = monitor.stopMonitoring()
      const stats = profile.container_stats
      expect(Object.keys(stats)).toEqual([
        'cpu_percent',
        'memory_usage',
        'memory_percent',
        'net_io',
        'block_io',
      ])
      expect(profile.unavailable.container_stats).toBeUndefined()
      expect(Number(stats['cpu_percent'])).toBeGreaterThan(40)
      expect(Number(stats['cpu_percent'])).toBeLessThan(110)
      expect(inMb(stats['memory_usage'] ?? undefined)).toBeGreaterThan(195)
      expect(inMb(stats['memory_usage'] ?? undefined)).toBeLessThan(225)
      expect(stats['memory_usage']).toMatch(/ \/ 300MiB$/)
      expect(Number(stats['memory_percent'])).toBeGreaterThan(64)
      expect(Number(stats['memory_percent'])).toBeLessThan(75)
      expect(stats['net_io']).toBe('0B / 0B')
      const [, written] = (stats['block_io'] ?? '').split(' / ')
      expect(inMb(written)).toBeGreaterThan(99)
      expect(inMb(written)).toBeLessThan(110)
    })

    it('tell of one that runs already and goes on, with live samples', async () => {
      const busy = ['--name=busy', docker.image, 'contained', '60000', '20', '1', '/tmp/written']
      docker.docker('run', '-d', '--network=none', ...busy)
      const profiler = new ResourceProfiler({ intervalSeconds: 0.25 })
      profiler.startProfiling('busy')
      await profiler.ready()
      const timer = setInterval(() => {}, 1000)
      let percent = NaN
      for await (const { metrics, elapsedSeconds } of profiler) {
        percent = metrics['container_cpu_percent'] ?? percent
        if (elapsedSeconds > 2.4) break
      }
      clearInterval(timer)
      const profile = profiler.stopProfiling()
      docker.docker('rm', '-f', 'busy')
      expect(percent).toBeGreaterThan(20)
      const cpuSeconds =
        (Number(profile.container_stats['cpu_percent']) * (profile.duration_seconds ?? NaN)) / 100
      // Since the profiling began, not since the container did: it has one core at most.
      expect(cpuSeconds).toBeGreaterThan(0.4)
      expect(cpuSeconds).toBeLessThan((profile.duration_seconds ?? NaN) * 1.05)
      // This program did next to nothing meanwhile.
      expect(profile.process_cpu.mean_percent).toBeLessThan(30)
    })

    it('tell what the daemon knows of a container, and why it knows nothing', async () => {
      start('known', '--memory=300m', '--cpus=1.5', '--pids-limit=50')
      await ended('known')
      const info = await new ContainerResourceMonitor('known').getContainerInfo()
      expect(info).toMatchObject({
        engine: 'docker',
        name: 'known',
        image: docker.image,
        running: false,
        exit_code: 0,
        oom_killed: false,
        limits: { cpus: 1.5, memory_mb: 300, pids: 50 },
      })
      expect(info.command[0]).toBe('contained')
      expect(Date.parse(info.finished_at ?? '')).toBeGreaterThan(Date.parse(info.started_at ?? ''))
      const nobody = new ContainerResourceMonitor('nobody')
      await expect(nobody.getContainerInfo()).rejects.toThrow(
        'there is no container nobody (docker: No such container: nobody)',
      )
      nobody.startMonitoring()
      await nobody.ready()
      const profile = nobody.stopMonitoring()
      expect(profile.container_stats).toEqual({})
      expect(profile.unavailable.container_stats).toMatch(/no container nobody/)
    })

    it('do not keep a program alive', async () => {
      const url = new URL('../../src/index.ts', import.meta.url)
      const script = `import { ContainerResourceMonitor } from ${JSON.stringify(url.href)}
        const monitor = new ContainerResourceMonitor('never')
        monitor.startMonitoring()
        await monitor.ready()`
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'inherit', 'inherit'],
      })
      expect(await once(child, 'exit')).toEqual([0, null])
    })
  },
)
