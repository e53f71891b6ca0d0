import { describe, expect, it } from 'vitest'
import { cardLeftOut, cardsLeftOut } from '../../model/gpu-usage.ts'
import { atLeast, certainValue, measured, type Measured } from '../../model/measured.ts'
import {
  emptyUsage,
  memoryLimitIn,
  memoryLimitMetIn,
  withMemoryLimit,
  type Usage,
} from '../../model/usage.ts'
import { parseInspected } from '../../sensors/container/inspected.ts'
import {
  containerOutcome,
  containerUsage,
  unseenUsage,
  withClientLimit,
} from './container-usage.ts'
import type { MeasuredRun } from './measured-run.ts'

const watched = { recordedStart: 1_800_000_000, durationSeconds: 100 }

/** The figures of a container that used 10 s of CPU time, with such times of its daemon. */
function figures(
  startedAt: string,
  endedAt: number,
  known: Partial<MeasuredRun> = {},
  counted: Partial<Usage> = {},
): Readonly<Record<string, Measured>> {
  const inspected = parseInspected({ Id: 'a1'.repeat(32), State: { StartedAt: startedAt } })
  const run: Partial<MeasuredRun> = {
    inspected,
    end: { atSeconds: endedAt, exitCode: 0 },
    isRunning: false,
    isOwn: true,
    machineCores: 2,
    hasRestarted: false,
    missedSeconds: 0,
    silence: null,
    oomEvents: 0,
    hearsEvents: true,
    ...known,
  }
  const usage = {
    ...emptyUsage('not of interest'),
    cpuTotalSeconds: measured(10, 'its cgroup'),
    ...counted,
  }
  return containerUsage(run as MeasuredRun, usage, 'docker', watched)
}

const at = (seconds: number): string =>
  new Date((watched.recordedStart + seconds) * 1000).toISOString()
const timed = ['containerStartupSeconds', 'containerRunSeconds', 'containerCpuPercentMean']

describe('what a container used', () => {
  it('has the times of its daemon', () => {
    const { recordedStart } = watched
    const values = timed.map((key) => figures(at(1), recordedStart + 21)[key]?.value)
    expect(values).toEqual([1, 20, 50])
  })

  it.each([
    ['in the future', at(1e8), 3e9],
    ['in the year 1', '0001-01-01T00:00:00Z', 1_800_000_050],
    ['long before the job', '1999-01-01T00:00:00Z', 1_800_000_050],
    ['not a time', 'NaN', 1_800_000_050],
  ])('has no figure from a start %s', (_, startedAt, endedAt) => {
    const told = figures(startedAt, endedAt)
    for (const key of timed) {
      expect(told[key]?.value, key).toBeNull()
      expect(told[key], key).toMatchObject({ why: expect.stringMatching(/daemon/) })
      expect(told[key], key).not.toMatchObject({ why: expect.stringContaining('running already') })
    }
  })

  it('tells how long before its end its CPU time was last read, where that alone may lack', () => {
    const unseen = (known: Partial<MeasuredRun>, counted: Partial<Usage> = {}): number | null => {
      const figure = figures(at(1), 1_800_000_050, known, counted)['cpuUnseenSeconds']
      return figure === undefined ? null : certainValue(figure)
    }
    expect(unseen({ missedSeconds: 0.25 })).toBe(0.25)
    expect(unseen({ missedSeconds: 0 })).toBeNull()
    expect(unseen({ missedSeconds: NaN })).toBeNull()
    expect(unseen({ missedSeconds: 0.25, hasRestarted: true })).toBeNull()
    const bound = { cpuTotalSeconds: atLeast(10, 'its processes') }
    expect(unseen({ missedSeconds: 0.25 }, bound)).toBeNull()
    const told = { ...bound, cpuUnseenSeconds: measured(3, 'times of the looks') }
    expect(unseen({}, told)).toBe(3)
    expect(unseen({ hasRestarted: true }, told)).toBeNull()
  })

  it('has no more CPU than the machine, whatever end the daemon tells', () => {
    for (const end of [1_800_000_001.000_001, 1_900_000_000, 1_700_000_000])
      expect(figures(at(1), end)['containerCpuPercentMean']?.value).toBeNull()
  })
})

