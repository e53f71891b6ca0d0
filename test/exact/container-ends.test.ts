import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { daemonRelay } from '../daemon-relay.ts'
import { deafDaemon } from '../deaf-daemon.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { until } from '../workflow/flow.ts'
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

/** The process of `docker` that a program has started. */
function clientOf(pid: number): number {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  )
  const client = children.find((child) =>
    readFileSync(`/proc/${child}/cmdline`, 'utf8').startsWith('docker\0'),
  )
  if (client === undefined) throw new Error(`${pid} has started no client`)
  return Number(client)
}

function hasClient(pid: number): boolean {
  try {
    return clientOf(pid) > 0
  } catch {
    return false
  }
}

/** How long it takes until a job has ended. */
async function secondsUntil(ended: Promise<unknown>): Promise<number> {
  const before = performance.now()
  await ended
  return (performance.now() - before) / 1000
}

/** Presses Ctrl-C until a job has ended: two signals at once would be one, and the first may come before it listens. */
async function interrupted(job: ReturnType<Sandbox['start']>): Promise<void> {
  let hasEnded = false
  void job.ended.then(() => (hasEnded = true))
  await until(() => {
    if (!hasEnded) job.signal('SIGINT')
    return hasEnded
  })
}

/** Once it has begun, nothing in its environment says whose it is. */
const nameless = 'exec env -i /bin/sh -c "echo begun >> begun; exec sleep 1000"'

/** Kills the runner of a job, which writes the file `begun` first. */
async function killRunner(box: Sandbox, job: string): Promise<void> {
  const spec = box.path('flow.yaml')
  writeFileSync(spec, `name: left\njobs:\n  - name: sleeper\n    ${job}\n`)
  const runner = box.start(['run', spec], asClient())
  await until(() => existsSync(box.path('begun')))
  runner.signal('SIGKILL')
  await runner.ended
}

/** A workflow of one job, whose container goes on until there is a file `again`. Answers the path of its file. */
function leavingFlow(box: Sandbox, retriedCodes: readonly string[] = []): string {
  const spec = box.path('flow.yaml')
  const handler = `failure_handlers: [{name: again, rules: [{exit_codes: [${retriedCodes.join()}]}]}]\n`
  writeFileSync(
    spec,
    `name: left
${retriedCodes.length === 0 ? '' : handler}jobs:
  - name: sleeper
    command: 'echo begun >> begun; test -e again || exec sleep 1000'
    ${retriedCodes.length === 0 ? '' : 'failure_handler: again\n    '}container: {image: "${docker.image}", runtime: docker, mounts: [".:/data"], working_directory: /data, arguments: [--network, none]}
`,
  )
  return spec
}

/** The same of a job that the workflow runs in a container. */
const leaveBehind = (box: Sandbox, line: string): Promise<void> =>
  killRunner(
    box,
    `command: '${line}'
    container: {image: "${docker.image}", mounts: [".:/data"], working_directory: /data, arguments: [--network, none]}`,
  )

