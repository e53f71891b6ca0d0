import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { MadeMachine } from '../../test/fuzz/made-machine.ts'
import type { Figures } from './live-figures.ts'
import { LiveContainer } from './live-container.ts'

const stats = (cpuSeconds: number): string =>
  `${JSON.stringify({ cpu_stats: { cpu_usage: { total_usage: cpuSeconds * 1e9 } }, memory_stats: { usage: 2 ** 20 } })}\n`

it('says what a container does just now, and nothing once its daemon stops telling', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'jm-live-'))
  const socket = join(directory, 's')
  const { promise: statistics, resolve } = Promise.withResolvers<ServerResponse>()
  const daemon = createServer(({ url = '' }, answer) => {
    if (url.includes('/stats')) resolve(answer)
    else if (url.startsWith('/events')) answer.flushHeaders()
    else
      answer.end(
        JSON.stringify({ Id: 'a1'.repeat(32), Name: '/db', State: { Running: true, Pid: 100 } }),
      )
  }).listen(socket)
  await once(daemon, 'listening')
  vi.stubEnv('DOCKER_HOST', `unix://${socket}`)
  const { system } = new MadeMachine()
  system.tree.set(socket, '')
  const container = new LiveContainer(system, {
    name: 'db',
    intervalSeconds: 1,
    startedAt: system.clock.monotonicSeconds(),
    recordedStart: system.clock.wallSeconds(),
  })
  vi.unstubAllEnvs()
  const figures = (): Figures => {
    const told = { metrics: {}, unavailable: {} }
    container.addTo(told)
    return told
  }
  const stream = await statistics
  for (const seconds of [0.5, 1]) {
    system.advance(1)
    stream.write(stats(seconds))
    const key = seconds === 1 ? 'container_cpu_percent' : 'container_memory_mb'
    await vi.waitUntil(() => key in figures().metrics)
  }
  expect(figures().metrics).toEqual({ container_cpu_percent: 50, container_memory_mb: 1 })
  stream.destroy()
  await vi.waitUntil(() => !('container_cpu_percent' in figures().metrics))
  const why = 'its daemon no longer tells what it does'
  expect(figures()).toEqual({
    metrics: {},
    unavailable: { container_cpu_percent: why, container_memory_mb: why },
  })
  container.finish(2)
  daemon.closeAllConnections()
  daemon.close()
  rmSync(directory, { recursive: true })
})