describe('the mean CPU of a container that was started again', () => {
  it('is a lower bound: the CPU time is that of the first time, and the span that of all', () => {
    const told = figures(at(1), watched.recordedStart + 21, { hasRestarted: true })
    expect(told['containerCpuPercentMean']).toMatchObject({
      value: 50,
      basis: expect.stringMatching(/^at least: its cgroup.*until it was first started again/),
    })
  })
})

describe('how often a container was killed for memory', () => {
  const kills = (known: Partial<MeasuredRun>, counted: Partial<Usage> = {}) =>
    figures(at(1), watched.recordedStart + 21, known, counted)['containerOomKills']
  const unseen = { end: { atSeconds: null, exitCode: null } }

  it('is as certain as what its cgroup counted', () => {
    const counted = { processesKilledForMemory: measured(0, 'memory.events') }
    expect(kills({}, counted)).toMatchObject({ value: 0, basis: expect.stringMatching(/^memory/) })
    expect(kills({ missedSeconds: 0.02 }, counted)).toMatchObject({
      value: 0,
      basis: expect.stringMatching(/^at least: memory.events.*read at most 0.02 s before its end/),
    })
  })

  it('is none where the daemon told of none until the end', () => {
    expect(kills({})).toEqual({ value: 0, basis: "the daemon's events" })
  })

  it('is at least one by any number of events: docker sends three for one kill', () => {
    const told = { value: 1, basis: "at least: the daemon's events" }
    expect(kills({ oomEvents: 3 })).toEqual(told)
    const killed = (count: number) => ({
      processesKilledForMemory: measured(count, 'memory.events'),
    })
    expect(kills({ oomEvents: 3 }, killed(0))).toEqual(told)
    expect(kills({ oomEvents: 3 }, killed(1))).toMatchObject({
      value: 1,
      basis: expect.stringMatching(/^memory/),
    })
  })

  it('is not known where the events were lost, unless the daemon describes the end', () => {
    const lost = { hearsEvents: false }
    expect(kills({ ...lost, ...unseen })?.value).toBeNull()
    expect(kills({ ...lost, ...unseen, oomEvents: 1 })).toEqual({
      value: 1,
      basis: "at least: the daemon's events",
    })
    expect(kills(lost)?.value).toBe(0)
    expect(kills({ ...lost, hasRestarted: true })?.value).toBeNull()
  })

  it('is not known of one whose daemon does not answer', () => {
    expect(kills({ end: undefined, isRunning: true, silence: 'it hangs' })?.value).toBeNull()
  })
})

describe('the usage of a job whose container was not measured', () => {
  it('keeps the memory limit, which was set and not measured', () => {
    const client = { ...emptyUsage('no'), cpuTotalSeconds: measured(1, 'wait4') }
    const usage = unseenUsage(withMemoryLimit(client, 64 * 2 ** 20), 'its daemon hangs')
    expect(memoryLimitIn(usage)).toBe(64 * 2 ** 20)
    expect(usage.cpuTotalSeconds).toEqual({
      value: null,
      why: 'the job runs in a container: its daemon hangs',
    })
  })
})

const limitBytes = 64 * 2 ** 20

describe('the memory limit of a job', () => {
  const limitIn = (containerBytes: number) => {
    const inspected = parseInspected({
      Id: 'a1'.repeat(32),
      HostConfig: { Memory: containerBytes },
    })
    const client = withMemoryLimit(emptyUsage('no'), limitBytes)
    return memoryLimitIn(withClientLimit(emptyUsage('no'), client, inspected))
  }

  it('is told of its container too, unless that has another one of its own', () => {
    expect(limitIn(limitBytes)).toBe(limitBytes)
    expect(limitIn(2 * limitBytes)).toBeNull()
    expect(limitIn(0)).toBeNull()
  })
})

