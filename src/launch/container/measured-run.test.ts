import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { MadeMachine } from '../../../test/fuzz/made-machine.ts'
import { Meter } from '../../meter/meter.ts'
import { EngineApi, type ContainerKey } from '../../sensors/container/engine-api.ts'
import type { Engine } from '../../sensors/container/engine-place.ts'
import { parseInspected } from '../../sensors/container/inspected.ts'
import { fakeSystem } from '../../system/fake.ts'
import type { ContainerFollowing } from './container-following.ts'
import { unknownLeft } from './left-container.ts'
import { MeasuredRun } from './measured-run.ts'

const id = 'a1'.repeat(32)

/** A daemon whose answers are given by the test. */
async function scriptedDaemon(engine: Engine = 'docker') {
  const directory = mkdtempSync(join(tmpdir(), 'jm-run-'))
  const streams: ServerResponse[] = []
  const asked: ServerResponse[] = []
  const server = createServer(({ url = '' }, answer) => {
    if (!url.startsWith('/events')) asked.push(answer)
    else {
      answer.flushHeaders()
      streams.push(answer)
    }
  }).listen(join(directory, 's'))
  await once(server, 'listening')
  const nextOf = async (list: ServerResponse[]): Promise<ServerResponse> => {
    await vi.waitUntil(() => list.length > 0)
    return list.shift() as ServerResponse
  }
  return {
    api: new EngineApi(engine, join(directory, 's')),
    stream: () => nextOf(streams),
    /** Waits until a stream is asked for. */
    peek: () => vi.waitUntil(() => streams.length > 0),
    question: () => nextOf(asked),
    leave: () => {
      server.closeAllConnections()
      server.close()
    },
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
      rmSync(directory, { recursive: true })
    },
  }
}

const event = (action: string): string =>
  `${JSON.stringify({ Type: 'container', Action: action, Actor: { ID: id, Attributes: { name: 'db', l: '1' } } })}\n`

const description = (isRunning: boolean, startedAt: string, pid = 0): object => ({
  Id: id,
  Name: '/db',
  State: { Running: isRunning, StartedAt: startedAt, Pid: pid, ExitCode: isRunning ? 0 : 3 },
})
const described = (...about: Parameters<typeof description>): string =>
  JSON.stringify(description(...about))

function absent(answer: ServerResponse): void {
  answer.statusCode = 404
  answer.end('{"message":"No such container"}')
}

function begin(
  apis: readonly EngineApi[],
  key: ContainerKey,
  following: Partial<ContainerFollowing> = {},
  system = fakeSystem(),
) {
  const state = { hasDied: false }
  const run = new MeasuredRun({ system, meter: new Meter(system) }, apis, key, {
    // Known, not looked at: what is tested is what daemons tell.
    intervalSeconds: null,
    startedAt: system.clock.monotonicSeconds(),
    recordedStart: system.clock.wallSeconds(),
    origin: 'found',
    onSamples: () => {},
    onDevices: () => {},
    ...following,
  })
  void run.died.then(() => (state.hasDied = true))
  const startedAt = new Date(system.clock.wallSeconds() * 1000).toISOString()
  return { system, run, state, startedAt }
}

