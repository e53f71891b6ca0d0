import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ok } from '../model/reading.ts'
import type { LiveOptions, LiveSample } from '../profile/live-meter.ts'
import type { EpochRow } from './epoch-csv.ts'
import {
  ResourceMonitorCallback,
  type CallbackParts,
  type ResourceMonitorOptions,
} from './resource-monitor-callback.ts'

/** A callback whose machine and clock are the test's own. */
function staged(options: ResourceMonitorOptions, given: Partial<CallbackParts> = {}) {
  const stage = {
    seconds: 100,
    metrics: { memory_percent: 20 } as Record<string, number>,
    unavailable: {} as Record<string, string>,
    started: [] as LiveOptions[],
    looks: 0,
    stops: 0,
    printed: [] as string[],
    rows: [] as EpochRow[],
  }
  const startedAt = stage.seconds
  const sample = (): LiveSample => ({
    timestamp: 1000 + stage.seconds,
    elapsedSeconds: stage.seconds - startedAt,
    metrics: stage.metrics,
    unavailable: stage.unavailable,
    basis: {},
  })
  const parts: CallbackParts = {
    start(asked) {
      stage.started.push(asked)
      return {
        ready: () => Promise.resolve(),
        look: () => ((stage.looks += 1), sample()),
        stop: () => ((stage.stops += 1), undefined as never),
      }
    },
    monotonicSeconds: () => stage.seconds,
    print: (text) => void stage.printed.push(text),
    csv: (directory) => ({
      pathOf: (epoch) => `${directory}/epoch_${epoch}.csv`,
      write: (row) => (stage.rows.push(row), ok(true)),
    }),
    ...given,
  }
  return { stage, callback: new ResourceMonitorCallback(options, parts) }
}

