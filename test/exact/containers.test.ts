import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  sandbox,
  usersByCgroups,
  type Ended,
  type HistoryRecord,
  type Sandbox,
} from '../program.ts'
import { deafDaemon } from '../deaf-daemon.ts'
import { startDocker, whyNoDocker, type Docker } from '../docker.ts'
import { until } from '../workflow/flow.ts'
import { near } from './tolerance.ts'

/** What these tests read of a record besides. */
interface ContainerRecord extends HistoryRecord {
  readonly detailed_profile: { readonly container_stats: Record<string, string> }
  readonly bound_by: { readonly kind: string; readonly sentence: string }
  readonly unmeasured: Readonly<Record<string, string>>
}

const missing = whyNoDocker()
const toldBy = /"cpuSeconds":([\d.]+)/

let docker: Docker
beforeAll(async () => {
  if (missing === undefined) docker = await startDocker()
})
afterAll(async () => {
  if (missing === undefined) await docker.stop()
})

const dockerRun = (...words: readonly string[]): readonly string[] => [
  'docker',
  'run',
  '--rm',
  '--network=none',
  ...words,
]

const asClient = () => ({ env: { DOCKER_HOST: docker.host } })
const running = (): readonly string[] => docker.docker('ps', '-q').split('\n').filter(Boolean)

async function run(
  box: Sandbox,
  ...args: readonly string[]
): Promise<{ ended: Ended; record: ContainerRecord }> {
  const { ended, record } = await box.run(args, asClient())
  return { ended, record: record as ContainerRecord }
}

interface DeviceJson {
  readonly kind: string
  readonly samples: readonly Record<string, number | null>[]
}

async function devices(box: Sandbox, { task_id: id }: ContainerRecord): Promise<DeviceJson[]> {
  const { stdout } = await box.jobmeter(['series', id, '--format', 'json'])
  return (JSON.parse(stdout) as { devices: DeviceJson[] }).devices
}

async function untilLogged(name: string, text: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (docker.docker('logs', name).includes(text)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`container ${name} never said ${text}`)
}

/** Once it has begun, nothing in its environment says whose it is. */
const nameless = 'exec env -i /bin/sh -c "echo begun >> begun; exec sleep 1000"'

/** Kills the runner of a job in a container, which writes the file `begun` first. */
async function leaveBehind(box: Sandbox, line: string): Promise<void> {
  const spec = box.path('flow.yaml')
  const job = `command: '${line}'
    container: {image: "${docker.image}", mounts: [".:/data"], working_directory: /data, arguments: [--network, none]}`
  writeFileSync(spec, `name: left\njobs:\n  - name: sleeper\n    ${job}\n`)
  const runner = box.start(['run', spec], asClient())
  await until(() => existsSync(box.path('begun')))
  runner.signal('SIGKILL')
  await runner.ended
}

/** Until something was written down of what is watched. */
async function untilSampled(box: Sandbox): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const times = await box.sampleTimes().catch(() => [])
    if (times.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('nothing was sampled')
}

const usageOf = ({ usage }: ContainerRecord): Readonly<Record<string, number | null>> => usage