describe('a container whose daemon loses its events', () => {
  it('is followed all the same where that happens while it is first asked for', async () => {
    using daemon = await scriptedDaemon()
    const { system, run, state, startedAt } = begin([daemon.api], { label: 'l=1' })
    const stream = await daemon.stream()
    stream.write(event('start'))
    const question = await daemon.question()
    stream.destroy()
    // What the loss of the stream does comes before the answer.
    await new Promise<void>((resolve) => stream.on('close', () => setImmediate(resolve)))
    question.end(described(true, startedAt))
    await vi.waitUntil(() => run.inspected !== undefined)
    await run.answered
    expect(state.hasDied).toBe(false)
    system.advance(1)
    const later = await daemon.question()
    later.end(described(false, startedAt))
    await run.died
    expect(run.isRunning).toBe(false)
    run.close()
  })

  it('is heard of by a new stream if the first is lost before its start', async () => {
    using daemon = await scriptedDaemon()
    const { system, run, state, startedAt } = begin([daemon.api], { label: 'l=1' })
    for (let lost = 0; lost < 3; lost += 1) {
      const stream = await daemon.stream()
      system.advance(lost === 0 ? 5 : 0)
      stream.destroy()
      const passing = setInterval(() => system.advance(1), 5)
      try {
        await daemon.peek()
      } finally {
        clearInterval(passing)
      }
    }
    const stream = await daemon.stream()
    expect(state.hasDied).toBe(false)
    stream.write(event('start'))
    const question = await daemon.question()
    question.end(described(true, startedAt))
    await vi.waitUntil(() => run.inspected !== undefined)
    expect([run.hearsEvents, state.hasDied]).toEqual([true, false])
    run.close()
  })

  it('is given up if no new stream can be had', async () => {
    const daemon = await scriptedDaemon()
    const { system, run, state } = begin([daemon.api], { label: 'l=1' })
    await daemon.stream()
    system.advance(5)
    daemon[Symbol.dispose]()
    await vi.waitUntil(() => {
      system.advance(1)
      return state.hasDied
    })
    expect(run.why).toContain('could not be asked for events')
    run.close()
  })

  it('is asked for again where that question was lost too', async () => {
    using daemon = await scriptedDaemon()
    const { system, run, state, startedAt } = begin([daemon.api], { label: 'l=1' })
    const stream = await daemon.stream()
    stream.write(event('start'))
    const question = await daemon.question()
    stream.destroy()
    question.destroy()
    await vi.waitUntil(() => run.silence !== null)
    await run.answered
    expect(state.hasDied).toBe(false)
    system.advance(1)
    const again = await daemon.question()
    again.end(described(true, startedAt))
    await vi.waitUntil(() => run.inspected !== undefined)
    expect([run.silence, state.hasDied]).toEqual([null, false])
    run.close()
  })
})

/** A machine with the main process of the container, in a cgroup that is named after it. */
function machineOfContainer() {
  const machine = new MadeMachine()
  const main = machine.start()
  const { tree } = machine.system
  tree.set('/proc/self/mountinfo', '30 1 0:26 / /cg rw - cgroup2 cgroup2 rw\n')
  tree.set(`/proc/${main.pid}/cgroup`, `0::/docker/${id}\n`)
  tree.set(`/cg/docker/${id}/cgroup.procs`, `${main.pid}\n`)
  return { machine, main }
}

describe('a container whose daemon has gone away', () => {
  /** Found, then left alone by its daemon, which was asked more often than it is asked in vain. */
  async function leftAlone(machine: MadeMachine, pid: number) {
    using daemon = await scriptedDaemon()
    const asked = vi.spyOn(daemon.api, 'inspect')
    const { run, state, startedAt } = begin(
      [daemon.api],
      { label: 'l=1' },
      { intervalSeconds: 1 },
      machine.system,
    )
    const stream = await daemon.stream()
    stream.write(event('start'))
    const question = await daemon.question()
    question.end(described(true, startedAt, pid))
    await vi.waitUntil(() => run.inspected !== undefined)
    daemon.leave()
    const advancing = setInterval(() => machine.system.advance(1), 5)
    const end = (): void => {
      clearInterval(advancing)
      run.close()
    }
    const isEnough = (): boolean => asked.mock.calls.length > 8 || state.hasDied
    await vi.waitUntil(isEnough, { timeout: 10_000 })
    return { run, state, [Symbol.dispose]: end }
  }

  it('is followed as long as its main process is seen here', async () => {
    const { machine, main } = machineOfContainer()
    using left = await leftAlone(machine, main.pid)
    expect(left.state.hasDied).toBe(false)
    machine.exit(main)
    await left.run.died
    expect(left.run.isRunning).toBe(false)
  })

  it('is given up where only the daemon could tell of it', async () => {
    using left = await leftAlone(new MadeMachine(), 100)
    expect([left.state.hasDied, left.run.isRunning]).toEqual([true, true])
  })
})