/** What is said of a container with a limit of 64 MB, of which its daemon told that one process was killed for memory. */
function ofKilled(
  seen: { readonly oomKills: number; readonly limitHits: number },
  peaks: { readonly cgroup?: number; readonly told?: number } = {},
  status: 'failed' | 'success' = 'failed',
) {
  const inspected = parseInspected({ Id: 'a1'.repeat(32), HostConfig: { Memory: limitBytes } })
  const run: unknown = {
    inspected,
    seenBy: { seen: { cpuPercent: NaN, memoryBytes: NaN, ...seen } },
    end: { atSeconds: null, exitCode: 137 },
    missedSeconds: 0,
    silence: null,
    oomEvents: 1,
  }
  const { cgroup, told } = peaks
  const measuredUsage = {
    ...emptyUsage('not of interest'),
    ...(cgroup === undefined ? {} : { cgroupMemoryPeakBytes: measured(cgroup, 'memory.peak') }),
    ...(told === undefined ? {} : { containerMemoryPeakBytes: atLeast(told, 'its daemon') }),
  }
  const usage = containerUsage(run as MeasuredRun, measuredUsage, 'docker', watched)
  const ended = { exitCode: 137, signal: null, reason: null, stragglers: [] }
  const { reason } = containerOutcome({ ...ended, status }, usage)
  return { met: memoryLimitMetIn(usage), reason }
}

describe('a container that was killed for memory', () => {
  const atLimit = {
    met: limitBytes,
    reason: "killed for memory: the container's limit of 64.0 MB",
  }
  const elsewhere = { met: null, reason: 'killed for memory' }
  const untold = { oomKills: NaN, limitHits: NaN }

  it('met its limit where its cgroup counted that', () => {
    expect(ofKilled({ oomKills: 1, limitHits: 1 })).toEqual(atLimit)
    expect(ofKilled({ oomKills: 0, limitHits: 1 })).toEqual(atLimit)
  })

  it('is told of a process of it alone where the job succeeded all the same', () => {
    expect(ofKilled({ oomKills: 1, limitHits: 1 }, {}, 'success').reason).toBe(
      "at least 1 process of the job was killed for memory at the container's limit of 64.0 MB",
    )
    expect(ofKilled(untold, {}, 'success').reason).toBe(
      'at least 1 process of the job was killed for memory',
    )
  })

  it('did not meet it where the whole machine was out of memory', () => {
    expect(ofKilled({ oomKills: 1, limitHits: 0 }, { cgroup: limitBytes })).toEqual(elsewhere)
  })

  it('met it by its peak where its cgroup was gone before the kill could be read', () => {
    const before = { oomKills: 0, limitHits: 0 }
    expect(ofKilled(before, { cgroup: 0.95 * limitBytes })).toEqual(atLimit)
    expect(ofKilled(before, { cgroup: 0.5 * limitBytes })).toEqual(elsewhere)
    expect(ofKilled(untold, { told: 0.95 * limitBytes })).toEqual(atLimit)
    expect(ofKilled(untold, { told: 0.5 * limitBytes })).toEqual(elsewhere)
    expect(ofKilled(untold)).toEqual(elsewhere)
  })
})

describe('a job in a container with a card that is left out of what units did', () => {
  const why = 'GPM: it needs more rights (error 4; the driver says no more)'
  const cards = {
    gpuTensorPercentMean: measured(90, `GPM counters; ${cardLeftOut(1, why)}`),
    gpuHeatThrottledSeconds: atLeast(50, `NVML; ${cardLeftOut(1, why)}`),
  } as Partial<Usage>

  it('is told the reason of that, without what is said of the container', () => {
    const told = figures(at(1), 1_800_000_050, { missedSeconds: 0.25 }, cards)
    for (const key of ['gpuTensorPercentMean', 'gpuHeatThrottledSeconds']) {
      expect(told[key], key).toMatchObject({
        basis: expect.stringContaining('of docker container'),
      })
      expect(cardsLeftOut(told[key]), key).toEqual([{ card: 1, why }])
    }
  })
})