describe.skipIf(missing !== undefined)(
  `containers${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    it('calls no figure exact of which the last moments were not seen', async () => {
      using box = sandbox()
      const late = 'sleep 1.5; contained 150 200 1 /tmp/written'
      const { record } = await run(box, '--', ...dockerRun(docker.image, 'sh', '-c', late))
      for (const key of ['memory_peak_bytes', 'cgroup_memory_peak_bytes']) {
        const isBound = record.basis[key]?.startsWith('at least') === true
        if (!isBound) near(usageOf(record)[key], 200 * 2 ** 20, 5)
        expect(usageOf(record)[key], record.basis[key]).toBeGreaterThan(100 * 2 ** 20)
      }
    })

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
      const { ended, record } = await run(
        box,
        '--interval',
        '0.5',
        '--',
        ...dockerRun(...limits, docker.image, 'contained', '3000', '200', '100', '/tmp/written'),
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
      const lasted = (used['container_startup_seconds'] ?? 0) + (used['container_run_seconds'] ?? 0)
      expect(used['container_startup_seconds']).toBeGreaterThan(0.01)
      expect(used['container_run_seconds']).toBeGreaterThan(2.9)
      expect(lasted).toBeLessThanOrEqual(record.duration_seconds ?? 0)
      expect(docker.containers()).toEqual([])
      const stats = record.detailed_profile.container_stats
      expect(stats['memory_usage']).toMatch(/^20\d(\.\d)?MiB \/ 300MiB$/)
      expect(stats['net_io']).toBe('0B / 0B')
      expect(stats['block_io']).toMatch(/ \/ 10[45]MB$/)
      expect(Number(stats['cpu_percent'])).toBeGreaterThan(20)
      // Sampled while it ran, not read once at the end.
      const [series] = await devices(box, record)
      expect(series?.kind).toBe('container')
      const times = series?.samples.map((row) => row['elapsed_seconds'] ?? 0) ?? []
      expect(times.length).toBeGreaterThan(4)
      const cpu = series?.samples.map((row) => row['cpu_seconds'] ?? 0) ?? []
      expect(cpu).toEqual(cpu.toSorted((one, other) => one - other))
      expect(cpu.some((seconds) => seconds > 0.5 && seconds < 2.5)).toBe(true)
    })

    it('measures it behind programs that only run another one, and hints at it elsewhere', async () => {
      using box = sandbox()
      const words = dockerRun(docker.image, 'contained', '500', '20', '1', '/tmp/written')
      const prefix = ['nice', '-n', '1', 'env', 'A=b', 'timeout', '1m']
      const { ended, record } = await run(box, '--', ...prefix, ...words)
      expect(ended.code, ended.stderr).toBe(0)
      expect(record.basis['cpu_total_seconds']).toContain('of docker container')
      const told = await box.jobmeter(['run', '--', ...prefix, ...words], asClient())
      expect(told.stderr).toMatch(/^Container +started in /m)
      expect(told.stderr).not.toContain('--in-container-of')
      const script = `${words.join(' ')}; true`
      const hidden = await box.jobmeter(['run', '--', 'sh', '-c', script], asClient())
      expect(hidden.stderr).toContain('--in-container-of NAME')
    })

    it('names a container that was killed for memory', async () => {
      using box = sandbox()
      const { ended, record } = await run(
        box,
        '--',
        ...dockerRun('--memory', '64m', docker.image, 'hog', '200', '1000'),
      )
      expect(ended.code).toBe(137)
      expect(record.status).toBe('failed')
      expect(record.error).toBe("killed for memory: the container's limit of 64.0 MB")
      expect(usageOf(record)['container_oom_kills']).toBeGreaterThan(0)
      expect(record.bound_by.kind).toBe('out-of-memory')
    })

    it('names a container that its CPU limit held back', async () => {
      using box = sandbox()
      const { record } = await run(
        box,
        '--',
        ...dockerRun('--cpus', '0.1', docker.image, 'burn', '300', '-'),
      )
      expect(usageOf(record)['container_throttled_percent']).toBeGreaterThan(30)
      expect(usageOf(record)['container_throttled_seconds']).toBeGreaterThan(0.5)
      expect(record.bound_by.kind).toBe('cpu-limit')
      expect(record.bound_by.sentence).toMatch(/^Throttled by its CPU limit \d+ % of the time/)
    })

    it('leaves no container behind when the job is over its time', async () => {
      using box = sandbox()
      // The main process of a container ignores SIGTERM, unless it asks for it.
      const { ended, record } = await run(
        box,
        '--timeout',
        '1',
        '--grace',
        '0.5',
        '--',
        ...dockerRun(docker.image, 'sleep', '1000'),
      )
      expect(ended.code).toBe(124)
      expect(record.status).toBe('timeout')
      expect(record.stragglers).toEqual([])
      expect(running()).toEqual([])
    })

    it('ends the container of a job that is cancelled', async () => {
      using box = sandbox()
      const job = box.start(
        [
          'run',
          '--grace',
          '0.5',
          '--',
          ...dockerRun(docker.image, 'sh', '-c', 'echo begun; sleep 1000'),
        ],
        asClient(),
      )
      await job.saw('begun')
      job.signal('SIGINT')
      await job.ended
      const [record] = await box.history()
      expect(record?.status).toBe('cancelled')
      expect(running()).toEqual([])
    })

    it('tells of a container that runs on, or ends it if asked to', async () => {
      using box = sandbox()
      const detached = dockerRun('-d', docker.image, 'sleep', '1000')
      const left = await run(box, '--', ...detached)
      expect(left.record.stragglers[0]?.command).toMatch(/^container \w+ of jobmeter-test/)
      docker.docker('kill', ...running())
      const killed = await run(box, '--stragglers', 'kill', '--', ...detached)
      expect(killed.record.stragglers).toEqual([])
      expect(running()).toEqual([])
      const awaited = await run(
        box,
        '--stragglers',
        'wait',
        '--',
        ...dockerRun('-d', docker.image, 'burn', '500', '-'),
      )
      near(usageOf(awaited.record)['cpu_total_seconds'], 0.53, 15)
      expect(awaited.record.duration_seconds).toBeGreaterThan(0.5)
    })

    it('tells of a container that was to end and runs on', async () => {
      using box = sandbox()
      const deaf = await deafDaemon(docker.host, box.path('deaf'))
      const { record } = await box.run(
        ['--stragglers', 'kill', '--', ...dockerRun('-d', docker.image, 'sleep', '1000')],
        { env: { DOCKER_HOST: deaf.host } },
      )
      deaf.close()
      docker.docker('kill', ...running())
      expect(record.stragglers[0]?.command).toMatch(/^container \w+ of jobmeter-test/)
    })

    it('measures a container that is named', async () => {
      using box = sandbox()
      docker.docker(
        'run',
        '-d',
        '--rm',
        '--name',
        'named',
        '--network',
        'none',
        docker.image,
        'sleep',
        '1000',
      )
      const { record } = await run(
        box,
        '--in-container-of',
        'named',
        '--',
        'docker',
        'exec',
        'named',
        'burn',
        '1000',
        '-',
      )
      near(usageOf(record)['cpu_total_seconds'], 1.03, 10)
      expect(running()).toHaveLength(1)
      docker.docker('kill', 'named')
    })

    it('does not take a container for one whose name it only begins with', async () => {
      using box = sandbox()
      const other = ['run', '-d', '--rm', '--name', 'named2', '--network', 'none', docker.image]
      const { ended, record } = await run(
        box,
        '--in-container-of',
        'named',
        '--',
        'docker',
        ...other,
        'sleep',
        '1000',
      )
      docker.docker('kill', 'named2')
      expect(usageOf(record)['cpu_total_seconds']).toBeNull()
      expect(record.unmeasured['cpu_total_seconds']).toContain('there was no container named')
      expect(ended.stderr).toContain('container named was not measured: there was no container')
    })

    it('knows that a container with a restart policy is not over when it has ended', async () => {
      using box = sandbox()
      const always = ['docker', 'run', '-d', '--network=none', '--restart=always', docker.image]
      const words = [...always, 'sh', '-c', 'sleep 0.2; exit 3']
      const left = await run(box, '--', ...words)
      expect(left.record.stragglers[0]?.command).toMatch(/^container \w+ of jobmeter-test/)
      docker.docker('rm', '-f', ...docker.containers())
      const attached = words.filter((word) => word !== '-d')
      const shown = await run(box, '--', ...attached)
      expect(shown.record.stragglers[0]?.command).toMatch(/^container \w+ of jobmeter-test/)
      docker.docker('rm', '-f', ...docker.containers())
      const killed = await run(box, '--stragglers', 'kill', '--', ...attached)
      expect(killed.record.stragglers).toEqual([])
      expect(running()).toEqual([])
      docker.docker('rm', '-f', ...docker.containers())
    })

    it('watches a container that runs already, and learns how it ended', async () => {
      using box = sandbox()
      const words = ['sh', '-c', 'burn 500 -; cat /tmp/go; burn 1000 -; exit 3']
      const args = ['-i', '--rm', '--network', 'none', '--name', 'watched', docker.image, ...words]
      // It burns 0.5 s before anybody watches, and waits to be let on.
      docker.docker(
        'run',
        '-d',
        ...args.map((word) =>
          word.replace('cat /tmp/go', 'while ! cat /tmp/go; do sleep 0.05; done'),
        ),
      )
      await untilLogged('watched', 'cpuSeconds')
      const watch = box.start(
        ['watch', '--container', 'watched', '--interval', '0.2', '--format', 'json'],
        asClient(),
      )
      await untilSampled(box)
      docker.docker('exec', 'watched', 'sh', '-c', 'true > /tmp/go')
      const ended = await watch.ended
      expect(ended.stderr).toBe('')
      const record = JSON.parse(ended.stdout) as ContainerRecord
      expect(record.status).toBe('failed')
      expect(record.returncode).toBe(3)
      near(usageOf(record)['cpu_total_seconds'], 1.05, 12)
    })

    it('runs jobs of a workflow in containers, and holds them to limits that are enforced', async () => {
      using box = sandbox()
      const spec = box.path('flow.yaml')
      writeFileSync(
        spec,
        `name: contained
env: {GREETING: "hello  world"}
resource_monitor: {sample_interval_seconds: 0.2, enforce: [memory]}
jobs:
  - name: write
    command: 'echo "$GREETING $JOBMETER_JOB_NAME in $(pwd)" > said.txt; burn 1000 - > cpu.json'
    container:
      image: ${docker.image}
      mounts: [".:/data"]
      working_directory: /data
      arguments: [--network, none]
    resource_requirements: {cpus: 1, memory: 100m}
  - name: greedy
    command: hog 200 1000
    depends_on: [write]
    container: {image: "${docker.image}", runtime: docker, arguments: ["--network=none"]}
    resource_requirements: {cpus: 1, memory: 64m}
`,
      )
      const { code } = await box.jobmeter(['run', spec, '--quiet'], asClient())
      expect(code).not.toBe(0)
      expect(readFileSync(box.path('said.txt'), 'utf8')).toBe('hello  world write in /data\n')
      const records = (await box.history()) as ContainerRecord[]
      const [write, greedy] = ['write', 'greedy'].map((name) =>
        records.find((record) => record.name === name),
      )
      expect(write?.status).toBe('success')
      near(write?.usage['cpu_total_seconds'], 1.03, 8)
      expect(write?.usage['container_memory_limit_bytes']).toBe(100 * 2 ** 20)
      expect(greedy?.status).toBe('failed')
      expect(greedy?.error).toBe("killed for memory: the container's limit of 64.0 MB")
      expect(docker.containers()).toEqual([])
    })

    it('ends containers that a killed runner left behind when the workflow is resumed', async () => {
      using box = sandbox()
      await leaveBehind(box, 'echo begun > begun; test -e again || sleep 1000')
      expect(running()).toHaveLength(1)
      writeFileSync(box.path('again'), '')
      const resumed = await box.jobmeter(['run', '--resume', '1', '--quiet'], asClient())
      expect(resumed.code).toBe(0)
      expect(running()).toEqual([])
    })

    it('ends a container that a killed runner left behind, though nothing in it names the job', async () => {
      using box = sandbox()
      await leaveBehind(box, `test -e again || ${nameless}`)
      const [left = ''] = running()
      writeFileSync(box.path('again'), '')
      const resumed = await box.jobmeter(['run', '--resume', '1'], asClient())
      expect(resumed.stderr).toContain(
        `killed containers that a killed runner left behind: ${left}`,
      )
      expect(resumed.code).toBe(0)
      expect(running()).toEqual([])
    })

    it('runs no job beside a container of its own that cannot be ended', async () => {
      using box = sandbox()
      await leaveBehind(box, nameless)
      const deaf = await deafDaemon(docker.host, box.path('deaf'))
      const resumed = await box.jobmeter(['run', '--resume', '1'], {
        env: { DOCKER_HOST: deaf.host },
      })
      deaf.close()
      expect(resumed.code).not.toBe(0)
      expect(resumed.stderr).toContain('left containers running that cannot be ended')
      expect(readFileSync(box.path('begun'), 'utf8')).toBe('begun\n')
      const cancelled = await box.jobmeter(['workflows', 'cancel', '1'], asClient())
      expect(cancelled.stderr).toContain('killed containers that a killed runner left behind')
      expect(running()).toEqual([])
    })

    it('says so where nobody can tell whether containers were left running', async () => {
      using box = sandbox()
      await leaveBehind(box, nameless)
      const nobody = { env: { DOCKER_HOST: `unix://${box.path('nobody')}` } }
      const resumed = await box.jobmeter(['run', '--resume', '1'], nobody)
      expect(resumed.stderr).toContain('cannot tell whether a killed runner left containers')
      docker.docker('kill', ...running())
    })

    it('asks the daemon where the cgroup of a container cannot be read', async () => {
      using box = sandbox()
      // Pids of the daemon are somebody else's here, or nobody's.
      const { ended, record } = await box.run(
        [
          '--',
          ...dockerRun('--memory', '300m', docker.image, 'contained', '3000', '100', '1', '/tmp/x'),
        ],
        { ...asClient(), within: ['unshare', '--pid', '--fork', '--mount-proc'] },
      )
      expect(ended.code).toBe(0)
      const told = record.usage['cpu_total_seconds'] ?? 0
      // The daemon tells about once a second: all but the last of it.
      expect(told).toBeGreaterThan(0.5)
      expect(told).toBeLessThan(3.2)
      expect(record.basis['cpu_total_seconds']).toMatch(/^at least: the daemon's statistics/)
      near(record.usage['memory_peak_bytes'], 100 * 2 ** 20, 5)
      expect(record.usage['container_memory_limit_bytes']).toBe(300 * 2 ** 20)
    })

    const v2Alone = usersByCgroups.find((user) => user.v2Alone)
    it.skipIf(v2Alone === undefined)('makes up nothing where v2 has no controllers', async () => {
      using box = sandbox(v2Alone)
      const { record } = await run(
        box,
        '--',
        ...dockerRun('--cpus', '1', docker.image, 'contained', '1000', '100', '1', '/tmp/x'),
      )
      near(usageOf(record)['cpu_total_seconds'], 1.03, 8)
      near(usageOf(record)['container_memory_peak_bytes'], 100 * 2 ** 20, 5)
      expect(record.basis['container_memory_peak_bytes']).toContain('of its processes')
      expect(usageOf(record)['container_throttled_seconds']).toBeNull()
      expect(usageOf(record)['container_throttled_percent']).toBeNull()
    })

    it('says why a container was not measured, and runs the job all the same', async () => {
      using box = sandbox()
      const { ended, record } = await run(
        box,
        '--',
        'docker',
        '-H',
        'tcp://127.0.0.1:9',
        'run',
        docker.image,
        'true',
      )
      expect(ended.code).toBe(125)
      expect(record.resource_usage.cpu_total_seconds).toBeNull()
      expect(record.unmeasured['cpu_total_seconds']).toContain('tcp://127.0.0.1:9')
      expect(usageOf(record)['container_client_cpu_seconds']).toBeGreaterThan(0)
    })

    it('says so of a container that was over at once', async () => {
      using box = sandbox()
      const { ended, record } = await run(box, '--', ...dockerRun(docker.image, 'true'))
      expect(ended.code).toBe(0)
      const told = record.unmeasured['cpu_total_seconds'] ?? record.basis['cpu_total_seconds']
      expect(told).toMatch(/had ended before|of docker container/)
      // A client that fails before it has asked for anything runs no container.
      const refused = await run(box, '--', 'docker', 'run', '--no-such-option', docker.image)
      expect(refused.ended.code).toBe(125)
      expect(refused.record.unmeasured['cpu_total_seconds']).toContain('told of no container')
    })

    it('refuses to watch what is not there', async () => {
      using box = sandbox()
      const unknown = await box.jobmeter(['watch', '--container', 'nobody'], asClient())
      expect(unknown.stderr).toContain('No such container')
      const { code, stderr } = await box.jobmeter(
        ['watch', '--container', '../../info'],
        asClient(),
      )
      expect(code).not.toBe(0)
      expect(stderr).toContain('cannot be the name of a container')
    })
  },
)
