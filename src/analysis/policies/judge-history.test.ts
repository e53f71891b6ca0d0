import { describe, expect, it } from 'vitest'
import type { HistoryJob, HostHistory } from '../../model/host-history.ts'
import type { Policy } from '../../model/policy.ts'
import { judgeHistory } from './judge-history.ts'

const hour = 3600
const end = 1_772_409_600

const eightCores = {
  cpus: 8,
  memoryBytes: null,
  gpus: null,
  runtimeSeconds: 240 * hour,
  source: 'slurm',
} as const

/** A day of one job that asked for 8 of 16 cores and used 2 of them. */
const seen = (user: string, more: Partial<HistoryJob> = {}): HistoryJob => ({
  kind: 'slurm',
  user,
  account: null,
  command: 'python3',
  startedAt: null,
  firstSeen: end - 24 * hour,
  lastSeen: end,
  seenSeconds: 24 * hour,
  gpus: null,
  reservation: eightCores,
  cpuSeconds: 2 * 24 * hour,
  gpuSeconds: null,
  memoryMeanBytes: null,
  memoryPeakBytes: null,
  isRunning: false,
  isGpuUntold: false,
  ...more,
})

const history = (jobs: readonly HistoryJob[], more: Partial<HostHistory> = {}): HostHistory => ({
  host: 'node01',
  at: end,
  seenSeconds: 24 * hour,
  cores: 16,
  memoryBytes: null,
  gpus: 0,
  jobs,
  ...more,
})

const policy = (conditions: Policy['conditions']): Policy => ({
  name: 'past',
  isEnabled: true,
  scope: 'history',
  severity: 'warning',
  says: 'asks for too much',
  explanation: 'It asks for too much.',
  advice: 'Ask for less.',
  conditions,
  forSeconds: 0,
  overSeconds: 24 * hour,
  spare: { resource: 'cores', ofRest: 0.5, ofNode: 0.25 },
  exempt: { users: ['root'], commands: [], accounts: [], kinds: [] },
  channels: null,
})
const inefficient = policy([
  { figure: 'asked_cpu_hours', is: 'at least', threshold: 50 },
  { figure: 'cpu_of_request', is: 'at most', threshold: 0.6 },
])

describe('the jobs of the last days', () => {
  it('are judged by user, unless nobody else needed the room', () => {
    const [alone] = judgeHistory(inefficient, history([seen('ada')])).findings
    expect(alone).toMatchObject({
      subject: { user: 'ada', job: null },
      suppressedBecause: '8 of 16 cores were free',
      text: 'asks for too much: asked_cpu_hours is 192 h (at least 50 h), cpu_of_request is 25 % (at most 60 %)',
    })
    const busy = { reservation: null, cpuSeconds: 7 * 24 * hour }
    const found = judgeHistory(inefficient, history([seen('ada'), seen('bob', busy)])).findings
    expect(found).toMatchObject([{ subject: { user: 'ada' }, suppressedBecause: null }])
  })

  it('are judged by those that are over where time is asked for', () => {
    const slow = policy([
      { figure: 'time_of_request', is: 'below', threshold: 0.2 },
      { figure: 'time_of_request_mean', is: 'below', threshold: 0.2 },
      { figure: 'time_of_request_median', is: 'below', threshold: 0.2 },
    ])
    expect(judgeHistory(slow, history([seen('ada')])).findings).toHaveLength(1)
    const running = judgeHistory(slow, history([seen('ada', { isRunning: true })]))
    expect(running).toEqual({ findings: [], missing: expect.arrayContaining(['time_of_request']) })
  })

  it('of who is exempt are not judged, and neither is what was not measured', () => {
    expect(judgeHistory(inefficient, history([seen('root')])).findings).toEqual([])
    const gpus = policy([{ figure: 'gpu_hours', is: 'at least', threshold: 24 }])
    expect(judgeHistory(gpus, history([seen('ada')]))).toEqual({
      findings: [],
      missing: ['gpu_hours'],
    })
  })

  it('of which nothing tells how busy their GPUs were are not judged by that', () => {
    const idle = policy([
      { figure: 'gpu_hours', is: 'at most', threshold: 1 },
      { figure: 'gpu_of_request', is: 'at most', threshold: 0.1 },
    ])
    const reservation = { ...eightCores, gpus: 1 }
    const [asked, used] = [
      { reservation, gpus: null },
      { reservation, gpus: 1, gpuSeconds: 20 * hour },
    ]
    const untold = { ...asked, gpus: 1 }
    const judge = (...jobs: Partial<HistoryJob>[]) =>
      judgeHistory(
        idle,
        history(
          jobs.map((job) => seen('ada', job)),
          { gpus: 2 },
        ),
      )
    expect(judge(asked).findings).toHaveLength(1)
    expect(judge(untold)).toEqual({ findings: [], missing: ['gpu_hours', 'gpu_of_request'] })
    const unlisted = { ...asked, isGpuUntold: true }
    expect(judge(unlisted)).toEqual({ findings: [], missing: ['gpu_hours', 'gpu_of_request'] })
    expect(judge({ ...unlisted, gpuSeconds: 60 }).findings).toEqual([])
    expect(judge(untold, used).findings).toEqual([])
    expect(judge(untold, asked)).toMatchObject({ findings: [], missing: ['gpu_hours'] })
  })
})
