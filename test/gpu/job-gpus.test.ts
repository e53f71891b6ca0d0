import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LaunchResult } from '../../src/launch/request.ts'
import { Meter } from '../../src/meter/meter.ts'
import { cardsOf } from '../../src/model/gpu-usage.ts'
import type { Measured } from '../../src/model/measured.ts'
import type { DeviceRows } from '../../src/model/series.ts'
import { ok } from '../../src/model/reading.ts'
import { realSystem } from '../../src/system/real.ts'
import type { System } from '../../src/system/system.ts'
import { launcherOn, runJob } from '../contracts/launch.ts'
import { follow } from '../fuzz/follow.ts'
import { MadeMachine } from '../fuzz/made-machine.ts'
import { card, gpm, processOn, setState, standIn, standInMissing } from '../nvml/stand-in.ts'

const real = realSystem({ ownsProcess: false })

/** Answers of the driver are waited for however busy the machine is: how long they take is tested elsewhere. */
const withCards: System = {
  ...real,
  async startHelper(program) {
    const line = await real.startHelper(program)
    if (line.kind !== 'ok') return line
    const { value } = line
    return ok({
      send: (request) => value.send(request),
      receive: (waitSeconds) => value.receive(waitSeconds > 0 ? 20 : 0),
      close: () => value.close(),
      kill: () => value.kill(),
    })
  },
}

let folder = ''
let state = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-gpu-'))
  state = join(folder, 'state')
  process.env['JOBMETER_NVML'] = standIn
  process.env['JOBMETER_NVML_STATE'] = state
})
afterEach(() => {
  delete process.env['JOBMETER_NVML']
  delete process.env['JOBMETER_NVML_STATE']
  rmSync(folder, { recursive: true })
})

type Row = Readonly<Record<string, number>>

interface Watched {
  readonly pid: number
  readonly rows: readonly (Row & { readonly id: string })[]
}

interface Job {
  readonly result: Promise<LaunchResult>
  /** Resolves when a row of a card is as wanted; what was seen then goes on. */
  seen(isWanted: (watched: Watched) => boolean): Promise<void>
  readonly started: Promise<number>
  end(): void
}

/** A job that does nothing until it is told to end. */
function startJob(
  launcher: ReturnType<typeof launcherOn>,
  name: string,
  environment: Record<string, string> = {},
): Job {
  const done = join(folder, name)
  const rows: (Row & { id: string })[] = []
  const waiting: (() => void)[] = []
  const started = Promise.withResolvers<number>()
  let pid = 0
  const take = ({ id, columns, rows: all, count }: DeviceRows): void => {
    for (let row = 0; row < count; row++) {
      const values = columns.map((column, at) => [column, all[row * columns.length + at] ?? NaN])
      rows.push({ ...(Object.fromEntries(values) as Row), id } as Row & { id: string })
    }
  }
  const result = runJob(launcher, ['sh', '-c', 'until [ -e "$0" ]; do sleep 0.02; done', done], {
    intervalSeconds: 0.25,
    timeoutSeconds: 30,
    environment: { ...process.env, ...environment },
    onStarted: (trace) => {
      pid = trace.pid
      started.resolve(trace.pid)
    },
    onDevices(devices) {
      devices.forEach(take)
      for (const check of waiting) check()
    },
  })
  return {
    result,
    started: started.promise,
    seen: (isWanted) =>
      new Promise((resolve) => {
        waiting.push(() => {
          if (isWanted({ pid, rows })) resolve()
        })
      }),
    end: () => writeFileSync(done, ''),
  }
}

const figureOf = ({ usage }: LaunchResult, key: string): Measured | undefined =>
  (usage as Readonly<Record<string, Measured | undefined>>)[key]
const valueOf = (result: LaunchResult, key: string) => figureOf(result, key)?.value

const working = { util: 80, memutil: 20, power: 600_000, temp: 61, clock: 1980, throttle: 4 }