describe.skipIf(missing !== undefined)(
  `the ends of containers${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
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
      const summary = await box.jobmeter(
        ['run', '--stragglers', 'kill', '--', ...detached],
        asClient(),
      )
      expect(summary.stderr).toMatch(/^Note +ended container \w+ that it left running$/m)
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

    it('tells of a container that runs on, or that it was ended or awaited, without figures of it', async () => {
      using box = sandbox()
      const detached = dockerRun('-d', docker.image, 'sleep', '1000')
      const left = await run(box, '--no-monitor', '--', ...detached)
      expect(left.record.stragglers[0]?.command).toMatch(/^container \w+ of jobmeter-test/)
      docker.docker('kill', ...running())
      const killed = await box.jobmeter(
        ['run', '--no-monitor', '--stragglers', 'kill', '--', ...detached],
        asClient(),
      )
      expect(killed.stderr).toMatch(/^Note +ended container \w+ that it left running$/m)
      expect(running()).toEqual([])
      const brief = dockerRun('-d', docker.image, 'sleep', '2')
      const awaited = await run(box, '--no-monitor', '--stragglers', 'wait', '--', ...brief)
      expect(awaited.record.duration_seconds).toBeGreaterThan(2)
      const always = ['docker', 'run', '--network=none', '--restart=always', docker.image, 'true']
      const restarted = await run(box, '--', ...always)
      docker.docker('rm', '-f', ...docker.containers())
      expect(restarted.record.stragglers[0]?.command).toMatch(/^container \w+ of jobmeter-test/)
    })

    it('goes on waiting for a container where its daemon tells of no events any more', async () => {
      using box = sandbox()
      const daemon = await deafDaemon(docker.host, box.path('cut'))
      const job = box.start(
        [
          'run',
          '--stragglers',
          'wait',
          '--',
          ...dockerRun('-d', docker.image, 'burn', '3000', '-'),
        ],
        { env: { DOCKER_HOST: daemon.host } },
      )
      await untilSampled(box)
      daemon.cutEvents()
      await job.ended
      daemon.close()
      const [record] = (await box.history()) as ContainerRecord[]
      expect(record?.duration_seconds).toBeGreaterThan(3)
      near(record?.usage['cpu_total_seconds'], 3.03, 10)
      expect(record?.stragglers).toEqual([])
      expect(running()).toEqual([])
    })

    it('tells of a container that runs on where nobody can be asked any more', async () => {
      using box = sandbox()
      const daemon = await deafDaemon(docker.host, box.path('gone'))
      // Nor is its main process seen from here.
      const job = box.start(
        ['run', '--stragglers', 'wait', '--', ...dockerRun('-d', docker.image, 'sleep', '1000')],
        {
          env: { DOCKER_HOST: daemon.host },
          within: ['unshare', '--pid', '--fork', '--mount-proc'],
        },
      )
      await untilSampled(box)
      daemon.close()
      await job.ended
      docker.docker('kill', ...running())
      const [record] = (await box.history()) as ContainerRecord[]
      expect(record?.stragglers[0]?.command).toMatch(/^container \w+ of jobmeter-test/)
    })

    it('waits for a container whose daemon is gone as long as its main process is seen', async () => {
      using box = sandbox()
      const daemon = await daemonRelay(docker.host, box.path('gone'))
      const job = box.start(
        ['run', '--stragglers', 'wait', '--', ...dockerRun('-d', docker.image, 'sleep', '1000')],
        { env: { DOCKER_HOST: daemon.host } },
      )
      await untilSampled(box)
      await until(() => !hasClient(job.pid))
      daemon.close()
      docker.docker('kill', ...running())
      await job.ended
      const [record] = (await box.history()) as ContainerRecord[]
      expect(record?.stragglers).toEqual([])
      expect(record?.basis['cpu_total_seconds']).toContain('of docker container')
    })

    it.each(['leave', 'kill'])(
      'tells of a container whose daemon is gone, and that nobody knows more (%s)',
      async (policy) => {
        using box = sandbox()
        const daemon = await daemonRelay(docker.host, box.path('gone'))
        const job = box.start(
          ['run', '--stragglers', policy, '--', ...dockerRun(docker.image, 'sleep', '1000')],
          { env: { DOCKER_HOST: daemon.host } },
        )
        await untilSampled(box)
        daemon.close()
        const ended = await job.ended
        docker.docker('kill', ...running())
        const [record] = (await box.history()) as ContainerRecord[]
        expect(record?.stragglers[0]?.command).toMatch(
          policy === 'kill'
            ? /^container \w+ of jobmeter-test.*, which could not be ended; its daemon does not answer/
            : /^container \w+ of jobmeter-test.*; its daemon does not answer \(connect E/,
        )
        expect(record?.basis['cpu_total_seconds']).toMatch(/^at least.*no longer answers/)
        expect(ended.stderr).toContain('Left behind')
      },
    )

    it.each(['leave', 'kill'])(
      'does not wait long for a daemon that has frozen, and says what is not known (%s)',
      async (policy) => {
        using box = sandbox()
        const daemon = await daemonRelay(docker.host, box.path('frozen'))
        const job = box.start(
          ['run', '--stragglers', policy, '--', ...dockerRun(docker.image, 'sleep', '1000')],
          { env: { DOCKER_HOST: daemon.host } },
        )
        await untilSampled(box)
        daemon.freeze()
        process.kill(clientOf(job.pid), 'SIGKILL')
        expect(await secondsUntil(job.ended)).toBeLessThan(9)
        daemon.close()
        docker.docker('kill', ...running())
        const [record] = (await box.history()) as ContainerRecord[]
        expect(record?.stragglers[0]?.command).toMatch(
          /^container \w+ of jobmeter-test.*; its daemon does not answer \(no whole answer in /,
        )
        expect(record?.basis['cpu_total_seconds']).toMatch(/^at least.*no longer answers/)
      },
    )

    it('waits no longer for a daemon that has frozen once Ctrl-C is pressed again', async () => {
      using box = sandbox()
      const daemon = await daemonRelay(docker.host, box.path('frozen'))
      const words = ['run', '--grace', '0.2', '--', ...dockerRun(docker.image, 'sleep', '1000')]
      const job = box.start(words, { env: { DOCKER_HOST: daemon.host } })
      await untilSampled(box)
      daemon.freeze()
      job.signal('SIGINT')
      await until(() => !hasClient(job.pid))
      expect(await secondsUntil(interrupted(job))).toBeLessThan(4)
      daemon.close()
      docker.docker('kill', ...running())
      const [record] = (await box.history()) as ContainerRecord[]
      expect(record?.status).toBe('cancelled')
      expect(record?.stragglers[0]?.command).toContain('which could not be ended')
    })

    it('waits no longer for a container either, though its daemon has frozen', async () => {
      using box = sandbox()
      const daemon = await daemonRelay(docker.host, box.path('frozen'))
      const detached = dockerRun('-d', docker.image, 'sleep', '1000')
      const job = box.start(['run', '--stragglers', 'wait', '--', ...detached], {
        env: { DOCKER_HOST: daemon.host },
      })
      await untilSampled(box)
      await until(() => !hasClient(job.pid))
      daemon.freeze()
      expect(await secondsUntil(interrupted(job))).toBeLessThan(4)
      daemon.close()
      docker.docker('kill', ...running())
      const [record] = (await box.history()) as ContainerRecord[]
      expect(record?.stragglers[0]?.command).toMatch(/^container \w+ of jobmeter-test/)
    })

    it('names what a job has left whose daemon went away, and ends it before the job runs again', async () => {
      using box = sandbox()
      const spec = leavingFlow(box)
      const daemon = await daemonRelay(docker.host, box.path('d.sock'))
      const through = { env: { DOCKER_HOST: daemon.host } }
      const runner = box.start(['run', spec], through)
      await until(() => existsSync(box.path('begun')))
      daemon.close()
      const { stderr } = await runner.ended
      expect(stderr).toMatch(
        /^⚠ sleeper: left behind: (perhaps a )?container.*; its daemon does not answer \(connect E/m,
      )
      const [left = ''] = running()
      writeFileSync(box.path('again'), '')
      const inVain = await box.jobmeter(['run', '--resume', '1'], through)
      expect(inVain.code).not.toBe(0)
      expect(inVain.stderr).toContain('workflow 1 is not resumed')
      expect(inVain.stderr).toContain('job sleeper left behind: ')
      expect(readFileSync(box.path('begun'), 'utf8')).toBe('begun\n')
      const resumed = await box.jobmeter(['run', '--resume', '1'], asClient())
      expect(resumed.stderr).toContain(`killed containers that an earlier run left behind: ${left}`)
      expect(resumed.code).toBe(0)
      expect(running()).toEqual([])
    })

    it('tries a job again once the daemon answers again and what the last attempt left has ended', async () => {
      using box = sandbox()
      const spec = leavingFlow(box, ['125'])
      const socket = box.path('d.sock')
      const daemon = await daemonRelay(docker.host, socket)
      const runner = box.start(['run', spec], { env: { DOCKER_HOST: daemon.host } })
      await until(() => existsSync(box.path('begun')))
      const [left = ''] = running()
      daemon.close()
      await runner.saw('is tried again once no container of it runs')
      writeFileSync(box.path('again'), '')
      expect(readFileSync(box.path('begun'), 'utf8')).toBe('begun\n')
      const back = await daemonRelay(docker.host, socket)
      const { code, stderr } = await runner.ended
      back.close()
      expect(code, stderr).toBe(0)
      expect(stderr).toContain(`killed what sleeper left behind: ${left}`)
      expect(stderr).not.toContain('⚠')
      expect(running()).toEqual([])
    })

    it('tries a job no more once it is to stop while what it left may still run', async () => {
      using box = sandbox()
      const spec = leavingFlow(box, ['125'])
      const daemon = await daemonRelay(docker.host, box.path('d.sock'))
      const runner = box.start(['run', spec], { env: { DOCKER_HOST: daemon.host } })
      await until(() => existsSync(box.path('begun')))
      daemon.close()
      await runner.saw('is tried again once no container of it runs')
      runner.signal('SIGINT')
      const { stderr } = await runner.ended
      expect(stderr).toMatch(/^⚠ sleeper: left behind: (perhaps a )?container/m)
      expect(running()).toHaveLength(1)
      docker.docker('kill', ...running())
    })

    it('leaves a container running whose client somebody else has killed', async () => {
      using box = sandbox()
      const words = dockerRun(docker.image, 'sh', '-c', 'echo begun; sleep 1000')
      const job = box.start(['run', '--', ...words], asClient())
      await job.saw('begun')
      process.kill(clientOf(job.pid), 'SIGKILL')
      await job.ended
      expect(running()).toHaveLength(1)
      docker.docker('kill', ...running())
      const [record] = await box.history()
      expect(record).toMatchObject({ status: 'failed', signal: 'SIGKILL' })
      expect(record?.stragglers[0]?.command).toMatch(/^container \w+ of jobmeter-test/)
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
      await leaveBehind(box, 'test -e again || { echo begun > begun; sleep 1000; }')
      expect(running()).toHaveLength(1)
      writeFileSync(box.path('again'), '')
      const resumed = await box.jobmeter(['run', '--resume', '1', '--quiet'], asClient())
      expect(resumed.code).toBe(0)
      expect(running()).toEqual([])
    })

    it.each([
      ['run', '--resume'],
      ['workflows', 'cancel'],
    ])('ends them as well if the daemon could not be asked before (%s %s)', async (...command) => {
      using box = sandbox()
      // Else it would be ended by its processes, which its daemon notices a moment later.
      await leaveBehind(box, `test -e again || ${nameless}`)
      writeFileSync(box.path('again'), '')
      const away = { env: { DOCKER_HOST: `unix://${box.path('nobody')}` } }
      const inVain = await box.jobmeter([...command, '1'], away)
      expect(inVain.stderr).toContain('cannot tell whether an earlier run left containers running')
      expect(inVain.stderr).toContain('have the label jobmeter.task')
      expect(inVain.code).not.toBe(0)
      expect(running()).toHaveLength(1)
      const again = await box.jobmeter([...command, '1'], asClient())
      expect(again.stderr).toContain('killed containers that an earlier run left behind')
      expect(again.code).toBe(0)
      expect(running()).toEqual([])
    })

    it('measures a docker run that is the command of a job, and ends it with the job', async () => {
      using box = sandbox()
      const words = dockerRun(docker.image, 'sh', '-c')
      const job = (name: string, line: string): string =>
        `  - name: ${name}\n    command: >-\n      ${line}\n`
      const spec = box.path('flow.yaml')
      const burning = `${words.join(' ')} 'contained 500 20 1 /tmp/written; true'`
      writeFileSync(spec, `name: plain\njobs:\n${job('burner', burning)}`)
      const ended = await box.jobmeter(['run', spec], asClient())
      expect(ended.code, ended.stderr).toBe(0)
      expect(ended.stderr).not.toContain('docker run')
      const [record] = await box.history()
      expect(record?.basis['cpu_total_seconds']).toContain('of docker container')
      const begun = `${dockerRun('-v', `${box.path('.')}:/data`).join(' ')} ${docker.image} sh -c`
      const sleeper = `${begun} 'echo begun >> /data/begun; sleep 1000'`
      writeFileSync(spec, `name: plain\njobs:\n${job('sleeper', sleeper)}`)
      const runner = box.start(['run', spec, '--grace', '0.2s'], asClient())
      await until(() => existsSync(box.path('begun')))
      runner.signal('SIGINT')
      await runner.ended
      expect(running()).toEqual([])
    })

    it('ends the container of a docker run in a workflow before it runs the job again', async () => {
      using box = sandbox()
      const words = dockerRun('-v', `${box.path('.')}:/data`, docker.image, 'sh', '-c').join(' ')
      const line = `${words} 'echo begun >> /data/begun; test -e /data/again || sleep 1000'`
      await killRunner(box, `command: >-\n      ${line}`)
      const [left = ''] = running()
      writeFileSync(box.path('again'), '')
      const resumed = await box.jobmeter(['run', '--resume', '1'], asClient())
      expect(resumed.stderr).toContain(`killed containers that an earlier run left behind: ${left}`)
      expect(resumed.code).toBe(0)
      expect(running()).toEqual([])
    })

    it('says so where a script in a workflow starts a container, at the end and before resuming', async () => {
      using box = sandbox()
      const words = dockerRun('--name', 'hidden', '-v', `${box.path('.')}:/data`, docker.image)
      const line = `${words.join(' ')} sh -c 'echo > /data/begun; test -e /data/again || sleep 1000'; true`
      await killRunner(box, `command: >-\n      ${line}`)
      docker.docker('kill', 'hidden')
      await until(() => running().length === 0)
      writeFileSync(box.path('again'), '')
      const resumed = await box.jobmeter(['run', '--resume', '1'], asClient())
      expect(resumed.stderr).toContain('a script of job sleeper starts "docker run"')
      expect(resumed.stderr).toContain('neither measured nor ended with its job')
    })

    it('ends a container that a killed runner left behind, though nothing in it names the job', async () => {
      using box = sandbox()
      await leaveBehind(box, `test -e again || ${nameless}`)
      const [left = ''] = running()
      writeFileSync(box.path('again'), '')
      const resumed = await box.jobmeter(['run', '--resume', '1'], asClient())
      expect(resumed.stderr).toContain(`killed containers that an earlier run left behind: ${left}`)
      expect(resumed.code).toBe(0)
      expect(running()).toEqual([])
    })

    it('leaves a container alone whose image was made of one of the job, with its labels and variables', async () => {
      using box = sandbox()
      await leaveBehind(box, `test -e again || ${nameless}`)
      const [left = ''] = running()
      docker.docker('commit', left, 'made-of-it')
      const stranger = docker.docker('run', '-d', '--network=none', 'made-of-it', 'sleep', '1000')
      writeFileSync(box.path('again'), '')
      const resumed = await box.jobmeter(['run', '--resume', '1'], asClient())
      expect(resumed.stderr).toContain(`killed containers that an earlier run left behind: ${left}`)
      expect(running()).toEqual([stranger.slice(0, 12)])
      docker.docker('rm', '-f', stranger)
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
      expect(cancelled.stderr).toContain('killed containers that an earlier run left behind')
      expect(running()).toEqual([])
    })

    it('says so where nobody can tell whether containers were left running', async () => {
      using box = sandbox()
      await leaveBehind(box, nameless)
      const nobody = { env: { DOCKER_HOST: `unix://${box.path('nobody')}` } }
      const resumed = await box.jobmeter(['run', '--resume', '1'], nobody)
      expect(resumed.stderr).toContain('cannot tell whether an earlier run left containers')
      docker.docker('kill', ...running())
    })
  },
)