describe('a container that was known before it was followed', () => {
  async function known() {
    const daemon = await scriptedDaemon()
    const inspected = parseInspected(description(true, '2026-01-01T00:00:00Z', 100))
    if (inspected === undefined) throw new Error('no container')
    const begun = begin(
      [daemon.api],
      { name: id },
      { origin: 'running', known: inspected, intervalSeconds: null },
    )
    await daemon.stream()
    await begun.run.answered
    begun.system.advance(1)
    const end = (): void => {
      begun.run.close()
      daemon[Symbol.dispose]()
    }
    return { ...begun, question: await daemon.question(), [Symbol.dispose]: end }
  }

  it('has ended where that happened before anybody listened', async () => {
    using over = await known()
    over.question.end(described(false, '2026-01-01T00:00:00Z'))
    await over.run.died
    expect([over.run.isRunning, over.run.end?.exitCode]).toEqual([false, 3])
    using removed = await known()
    absent(removed.question)
    await removed.run.died
    expect(removed.run.isRunning).toBe(false)
  })

  it('is followed where it runs', async () => {
    using running = await known()
    running.question.end(described(true, '2026-01-01T00:00:00Z', 100))
    await vi.waitUntil(() => running.question.writableFinished)
    expect([running.state.hasDied, running.run.isRunning]).toEqual([false, true])
  })
})

describe('what a container does just now', () => {
  const stats = (cpuSeconds: number): string =>
    `${JSON.stringify({ cpu_stats: { cpu_usage: { total_usage: cpuSeconds * 1e9 } }, memory_stats: { usage: 4096 } })}\n`

  /** One of which its daemon has told twice. */
  async function told() {
    const daemon = await scriptedDaemon()
    const { system } = new MadeMachine()
    const begun = begin([daemon.api], { label: 'l=1' }, { intervalSeconds: 1 }, system)
    const { run, startedAt } = begun
    const stream = await daemon.stream()
    stream.write(event('start'))
    const question = await daemon.question()
    question.end(described(true, startedAt, 100))
    const statistics = await daemon.question()
    for (const seconds of [0.5, 1]) {
      const samples = run.seenBy?.samplesTaken ?? 0
      system.advance(1)
      statistics.write(stats(seconds))
      await vi.waitUntil(() => (run.seenBy?.samplesTaken ?? 0) > samples)
    }
    const end = (): void => {
      run.close()
      daemon[Symbol.dispose]()
    }
    return { run, daemon, stream, statistics, startedAt, [Symbol.dispose]: end }
  }

  it('is not known any more once its daemon stops telling', async () => {
    using container = await told()
    const { run } = container
    expect(run.lately).toMatchObject({ value: { cpuPercent: 50, memoryBytes: 4096 } })
    container.statistics.destroy()
    await vi.waitUntil(() => run.lately.kind !== 'ok')
    expect(run.lately).toMatchObject({ why: 'its daemon no longer tells what it does' })
  })

  it('is nothing once it has ended', async () => {
    using container = await told()
    container.stream.write(event('die'))
    const last = await container.daemon.question()
    last.end(described(false, container.startedAt))
    await container.run.died
    expect(container.run.lately).toMatchObject({ why: 'the container has ended' })
  })
})