describe('the callback in a loop', () => {
  it('logs at every tenth batch, the first among them', async () => {
    const { stage, callback } = staged({})
    await callback.onTrainStart()
    callback.onEpochStart(3)
    const logged = Array.from({ length: 25 }, (_, batch) => {
      stage.seconds += 0.06
      return callback.onBatchEnd(batch)
    })
    expect(logged.flatMap((one) => one?.batch ?? [])).toEqual([0, 10, 20])
    expect(stage.rows.map(({ epoch, step }) => [epoch, step])).toEqual([
      [3, 0],
      [3, 10],
      [3, 20],
    ])
    expect(stage.printed.map((text) => text.split('\n')[0])).toEqual([
      '[Resources] Batch 0:',
      '[Resources] Batch 10:',
      '[Resources] Batch 20:',
    ])
    expect(stage.looks).toBe(3)
    expect(callback.onEpochEnd(3)).toMatchObject({
      epoch: 3,
      batches: 25,
      timeseries: 'resource_logs/epoch_3.csv',
    })
    callback.onTrainEnd()
    expect(stage.stops).toBe(1)
  })

  it('does nothing after its end, until it is started again', async () => {
    const { stage, callback } = staged({ logInterval: 1 })
    callback.onEpochStart(0)
    callback.onBatchEnd(0)
    callback.onTrainEnd()
    expect(callback.getMetrics()).toEqual({})
    expect(callback.getGpuMetrics()).toEqual({})
    callback.onEpochStart(1)
    callback.onBatchStart(0)
    expect(callback.onBatchEnd(0)).toBeUndefined()
    expect(callback.onTimedBatch(1)).toBeUndefined()
    expect(callback.onEpochEnd(1)).toBeUndefined()
    callback.onTrainEnd()
    expect(stage).toMatchObject({ started: [{}], stops: 1, looks: 1 })
    expect(callback.currentEpoch).toBe(0)
    await callback.onTrainStart()
    expect(callback.onBatchEnd(0)?.metrics).toMatchObject({ memory_percent: 20 })
    expect(stage.started).toHaveLength(2)
  })

  it('writes no line when it is disabled, whoever asks', () => {
    const { stage, callback } = staged({ enabled: false })
    callback.exportTimeseries({ memory_percent: 20 }, 0)
    expect(stage.rows).toEqual([])
  })

  it('tells how long batches took and how long they waited for data', () => {
    const { stage, callback } = staged({ logInterval: 4 })
    callback.onEpochStart()
    const pass = (seconds: number) => (stage.seconds += seconds)
    const run = (batch: number, dataSeconds: number, batchSeconds: number) => {
      pass(dataSeconds)
      callback.onBatchStart(batch)
      pass(batchSeconds)
      return callback.onBatchEnd(batch)
    }
    expect(run(0, 2, 0.01)?.metrics).toMatchObject({
      batch_time_mean_ms: expect.closeTo(10, 6),
      data_time_mean_ms: expect.closeTo(2000, 6),
    })
    run(1, 0.001, 0.01)
    run(2, 0.001, 0.01)
    run(3, 0.001, 0.01)
    expect(run(4, 0.005, 0.03)?.metrics).toMatchObject({
      batch_time_mean_ms: expect.closeTo(15, 6),
      batch_time_p95_ms: expect.closeTo(30, 6),
      data_time_mean_ms: expect.closeTo(2, 6),
      data_time_p95_ms: expect.closeTo(5, 6),
    })
    callback.onPause()
    run(5, 60, 0.01)
    expect(callback.onEpochEnd()).toMatchObject({
      epoch: 0,
      batches: 6,
      metrics: { data_time_p95_ms: expect.closeTo(2000, 6) },
    })
    callback.onEpochStart()
    expect(callback.currentEpoch).toBe(1)
    expect(callback.onEpochEnd()?.metrics).toEqual({})
  })

  it('takes the time from end to end where nobody marks the beginning', () => {
    const { stage, callback } = staged({ logInterval: 2 })
    callback.onEpochStart()
    for (const batch of [0, 1]) {
      stage.seconds += 0.02
      callback.onBatchEnd(batch)
    }
    stage.seconds += 0.04
    expect(callback.onBatchEnd(2)?.metrics).toEqual({
      memory_percent: 20,
      batch_time_mean_ms: expect.closeTo(30, 6),
      batch_time_p95_ms: expect.closeTo(40, 6),
    })
  })

  it('asks for what the settings name, at no interval of its own', () => {
    const asked = (options: ResourceMonitorOptions) => {
      const { stage, callback } = staged(options)
      callback.onBatchStart()
      return stage.started
    }
    expect(asked({})).toMatchObject([
      { intervalSeconds: Infinity, metrics: ['gpu', 'cpu', 'memory', 'io'] },
    ])
    expect(asked({ gpuMonitoring: false, ioMonitoring: false, pid: 7 })).toMatchObject([
      { pid: 7, metrics: ['cpu', 'memory'] },
    ])
    expect(asked({ cpuMonitoring: false })[0]?.metrics).toEqual(['gpu', 'io'])
  })

  it('raises alerts at once where thresholds are lowered to try them', () => {
    const lowered = { gpuUtilThreshold: 0.99, memoryThreshold: 0.01 }
    const { stage, callback } = staged(lowered)
    stage.metrics = { gpu_0_util: 95, memory_percent: 20 }
    expect(callback.onBatchEnd(0)?.alerts).toEqual([
      '⚠️ GPU underutilized: 95.0% (threshold: 99%)',
      '⚠️ High memory usage: 20.0% (threshold: 1%)',
    ])
    expect(stage.printed[0]).toContain('\n[Resources] ⚠️ ALERTS:\n  - GPU underutilized: 95.0%')
    expect(callback.onEpochEnd()?.alerts).toBe(2)
    const quiet = staged({})
    quiet.stage.metrics = stage.metrics
    expect(quiet.callback.onBatchEnd(0)?.alerts).toEqual([])
  })

  it('repeats what it saw a moment ago in a loop that logs more often, but counts nothing twice', () => {
    const { stage, callback } = staged({ logInterval: 1 })
    callback.onBatchEnd(0)
    stage.metrics = { cpu_percent: 40, disk_read_mb: 7, io_read_rate_mbps: 3 }
    stage.seconds += 0.1
    callback.onBatchEnd(0)
    expect(stage.looks, 'the first have no rates, and are not repeated').toBe(2)
    stage.seconds += 1
    expect(callback.onBatchEnd(0)?.metrics).toMatchObject(stage.metrics)
    stage.metrics = { cpu_percent: 60, disk_read_mb: 9 }
    stage.seconds += 0.1
    const repeated = callback.onBatchEnd(1)
    expect(repeated?.metrics).toMatchObject({ cpu_percent: 40, io_read_rate_mbps: 3 })
    expect(repeated?.metrics).not.toHaveProperty('disk_read_mb')
    expect(repeated?.timestamp).toBeCloseTo(1000 + stage.seconds, 6)
    stage.seconds += 0.5
    expect(callback.onBatchEnd(2)?.metrics).toMatchObject(stage.metrics)
    expect(stage.looks).toBe(4)
  })

  it('hands what it logs to whoever asked', () => {
    const seen: unknown[] = []
    const { stage, callback } = staged({ onMetrics: (logged) => seen.push(logged) })
    const logged = callback.onBatchEnd(0)
    expect(seen).toEqual([logged])
    expect(logged?.timestamp).toBe(1000 + stage.seconds)
  })
})

