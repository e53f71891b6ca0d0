import { once } from 'node:events'
import { createServer } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { startPodman, whyNoPodman, type Podman } from '../podman.ts'
import { sandbox } from '../program.ts'
import { near } from './tolerance.ts'

const missing = whyNoPodman()

let podman: Podman
beforeAll(async () => {
  if (missing !== undefined) return
  podman = await startPodman()
  return () => podman.stop()
})

describe.skipIf(missing !== undefined)(
  `Podman${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    it('has what runs in its containers measured for the job that asked for it', async () => {
      using box = sandbox()
      const client = ['podman', 'run', '--rm', '--network=none', '--memory', '150m', podman.image]
      const { ended, record } = await box.run(
        ['--', ...client, 'contained', '1000', '100', '20', '/tmp/written'],
        { env: podman.environment },
      )
      expect(ended).toMatchObject({ code: 0 })
      expect(record.status).toBe('success')
      const { usage, basis } = record
      near(usage['cpu_total_seconds'], Number(/"cpuSeconds":([\d.]+)/.exec(ended.stdout)?.[1]), 5)
      near(usage['memory_peak_bytes'], 100 * 2 ** 20, 5)
      near(usage['write_bytes'], 20 * 2 ** 20, 5)
      expect(basis['cpu_total_seconds']).toContain('of podman container')
      expect(usage['container_memory_limit_bytes']).toBe(150 * 2 ** 20)
      expect(usage['container_oom_kills']).toBe(0)
      expect(usage['container_startup_seconds']).toBeGreaterThan(0.01)
      expect(usage['container_run_seconds']).toBeGreaterThan(0.95)
      expect(podman.containers()).toEqual([])
    })

    it('has a container of its own found by name where Docker can be asked too', async () => {
      using box = sandbox()
      const docker = createServer((asked, answer) => {
        // Events are listened to for as long as there may be any.
        if (asked.url?.startsWith('/events') === true) answer.flushHeaders()
        else answer.writeHead(404).end('{"message":"No such container"}')
      }).listen(box.path('docker.sock'))
      await once(docker, 'listening')
      const env = { ...podman.environment, DOCKER_HOST: `unix://${box.path('docker.sock')}` }
      podman.client('run', '-d', '--name', 'named', '--network=none', podman.image, 'sleep', '1000')
      const { record } = await box.run(['--in-container-of', 'named', '--', 'sleep', '0.3'], {
        env,
      })
      docker.closeAllConnections()
      docker.close()
      podman.client('rm', '-f', 'named')
      expect(record.basis['cpu_total_seconds']).toContain('of podman container named')
    })
  },
)