describe('a container that restarts after the events were lost', () => {
  const firstPid = 100
  const after = (startedAt: string, seconds: number): string =>
    new Date(Date.parse(startedAt) + seconds * 1000).toISOString()

  /** Found, with its events lost; then its daemon is asked again, and answers so. */
  async function thenTold(answer: (startedAt: string) => string) {
    const daemon = await scriptedDaemon()
    const { system, run, state, startedAt } = begin([daemon.api], { label: 'l=1' })
    const stream = await daemon.stream()
    stream.write(event('start'))
    const question = await daemon.question()
    question.end(described(true, startedAt, firstPid))
    await vi.waitUntil(() => run.inspected !== undefined)
    stream.destroy()
    await new Promise<void>((resolve) => stream.on('close', () => setImmediate(resolve)))
    const end = (): void => {
      run.close()
      daemon[Symbol.dispose]()
    }
    const tell = async (): Promise<void> => {
      const asked = await daemon.question()
      asked.end(answer(startedAt))
    }
    return { system, run, state, tell, [Symbol.dispose]: end }
  }

  /** Advances until the daemon is asked, and once more: the first answer has been heard then. */
  async function inquired(told: Awaited<ReturnType<typeof thenTold>>): Promise<void> {
    for (let times = 0; times < 2; times++) {
      await told.run.answered
      const asked = told.tell()
      const advancing = setInterval(() => told.system.advance(1), 5)
      await asked
      clearInterval(advancing)
    }
  }

  it.each([
    ['main process', (startedAt: string) => described(true, startedAt, 200)],
    ['start', (startedAt: string) => described(true, after(startedAt, 5), firstPid)],
  ])('is seen by another %s', async (_, answer) => {
    using told = await thenTold(answer)
    await inquired(told)
    expect([told.run.hasRestarted, told.run.isRunning]).toEqual([true, true])
  })

  it('is seen by its start though it has ended again', async () => {
    using told = await thenTold((startedAt) => described(false, after(startedAt, 5)))
    const settled = told.run.settle(false)
    await told.tell()
    await settled
    expect([told.run.hasRestarted, told.run.isRunning]).toEqual([true, false])
  })

  it('is not supposed of one that runs on, or whose start the daemon no longer tells', async () => {
    using same = await thenTold((startedAt) => described(true, startedAt, firstPid))
    await inquired(same)
    expect([same.run.hasRestarted, same.state.hasDied]).toEqual([false, false])
    using odd = await thenTold(() => described(true, 'odd', firstPid))
    await inquired(odd)
    expect(odd.run.hasRestarted).toBe(false)
    using ended = await thenTold((startedAt) => described(false, startedAt))
    const settled = ended.run.settle(false)
    await ended.tell()
    await settled
    expect([ended.run.hasRestarted, ended.run.isRunning]).toEqual([false, false])
  })
})

describe('a container of which a daemon told nothing but its start', () => {
  it('is shown as left behind, perhaps', async () => {
    using daemon = await scriptedDaemon()
    const { run } = begin([daemon.api], { label: 'l=1' })
    const stream = await daemon.stream()
    stream.write(event('start'))
    await daemon.question()
    run.giveUp()
    await run.answered
    const client = { wasEnded: false, wasKilled: false, policy: 'leave' } as const
    const left = await unknownLeft(run, client, 'l=1')
    expect(left?.stragglers.map(({ command }) => command)).toEqual([
      'perhaps a container with the label l=1; its daemon does not answer (nobody waited for an answer any longer)',
    ])
    run.close()
  })
})

