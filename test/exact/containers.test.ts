import { describe, expect, it } from 'vitest'
import { deafDaemon } from '../deaf-daemon.ts'
import { sandbox, usersByCgroups, type Sandbox } from '../program.ts'
import {
  asClient,
  docker,
  dockerRun,
  missing,
  run,
  running,
  untilSampled,
  usageOf,
  useDocker,
  type ContainerRecord,
} from './docker-jobs.ts'
import { near } from './tolerance.ts'

useDocker()

const toldBy = /"cpuSeconds":([\d.]+)/

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

describe.skipIf(missing !== undefined)(
  `containers${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    it('calls no figure exact of which the last moments were not seen', async () => {
      using box = sandbox()
      const late = 'sleep 1.5; contained 150 200 1 /tmp/written'
      const { record } = await run(box, '--', ...dockerRun(docker.image, 'sh', '-c', late))
      expect(record.basis['swap_peak_bytes']).not.toMatch(/^at least: the machine has no swap/)
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

    it('measures its memory and storage, whichever metrics of processes are asked for', async () => {
      using box = sandbox()
      const inside = dockerRun(docker.image, 'contained', '500', '100', '20', '/tmp/written')
      const { record } = await run(box, '--metrics', 'cpu', '--', ...inside)
      near(usageOf(record)['container_memory_peak_bytes'], 100 * 2 ** 20, 5)
      expect(usageOf(record)['container_memory_mean_bytes']).toBeGreaterThan(2 ** 20)
      near(usageOf(record)['container_block_write_bytes'], 20 * 2 ** 20, 5)
      expect(usageOf(record)['memory_peak_bytes']).toBeNull()
    })

    it('takes the mean of its memory between samples too, however far these are apart', async () => {
      using box = sandbox()
      const inside = dockerRun(docker.image, 'contained', '1000', '100', '1', '/tmp/written')
      const { record } = await run(box, '--interval', '60', '--', ...inside)
      for (const key of ['memory_mean_bytes', 'container_memory_mean_bytes']) {
        expect(usageOf(record)[key], key).toBeGreaterThan(75 * 2 ** 20)
        expect(usageOf(record)[key], key).toBeLessThan(105 * 2 ** 20)
      }
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

    it('measures a container whatever labels it is given, by whichever option names the daemon', async () => {
      using box = sandbox()
      const words = ['--label', 'jobmeter.task=another', docker.image, 'contained', '500', '20']
      const client = ['docker', `-H${docker.host}`, ...dockerRun(...words, '1', '/tmp/x').slice(1)]
      // The daemon that the environment names is not there.
      const { ended, record } = await box.run(['--', ...client], {
        env: { DOCKER_HOST: `unix://${box.path('nobody')}` },
      })
      expect(ended.code, ended.stderr).toBe(0)
      expect(record.basis['cpu_total_seconds']).toContain('of docker container')
    })

    it('advises to raise the limit of a job that its container met', async () => {
      using box = sandbox()
      const hog = dockerRun(docker.image, 'hog', '200', '1000')
      const { record } = await run(box, '--memory-limit', '64m', '--', ...hog)
      expect(usageOf(record)['memory_limit_bytes']).toBe(64 * 2 ** 20)
      expect(record.bound_by.sentence).toContain('Raise its memory limit')
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
      expect(usageOf(record)['memory_limit_met_bytes']).toBe(64 * 2 ** 20)
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
      expect(record.bound_by.sentence).toMatch(
        /^Throttled by its CPU limit in \d+ % of the periods/,
      )
    })

    it('measures a container that is named, from the start of the job', async () => {
      using box = sandbox()
      const named = ['-d', '--rm', '--name', 'named', '--network', 'none', docker.image]
      docker.docker('run', ...named, 'sh', '-c', 'burn 500 -; sleep 1000')
      await untilLogged('named', 'cpuSeconds')
      // It goes on after that: the runtime has waited for what was run inside, and is looked at once more.
      const inside = ['--', 'sh', '-c', 'docker exec named burn 1000 -; sleep 1.5']
      const { record } = await run(box, '--in-container-of', 'named', ...inside)
      near(usageOf(record)['cpu_total_seconds'], 1.03, 10)
      expect(usageOf(record)['container_overhead_cpu_seconds']).toBeLessThan(0.5)
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

    it('watches what the CPU limit of a container does now, not what it did before', async () => {
      using box = sandbox()
      const words = 'burn 200 -; exec sleep 1000'
      const args = ['--rm', '--network', 'none', '--cpus', '0.1', '--name', 'limited', docker.image]
      docker.docker('run', '-d', ...args, 'sh', '-c', words)
      await untilLogged('limited', 'cpuSeconds')
      const watch = box.start(
        ['watch', '--container', 'limited', '--interval', '0.2', '--format', 'json'],
        asClient(),
      )
      await untilSampled(box)
      docker.docker('kill', 'limited')
      const record = JSON.parse((await watch.ended).stdout) as ContainerRecord
      expect(usageOf(record)['container_throttled_seconds']).toBeLessThan(0.3)
      expect(record.bound_by.kind).not.toBe('cpu-limit')
      const [series] = await devices(box, record)
      expect(series?.samples[0]?.['throttled_periods']).toBe(0)
    })

    it('measures of a watched container what is asked for', async () => {
      using box = sandbox()
      const watched = ['--rm', '--network', 'none', '--name', 'asked', docker.image]
      docker.docker('run', '-d', ...watched, 'sleep', '1000')
      const words = ['watch', '--container', 'asked']
      const none = await box.jobmeter([...words, '--metrics', 'none'], asClient())
      expect(none.stderr).toContain('--metrics none leaves nothing to watch')
      const asked = ['--metrics', 'cpu', '--threads', '--interval', '0.2', '--format', 'json']
      const watch = box.start([...words, ...asked], asClient())
      await untilSampled(box)
      docker.docker('kill', 'asked')
      const record = JSON.parse((await watch.ended).stdout) as ContainerRecord
      expect(usageOf(record)['cpu_total_seconds']).not.toBeNull()
      expect(usageOf(record)['memory_peak_bytes']).toBeNull()
      expect(Object.keys(usageOf(record))).toContain('busiest_thread_percent')
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
      expect(record.error).toMatch(/^docker could not start the container/)
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
      expect(refused.record.error).toMatch(/^docker could not start the container/)
      expect(refused.record.unmeasured['cpu_total_seconds']).toContain('could not start')
      const absent = await run(box, '--', ...dockerRun(docker.image, '/no/program'))
      expect(absent.record.error).toBe('the program was not found in the container')
    })

    it('does not say that a program was not found where its start was only told late', async () => {
      using box = sandbox()
      const daemon = await deafDaemon(docker.host, box.path('late'), { holdsEvents: true })
      const client = { env: { DOCKER_HOST: daemon.host } }
      const started = await box.run(
        ['--', ...dockerRun(docker.image, 'sh', '-c', 'exit 127')],
        client,
      )
      const absent = await box.run(['--', ...dockerRun(docker.image, '/no/program')], client)
      daemon.close()
      expect(started.record.error).not.toContain('not found')
      expect((started.record as ContainerRecord).unmeasured['cpu_total_seconds']).toContain(
        'it had ended before it could be measured',
      )
      expect(absent.record.error).toBe('the program was not found in the container')
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
