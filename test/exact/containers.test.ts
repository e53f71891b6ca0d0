import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandbox, type HistoryRecord } from '../program.ts'
import { startDocker, whyNoDocker, type Docker } from '../docker.ts'

const missing = whyNoDocker()
const toldBy = /"cpuSeconds":([\d.]+)/

let docker: Docker
beforeAll(async () => {
  if (missing === undefined) docker = await startDocker()
}, 120_000)
afterAll(async () => {
  if (missing === undefined) await docker.stop()
}, 60_000)

/** Within so many percent. */
const near = (value: number | null | undefined, expected: number, percent: number): void => {
  expect(value).toBeGreaterThan(expected * (1 - percent / 100))
  expect(value).toBeLessThan(expected * (1 + percent / 100))
}

const dockerRun = (...words: readonly string[]): readonly string[] => [
  ...['docker', 'run', '--rm', '--network', 'none'],
  ...words,
]

const usageOf = ({ usage }: HistoryRecord): Readonly<Record<string, number | null>> => usage

describe.skipIf(missing !== undefined)(
  `containers${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    it('measures what runs in a container for the job that asked for it', async () => {
      using box = sandbox()
      const limits = [
        '--memory',
        '300m',
        '--memory-reservation',
        '250m',
        '--cpus',
        '1.5',
        '--pids-limit',
        '50',
      ]
      const { ended, record } = await box.run(
        [
          '--interval',
          '0.5',
          '--',
          ...dockerRun(...limits, docker.image, 'contained', '3000', '200', '100', '/tmp/written'),
        ],
        { env: { DOCKER_HOST: docker.host } },
      )
      expect(ended.code).toBe(0)
      expect(record.status).toBe('success')
      const used = usageOf(record)
      near(used['cpu_total_seconds'], Number(toldBy.exec(ended.stdout)?.[1]), 5)
      near(used['memory_peak_bytes'], 200 * 2 ** 20, 5)
      near(used['container_memory_peak_bytes'], 200 * 2 ** 20, 5)
      near(used['write_bytes'], 100 * 2 ** 20, 5)
      near(used['container_block_write_bytes'], 100 * 2 ** 20, 5)
      expect(record.basis['cpu_total_seconds']).toContain('of docker container')
      expect(used['container_cpu_limit_percent']).toBe(150)
      expect(used['container_memory_limit_bytes']).toBe(300 * 2 ** 20)
      expect(used['container_memory_reservation_bytes']).toBe(250 * 2 ** 20)
      expect(used['container_pids_limit']).toBe(50)
      expect(used['container_oom_kills']).toBe(0)
      // The client works for a moment; the runtime stays beside the container.
      expect(used['container_client_cpu_seconds']).toBeLessThan(1)
      expect(used['container_overhead_memory_bytes']).toBeGreaterThan(2 ** 20)
      const seconds =
        (used['container_startup_seconds'] ?? 0) + (used['container_run_seconds'] ?? 0)
      expect(used['container_startup_seconds']).toBeGreaterThan(0.01)
      expect(used['container_run_seconds']).toBeGreaterThan(2.9)
      expect(seconds).toBeLessThanOrEqual(record.duration_seconds ?? 0)
      expect(docker.containers()).toEqual([])
    })
  },
)