describe('a container of whose start nothing was heard when its daemon went away', () => {
  const byItself = { wasEnded: false, wasKilled: false, policy: 'kill' } as const

  it('is shown as left behind, perhaps', async () => {
    using daemon = await scriptedDaemon()
    const { run } = begin([daemon.api], { label: 'l=1' })
    await daemon.stream()
    await vi.waitUntil(() => run.wasThere)
    daemon.leave()
    await run.answered
    const left = await unknownLeft(run, byItself, 'l=1')
    expect(left?.stragglers[0]?.command).toMatch(
      /^perhaps a container with the label l=1; its daemon does not answer \(connect E/,
    )
    run.close()
  })

  it('is none of a daemon that never was there', async () => {
    const nobody = new EngineApi('docker', join(tmpdir(), 'jobmeter-no-daemon'))
    const { run } = begin([nobody], { label: 'l=1' })
    await run.answered
    expect((await unknownLeft(run, byItself, 'l=1'))?.stragglers).toEqual([])
    run.close()
  })
})

describe('a container that is named, whose daemon does not answer at first', () => {
  it('is asked for again', async () => {
    using daemon = await scriptedDaemon()
    const { system, run, startedAt } = begin([daemon.api], { name: 'db' })
    await daemon.stream()
    const lost = await daemon.question()
    lost.destroy()
    await run.answered
    system.advance(1)
    const again = await daemon.question()
    again.end(described(true, startedAt))
    await vi.waitUntil(() => run.inspected !== undefined)
    expect(run.isRunning).toBe(true)
    run.close()
  })
})

describe('a container that is named, of one engine while another one hangs', () => {
  it('is found at once', async () => {
    using docker = await scriptedDaemon('docker')
    using podman = await scriptedDaemon('podman')
    const { run, startedAt } = begin([docker.api, podman.api], { name: 'db' })
    const hanging = await docker.question()
    const question = await podman.question()
    question.end(described(true, startedAt))
    await run.answered
    expect([run.engine, run.inspected?.name]).toEqual(['podman', 'db'])
    expect(hanging.writableEnded).toBe(false)
    run.close()
  })

  it('is found as soon as it starts', async () => {
    using docker = await scriptedDaemon('docker')
    using podman = await scriptedDaemon('podman')
    const { run, state, startedAt } = begin([docker.api, podman.api], { name: 'db' })
    const stream = await podman.stream()
    absent(await podman.question())
    stream.write(event('start'))
    const question = await podman.question()
    question.end(described(true, startedAt))
    await vi.waitUntil(() => run.inspected !== undefined)
    stream.write(event('die'))
    const last = await podman.question()
    last.end(described(false, startedAt))
    await run.died
    expect([run.engine, state.hasDied]).toEqual(['podman', true])
    run.close()
  })

  it('is still waited for where the other one tells of no events any more', async () => {
    using docker = await scriptedDaemon('docker')
    using podman = await scriptedDaemon('podman')
    const { run, state, startedAt } = begin([docker.api, podman.api], { name: 'db' })
    const streams = [await docker.stream(), await podman.stream()]
    const question = await podman.question()
    const unknown = await docker.question()
    const closed = [...streams, unknown].map((answer) => once(answer, 'close'))
    for (const stream of streams) stream.destroy()
    absent(unknown)
    await Promise.all(closed)
    await new Promise<void>((resolve) => setImmediate(resolve))
    expect(state.hasDied).toBe(false)
    question.end(described(true, startedAt))
    await vi.waitUntil(() => run.inspected !== undefined)
    await run.answered
    expect(state.hasDied).toBe(false)
    run.close()
  })
})

describe('why a container was not measured', () => {
  const nobody = new EngineApi('podman', join(tmpdir(), 'jobmeter-no-daemon'))

  it('is not the trouble of another engine than its own', async () => {
    using daemon = await scriptedDaemon()
    const { run } = begin([daemon.api, nobody], { name: 'db' })
    const stream = await daemon.stream()
    absent(await daemon.question())
    stream.write(event('start'))
    absent(await daemon.question())
    await vi.waitUntil(() => run.wasStarted)
    await run.answered
    expect(run.why).toBe('it had ended before it could be measured')
    run.close()
  })

  it('names the engine that could not be asked, beside one that does not know it', async () => {
    using daemon = await scriptedDaemon()
    const { run } = begin([daemon.api, nobody], { name: 'db' })
    await daemon.stream()
    absent(await daemon.question())
    await run.answered
    expect(run.why).toMatch(/^there was no container db; podman could not be asked \(connect E/)
    run.close()
  })
})
