import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Meter } from '../../meter/meter.ts'
import type { OutcomeStatus } from '../../model/outcome.ts'
import { emptyUsage } from '../../model/usage.ts'
import { fakeSystem, type FakeSystem } from '../../system/fake.ts'
import type { LaunchResult, StragglerPolicy } from '../request.ts'
import type { ContainerFollowing } from './container-following.ts'
import { ContainerJob } from './container-job.ts'

const id = 'a1'.repeat(32)

/**
 * A daemon that tells of no events. It knows one container of the job, which runs, though it was listed as made a moment ago;
 * and it may refuse to kill it.
 */
async function daemonWithoutEvents({ kills }: { readonly kills: boolean }) {
  const directory = mkdtempSync(join(tmpdir(), 'jm-job-'))
  const socket = join(directory, 's')
  const done: string[] = []
  let isRunning = true
  const server = createServer(({ method = '', url = '' }, answer) => {
    if (url.startsWith('/events')) answer.destroy()
    else if (url.startsWith('/containers/json')) {
      const State = url.includes('created') ? 'created' : isRunning ? 'running' : 'exited'
      answer.end(JSON.stringify([{ Id: id, State, Labels: { 'jobmeter.task.abc': 'measured' } }]))
    } else if (method === 'GET')
      answer.end(JSON.stringify({ Id: id, Name: '/db', State: { Running: isRunning } }))
    else {
      done.push(method)
      const isKill = method === 'POST' && kills
      if (isKill) isRunning = false
      answer.statusCode = isKill ? 204 : 409
      answer.end()
    }
  }).listen(socket)
  await once(server, 'listening')
  return {
    socket,
    done,
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
      rmSync(directory, { recursive: true })
    },
  }
}

const followingFrom = (
  { clock }: FakeSystem,
  origin: ContainerFollowing['origin'],
): ContainerFollowing => ({
  intervalSeconds: null,
  startedAt: clock.monotonicSeconds(),
  recordedStart: clock.wallSeconds(),
  origin,
  onSamples: () => {},
  onDevices: () => {},
})

const clientThat = (status: OutcomeStatus): LaunchResult => ({
  durationSeconds: 1,
  outcome: { status, exitCode: null, signal: null, reason: null, stragglers: [] },
  usage: emptyUsage('not of interest'),
  samples: { collected: 0, intervalSeconds: 1, late: 0, ownCpuSeconds: 0 },
  outline: [],
})

/** How a job ended of whose container no event was heard, and what its daemon was told to do. */
async function concluded(
  status: OutcomeStatus,
  policy: StragglerPolicy,
  { kills = true }: { readonly kills?: boolean } = {},
) {
  using daemon = await daemonWithoutEvents({ kills })
  const system = fakeSystem({ files: { [daemon.socket]: '' } })
  const job = ContainerJob.of(
    { system, meter: new Meter(system) },
    {
      taskId: 'abc',
      command: ['docker', 'run', 'image'],
      environment: { DOCKER_HOST: `unix://${daemon.socket}` },
      memoryLimitBytes: null,
      inContainerOf: null,
    },
  )
  job?.begin(followingFrom(system, 'found'))
  const result = await job?.conclude(clientThat(status), policy)
  return {
    left: result?.outcome.stragglers.map(({ command }) => command),
    reason: result?.outcome.reason,
    done: daemon.done,
  }
}

describe('a container of whose start nothing was heard', () => {
  it.each(['timeout', 'cancelled'] as const)('is ended with its job (%s)', async (status) => {
    // It was started just before it could be removed.
    expect(await concluded(status, 'leave')).toEqual({
      left: [],
      reason: null,
      done: ['POST'],
    })
  })

  it('is shown as left behind where it cannot be ended', async () => {
    const { left } = await concluded('timeout', 'leave', { kills: false })
    expect(left).toEqual([expect.stringMatching(/^container db of .*which could not be ended/)])
  })

  it('is shown as left behind by a client that has only ended', async () => {
    const { left, done } = await concluded('success', 'leave')
    expect([left, done]).toEqual([[expect.stringMatching(/^container db of/)], []])
  })

  it('is ended where what is left is to be', async () => {
    expect(await concluded('success', 'kill')).toEqual({
      left: [],
      reason: expect.stringContaining('db'),
      done: ['POST'],
    })
  })
})

describe('a container that its client could not start', () => {
  const reasonOf = async (
    engine: string,
    exitCode: number,
    inContainerOf: string | null = null,
  ) => {
    const system = fakeSystem({})
    const job = ContainerJob.of(
      { system, meter: new Meter(system) },
      {
        taskId: 'abc',
        command: [engine, 'run', 'image'],
        environment: {},
        memoryLimitBytes: null,
        inContainerOf,
      },
    )
    job?.begin(followingFrom(system, 'found'))
    const client = clientThat('failed')
    const outcome = { ...client.outcome, exitCode }
    return (await job?.conclude({ ...client, outcome }, 'leave'))?.outcome.reason
  }

  it.each(['docker', 'podman'])('is told as such where no %s can be asked', async (engine) => {
    expect(await reasonOf(engine, 125)).toBe(
      `${engine} could not start the container; its own message says why`,
    )
  })

  it('may have run if the code may be that of its program, or if the container is another', async () => {
    expect(await reasonOf('docker', 127)).toBeNull()
    expect(await reasonOf('docker', 125, 'db')).toBeNull()
  })
})

describe('a container that is named', () => {
  it('is followed as soon as the command has started, if it ran before', async () => {
    using daemon = await daemonWithoutEvents({ kills: true })
    const system = fakeSystem({ files: { [daemon.socket]: '' } })
    const job = ContainerJob.of(
      { system, meter: new Meter(system) },
      {
        taskId: 'abc',
        command: ['docker', 'exec', 'db', 'true'],
        environment: { DOCKER_HOST: `unix://${daemon.socket}` },
        memoryLimitBytes: null,
        inContainerOf: 'db',
      },
    )
    await job?.find()
    job?.begin(followingFrom(system, 'either'))
    await Promise.resolve()
    // No further answer of its daemon was waited for.
    expect(job?.unfound).toBeNull()
    await job?.conclude(clientThat('success'), 'leave')
  })
})
