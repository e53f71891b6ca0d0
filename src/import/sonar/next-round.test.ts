import { describe, expect, it } from 'vitest'
import type { HostCounters } from './counters.ts'
import { countersOf, countersText } from './counters-text.ts'
import { nextRound } from './next-round.ts'
import type { SonarJob, SonarProcess, SonarSample } from './sample.ts'

const process = (pid: number, cpuSeconds: number | null, more: Partial<SonarProcess> = {}) => ({
  pid,
  parentPid: 1,
  command: 'python3',
  cpuSeconds,
  readKib: null,
  writtenKib: null,
  memoryKib: 1000,
  gpuMemoryKib: null,
  gpuShare: null,
  cards: [],
  processes: 1,
  threads: 1,
  isZombie: false,
  ...more,
})

const job = (processes: readonly SonarProcess[], more: Partial<SonarJob> = {}): SonarJob => ({
  kind: 'session',
  id: '100',
  epoch: '7',
  user: 'ada',
  processes,
  ...more,
})

const booted = 1_772_300_000
const sample = (
  at: number,
  jobs: readonly SonarJob[],
  more: Partial<SonarSample> = {},
): SonarSample => ({
  host: 'n1',
  at: booted + at,
  bootedAt: booted,
  coreSeconds: null,
  load: null,
  usedMemoryKib: null,
  gpuShare: null,
  gpuMemoryKib: null,
  gpuWatts: null,
  capacity: { cores: 2, memoryKib: null, gpus: null, gpuMemoryKib: null },
  jobs,
  ...more,
})

/** The last of some samples, each told after the one before, as if every one were an import of its own. */
function last(...samples: readonly SonarSample[]) {
  let before: HostCounters | undefined
  let round
  for (const one of samples) {
    const next = nextRound(one, before, undefined, 3600)
    before = countersOf(countersText(next.counters))
    expect(before).toEqual(next.counters)
    round = next.round
  }
  if (round === undefined) throw new Error('no sample')
  const cpu = Object.fromEntries(round.jobs.map(({ id, cpuSeconds }) => [id, cpuSeconds]))
  return { round, cpu }
}

describe('the round between two samples', () => {
  it('tells of no time where nothing is known of the time before', () => {
    const { round, cpu } = last(sample(100, [job([process(100, 50)])]))
    expect(round.seconds).toBe(0)
    expect(cpu['100']).toBeNull()
    expect(round.jobs[0]).toMatchObject({ memoryBytes: 1_024_000, processes: 1 })
  })

  it('has what counters grew by, and all that new processes have', () => {
    const { round, cpu } = last(
      sample(100, [job([process(100, 50)])]),
      sample(400, [job([process(100, 80), process(101, 20)])]),
    )
    expect(round.seconds).toBe(300)
    expect(cpu['100']).toBe(50)
  })

  it('does not count again what a child hands to its parent, or to its grandparent', () => {
    const family = [
      process(100, 10),
      process(101, 40, { parentPid: 100 }),
      process(102, 30, { parentPid: 101 }),
    ]
    const { cpu } = last(
      sample(100, [job(family)]),
      // Both have ended: 40 and 30 were counted, 5 and 3 more were used, and 2 by the parent itself.
      sample(400, [job([process(100, 10 + 45 + 33 + 2)])]),
    )
    expect(cpu['100']).toBe(10)
  })

  it('counts a process with the pid of another from its beginning', () => {
    const { cpu } = last(
      sample(100, [job([process(100, 500)])]),
      sample(400, [job([process(100, 7)])]),
    )
    expect(cpu['100']).toBe(7)
  })

  it('counts one that was left out before only from now on', () => {
    const appears = [sample(100, []), sample(400, [job([process(100, 90_000)])])]
    expect(last(...appears).cpu['100']).toBeNull()
    expect(last(...appears, sample(700, [job([process(100, 90_100)])])).cpu['100']).toBe(100)
  })

  it('knows nothing of several processes together when some of them are gone', () => {
    const group = (cpu: number) => [job([process(0, cpu, { processes: 5 })])]
    expect(last(sample(100, group(500)), sample(400, group(400))).cpu['100']).toBeNull()
  })

  it('has a gap after an hour, and begins at the boot after a reboot', () => {
    const busy = [job([process(100, 50)])]
    expect(last(sample(100, busy), sample(3701, busy)).round.seconds).toBe(0)
    const again = sample(5000, [job([process(100, 20)], { epoch: '8' })], {
      bootedAt: booted + 4700,
      coreSeconds: [15, 10],
    })
    const { round, cpu } = last(sample(4600, busy, { coreSeconds: [900, 900] }), again)
    expect(round).toMatchObject({ seconds: 300, node: { cpuSeconds: 25 } })
    expect(cpu).toEqual({ '100': 20, unattributed: 5 })
  })

  it('gives to each user what is theirs in a job of several', () => {
    const shared = (ada: number, bob: number) => [
      job([process(100, ada)], { kind: 'slurm', epoch: '0' }),
      job([process(101, bob)], { kind: 'slurm', epoch: '0', user: 'bob' }),
    ]
    const { round } = last(sample(100, shared(10, 20)), sample(400, shared(15, 50).toReversed()))
    const used = round.jobs.map(({ id, user, cpuSeconds }) => [id, user, cpuSeconds])
    expect(used).toContainEqual(['100', 'ada', 5])
    expect(used).toContainEqual(['100', 'bob', 30])
  })

  it('takes an id that was gone for another job where the format tells no epoch', () => {
    const one = [job([process(100, 5)], { epoch: null })]
    const epochs = (...samples: SonarSample[]) => last(...samples).round.jobs[0]?.epoch
    const first = epochs(sample(100, one))
    expect(epochs(sample(100, one), sample(400, one))).toBe(first)
    expect(epochs(sample(100, one), sample(400, []), sample(700, one))).not.toBe(first)
  })
})