describe('a callback that is off', () => {
  it('does nothing at all', async () => {
    const { stage, callback } = staged({ enabled: false })
    await callback.onTrainStart()
    callback.onEpochStart(0)
    callback.onBatchStart(0)
    expect(callback.onBatchEnd(0)).toBeUndefined()
    callback.addTimes([1], [1])
    expect(callback.onTimedBatch(0)).toBeUndefined()
    expect(callback.onEpochEnd(0)).toBeUndefined()
    expect(callback.getCpuMemoryMetrics()).toEqual({})
    callback.onTrainEnd()
    expect(stage).toMatchObject({ started: [], looks: 0, stops: 0, printed: [], rows: [] })
  })
})

describe('what fails', () => {
  it('is told once, and the training goes on', () => {
    const warned: string[] = []
    const { stage, callback } = staged(
      {
        logInterval: 1,
        logger: { warn: (message) => warned.push(message) },
        onMetrics() {
          throw new Error('the logger is full')
        },
      },
      {
        print() {
          throw new Error('EPIPE')
        },
        csv: () => ({
          pathOf: () => '',
          write: () => ({ kind: 'failed', error: 'logs/epoch_0.csv: ENOSPC' }),
        }),
      },
    )
    for (let batch = 0; batch < 5; batch++) {
      stage.seconds += 1
      expect(callback.onBatchEnd(batch)).toBeDefined()
    }
    expect(warned).toEqual([
      'not written: logs/epoch_0.csv: ENOSPC',
      'the console failed: EPIPE',
      'onMetrics failed: the logger is full',
    ])
    expect(stage.looks).toBe(5)
    expect(callback.onEpochEnd()?.timeseries).toBeNull()
  })

  it('may be the meter itself, or a look', () => {
    const broken = staged(
      {},
      {
        start() {
          throw new Error('no /proc here')
        },
      },
    )
    for (let batch = 0; batch < 30; batch++)
      expect(broken.callback.onBatchEnd(batch)).toBeUndefined()
    expect(broken.stage.printed).toEqual(['[Resources] ⚠️ the measuring failed: no /proc here\n'])
    broken.callback.onTrainEnd()
    const { stage, callback } = staged(
      {},
      {
        start: () => ({
          ready: () => Promise.reject(new Error('driver')),
          look() {
            throw new Error('gone')
          },
          stop() {
            throw new Error('gone too')
          },
        }),
      },
    )
    callback.onBatchEnd(0)
    callback.onBatchEnd(10)
    callback.onTrainEnd()
    expect(stage.printed).toEqual([
      '[Resources] ⚠️ the measuring failed: gone\n',
      '[Resources] ⚠️ the end of the measuring failed: gone too\n',
    ])
  })

  it('is a sensor that tells nothing: one warning, when it is certain', () => {
    const { stage, callback } = staged({ logInterval: 1 })
    stage.unavailable = { cpu_percent: 'too soon', gpu: 'no driver', io_wait_pct: 'no driver' }
    callback.onBatchEnd(0)
    expect(stage.printed).toHaveLength(1)
    stage.seconds += 2
    stage.metrics = { cpu_percent: 5 }
    stage.unavailable = { gpu: 'no driver', io_wait_pct: 'no driver' }
    for (let batch = 1; batch < 4; batch++) callback.onBatchEnd(batch)
    callback.onTrainEnd()
    expect(stage.printed.filter((text) => text.includes('not measured'))).toEqual([
      '[Resources] ⚠️ not measured: gpu, io_wait_pct (no driver)\n',
    ])
  })

  it('is told at the end of a training that was over at once', () => {
    const { stage, callback } = staged({})
    stage.unavailable = { gpu: 'no driver' }
    callback.onBatchEnd(0)
    callback.onTrainEnd()
    expect(stage.printed.at(-1)).toBe('[Resources] ⚠️ not measured: gpu (no driver)\n')
  })
})