describe.skipIf(standInMissing)('the cards of a job', () => {
  it('are those of its environment, with what it did on each', async () => {
    // Of its power before the first look nothing is known but what it was then: none, so that energy is the counter's alone.
    const worked = { ...working, power: 0 }
    setState(state, [card(0, { power: 0 }), card(1), card(2, { util: 55 })])
    const launcher = launcherOn(withCards)
    const job = startJob(launcher, 'a', { CUDA_VISIBLE_DEVICES: 'GPU-1000,GPU-0000' })
    const pid = await job.started
    const own = processOn(0, { pid, memory: 3_000_000, sm: 70 })
    const units = gpm(0, { 2: 95.6, 3: 14.1, 5: 92.7, 10: 16.1, 20: 1, 21: 1 })
    setState(state, [card(0, worked), card(1), card(2, { util: 55 }), own, units])
    await job.seen(({ rows }) => rows.some((row) => (row['tensor_percent'] ?? 0) > 90))
    setState(state, [card(0, { ...worked, energy: 1_234_000 }), card(1), card(2), own, units])
    job.end()
    const result = await job.result
    launcher.meter.close()
    expect(valueOf(result, 'gpuCards')).toBe(2)
    expect(valueOf(result, 'gpuCardsUntouched')).toBe(1)
    expect(valueOf(result, 'gpuMemoryPeakBytes')).toBe(3_000_000)
    expect(valueOf(result, 'gpuUtilizationPercentPeak')).toBe(40)
    expect(valueOf(result, 'gpuTensorPercentMean')).toBeCloseTo(92.7)
    expect(valueOf(result, 'gpuPcieBytesPerSecondMean')).toBe(2 * 2 ** 20)
    expect(valueOf(result, 'gpu0EnergyJoules')).toBe(234)
    const held = valueOf(result, 'gpuHeldSeconds') ?? 0
    expect(held).toBeGreaterThan(1)
    expect(valueOf(result, 'gpuBusySeconds')).toBeCloseTo(0.8 * held, 1)
    expect(valueOf(result, 'gpuPowerThrottledSeconds')).toBeCloseTo(held, 1)
    expect(figureOf(result, 'gpu2UtilizationPercentMean')).toBeUndefined()
    expect(cardsOf(result.usage).map(({ index, id, name }) => [index, id, name])).toEqual([
      [0, 'GPU-0000', 'NVIDIA H200'],
      [1, 'GPU-1000', 'NVIDIA H200'],
    ])
  })

  it('are told apart where two jobs share one', async () => {
    setState(state, [card(0)])
    const launcher = launcherOn(withCards)
    const [one, other] = [startJob(launcher, 'a'), startJob(launcher, 'b')]
    const pids = await Promise.all([one.started, other.started])
    setState(state, [
      card(0, { ...working, util: 90 }),
      processOn(0, { pid: pids[0], memory: 3_000_000, sm: 60 }),
      processOn(0, { pid: pids[1], memory: 5_000_000, sm: 20 }),
      processOn(0, { pid: 1, memory: 7_000_000, sm: 10 }),
    ])
    const isSeen = ({ rows }: Watched) =>
      rows.filter((row) => row['own_processes'] === 1).length > 3
    await Promise.all([one.seen(isSeen), other.seen(isSeen)])
    one.end()
    other.end()
    const results = await Promise.all([one.result, other.result])
    launcher.meter.close()
    expect(results.map((result) => valueOf(result, 'gpuMemoryPeakBytes'))).toEqual([
      3_000_000, 5_000_000,
    ])
    expect(results.map((result) => valueOf(result, 'gpuUtilizationPercentPeak'))).toEqual([60, 20])
    for (const result of results) {
      expect(valueOf(result, 'gpuCards')).toBe(1)
      // Before the first answer and after the last one it is presumed, which a machine that is slow makes a small part.
      const assumed = (valueOf(result, 'gpuSharedSeconds') ?? 0) < 2 ? '' : '?'
      const samples = '(, estimated from about \\d+ samples of the driver)?'
      expect(figureOf(result, 'gpuUtilizationPercentMean')).toMatchObject({
        basis: expect.stringMatching(
          `^NVML, the share of its processes${samples}( \\(for \\d\\.\\d s its share is assumed\\))${assumed}, mean over its duration$`,
        ),
      })
      expect(figureOf(result, 'gpuCardsUntouched')).toMatchObject({
        value: null,
        why: 'nothing in its environment says which cards are its own',
      })
    }
  })

  it('may fall away with their driver while it runs, and it goes on', async () => {
    setState(state, [card(0)])
    const launcher = launcherOn(withCards)
    const job = startJob(launcher, 'a')
    const pid = await job.started
    setState(state, [card(0, working), processOn(0, { pid, memory: 3_000_000, sm: 70 })])
    await job.seen(({ rows }) => rows.filter((row) => row['own_processes'] === 1).length > 2)
    setState(state, ['driver loaded=0'])
    job.end()
    const result = await job.result
    launcher.meter.close()
    expect(result.outcome.status).toBe('success')
    expect(figureOf(result, 'gpuMemoryPeakBytes')).toMatchObject({
      value: 3_000_000,
      basis: expect.stringMatching(
        /^at least: NVML, .*; card 0 could not be read after [\d.]+ s: the driver went away$/,
      ),
    })
  })

  it('may be in use by processes whose numbers are those of the host', async () => {
    setState(state, [card(0)])
    const inContainer: System = {
      ...withCards,
      files: {
        ...withCards.files,
        readLink: (path) =>
          path === '/proc/self/ns/pid'
            ? { kind: 'ok', value: 'pid:[4026532000]' }
            : withCards.files.readLink(path),
      },
    }
    const launcher = launcherOn(inContainer)
    const job = startJob(launcher, 'a')
    await job.started
    const beyondAnyPid = 2 ** 30
    setState(state, [
      card(0, working),
      processOn(0, { pid: beyondAnyPid, memory: 3_000_000, sm: 70 }),
    ])
    await job.seen(({ rows }) => rows.length > 3)
    job.end()
    const result = await job.result
    launcher.meter.close()
    expect(figureOf(result, 'gpuMemoryPeakBytes')).toMatchObject({
      value: null,
      why: expect.stringMatching(/^processes are listed by pids of the host/),
    })
    expect(valueOf(result, 'gpuUtilizationPercentPeak')).toBe(80)
    expect(valueOf(result, 'gpuCards')).toBe(1)
  })

  it('are none where it uses none, which is no 0 of anything', async () => {
    setState(state, [card(0, working)])
    const launcher = launcherOn(withCards)
    const job = startJob(launcher, 'a')
    await job.started
    // It has no rows to wait for: a second one, which has, was looked at as often.
    const other = startJob(launcher, 'b', { CUDA_VISIBLE_DEVICES: '0' })
    await other.seen(({ rows }) => rows.length > 2)
    job.end()
    other.end()
    const [result] = await Promise.all([job.result, other.result])
    launcher.meter.close()
    expect(valueOf(result, 'gpuCards')).toBe(0)
    expect(figureOf(result, 'gpuUtilizationPercentMean')).toBeUndefined()
  })
})

describe('a machine without a card', () => {
  it('says so, and is not asked again', () => {
    const machine = new MadeMachine()
    const asked: string[] = []
    const { files } = machine.system
    const list: typeof files.list = (path) => {
      asked.push(path)
      return files.list(path)
    }
    const system = { ...machine.system, files: { ...files, list } }
    const { usageNow } = follow(machine, { system })
    machine.system.advance(10)
    expect(figureIn(usageNow())).toEqual({
      value: null,
      why: 'no GPU: neither /dev/nvidiactl nor a card in /sys/class/drm is there',
    })
    expect(asked.filter((path) => path === '/sys/class/drm')).toHaveLength(1)
  })

  it('is not even asked for a job that is over at once', () => {
    const machine = new MadeMachine()
    const meter = new Meter(machine.system)
    meter.close()
    const { usageNow } = follow(machine)
    expect(figureIn(usageNow())).toBeUndefined()
  })
})

const figureIn = (usage: object): unknown =>
  (usage as Readonly<Record<string, unknown>>)['gpuUtilizationPercentMean']