describe('the callback on this machine', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'jobmeter-training-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  it('measures three epochs: real figures, and a CSV file for each', async () => {
    const printed: string[] = []
    const callback = new ResourceMonitorCallback({
      logInterval: 5,
      memoryThreshold: 0.001,
      // Others on the machine may well wait for its disks.
      alertIoBottleneck: false,
      timeseriesPath: join(directory, 'resource_logs'),
      print: (text) => printed.push(text),
    })
    await callback.onTrainStart()
    /** Just before and just after each look. */
    const truths: { before: Truth; after: Truth }[] = []
    /** What each batch took at least and at most. */
    const batches: { least: number; most: number }[] = []
    for (let epoch = 0; epoch < 3; epoch++) {
      callback.onEpochStart(epoch)
      for (let batch = 0; batch < 11; batch++) {
        const outer = performance.now()
        callback.onBatchStart(batch)
        const inner = performance.now()
        burnCpu(110)
        const before = usedSoFar()
        callback.onBatchEnd(batch)
        const after = usedSoFar()
        batches.push({ least: before.seconds * 1000 - inner, most: after.seconds * 1000 - outer })
        if (batch % 5 === 0) truths.push({ before, after })
      }
      expect(callback.onEpochEnd(epoch)).toMatchObject({ batches: 11, alerts: 3 })
    }
    const io = callback.getIoMetrics()
    const memory = callback.getCpuMemoryMetrics()
    callback.onTrainEnd()
    expect(readdirSync(join(directory, 'resource_logs')).toSorted()).toEqual([
      'epoch_0.csv',
      'epoch_1.csv',
      'epoch_2.csv',
    ])
    const [head = '', ...rows] = readFileSync(
      join(directory, 'resource_logs/epoch_2.csv'),
      'utf8',
    ).split('\n')
    const columns = head.split(',')
    const last = rows.at(-2)?.split(',') ?? []
    const figure = (name: string) => Number(last[columns.indexOf(name)])
    expect(columns.slice(0, 2)).toEqual(['step', 'timestamp'])
    expect(figure('step')).toBe(10)
    // What the program knows of itself, between the same batches; ticks of the kernel are 10 ms of some 550.
    const [first, second] = truths.slice(-2)
    const least = percentBetween(first?.after, second?.before, first?.before, second?.after)
    const most = percentBetween(first?.before, second?.after, first?.after, second?.before)
    expect(figure('cpu_process_percent')).toBeGreaterThan(0.9 * least)
    expect(figure('cpu_process_percent')).toBeLessThan(1.1 * most)
    // Those since the line before: the last five.
    const meanOf = (of: 'least' | 'most') =>
      batches.slice(-5).reduce((sum, batch) => sum + batch[of], 0) / 5
    expect(figure('batch_time_mean_ms')).toBeGreaterThan(meanOf('least') - 0.01)
    expect(figure('batch_time_mean_ms')).toBeLessThan(meanOf('most') + 0.01)
    expect(figure('data_time_mean_ms')).toBeLessThan(figure('batch_time_mean_ms'))
    expect(figure('memory_process_mb') / (process.memoryUsage.rss() / 2 ** 20)).toBeCloseTo(1, 0)
    expect(Object.keys(io)).toEqual(expect.arrayContaining(['disk_read_mb', 'io_write_rate_mbps']))
    expect(memory['memory_available_mb']).toBeLessThan(memory['memory_system_mb'] ?? 0)
    expect(
      printed.some((text) => /High memory usage: \d+\.\d% \(threshold: 0.1%\)/.test(text)),
    ).toBe(true)
    expect(printed.some((text) => /^ {2}CPU: \d+\.\d% \(process: \d+\.\d%\)$/m.test(text))).toBe(
      true,
    )
  })

  it('goes on where the files cannot be written', () => {
    writeFileSync(join(directory, 'logs'), '')
    const warned: string[] = []
    const callback = new ResourceMonitorCallback({
      timeseriesPath: join(directory, 'logs'),
      print: () => {},
      logger: { warn: (message) => warned.push(message) },
    })
    callback.onBatchEnd(0)
    callback.onBatchEnd(10)
    expect(warned.filter((message) => message.startsWith('not written'))).toEqual([
      `not written: ${directory}/logs is not a directory`,
    ])
    callback.onTrainEnd()
  })
})

function burnCpu(milliseconds: number): void {
  const end = usedSoFar().cpuSeconds + milliseconds / 1000
  while (usedSoFar().cpuSeconds < end) Math.sqrt(Math.random())
}

interface Truth {
  readonly cpuSeconds: number
  readonly seconds: number
}

/** CPU time between two moments as a share of the time between two others. */
function percentBetween(
  ...[cpuFrom, cpuTo, from, to]: readonly [Truth?, Truth?, Truth?, Truth?]
): number {
  const cpuSeconds = (cpuTo?.cpuSeconds ?? NaN) - (cpuFrom?.cpuSeconds ?? NaN)
  return (100 * cpuSeconds) / ((to?.seconds ?? NaN) - (from?.seconds ?? NaN))
}

function usedSoFar(): Truth {
  const { user, system } = process.cpuUsage()
  return { cpuSeconds: (user + system) / 1e6, seconds: performance.now() / 1000 }
}
