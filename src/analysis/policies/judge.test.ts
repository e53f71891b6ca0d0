import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { monday, nodeJob, nodeRound } from '../../../test/synthetic/node-rounds.ts'
import type { NodeJob, NodeRound } from '../../model/node-round.ts'
import type { Policy } from '../../model/policy.ts'
import type { PolicyFinding } from '../../model/violation.ts'
import { Judge, type RoundJudgement } from './judge.ts'

const policy = (more: Partial<Policy> = {}): Policy => ({
  name: 'busy',
  isEnabled: true,
  scope: 'job',
  severity: 'warning',
  says: 'is busy',
  explanation: 'It is busy.',
  advice: 'Do less.',
  conditions: [{ figure: 'cpu_of_node', is: 'at least', threshold: 0.25 }],
  forSeconds: 300,
  overSeconds: 0,
  spare: { resource: 'cores', ofRest: 0.5, ofNode: 0.25 },
  exempt: { users: [], commands: [], accounts: [], kinds: [] },
  channels: null,
  ...more,
})

/** A hog of so many cores, and so many cores of others. */
const rounds = (count: number, hogCores: number, otherCores: number, from = 0): NodeRound[] =>
  Array.from({ length: count }, (_, at) =>
    nodeRound(monday + 60 * (from + at + 1), [
      nodeJob('1', 'ada', { cpuSeconds: 60 * hogCores }),
      nodeJob('2', 'bob', { cpuSeconds: 60 * otherCores, command: 'other' }),
    ]),
  )

const judged = (policies: readonly Policy[], all: readonly NodeRound[]): RoundJudgement[] => {
  const judge = new Judge(policies)
  return all.map((round) => judge.round(round))
}
const told = (judgements: readonly RoundJudgement[]): PolicyFinding[] =>
  judgements.flatMap(({ findings }) => findings)
const only = { exempt: { users: ['bob'], commands: [], accounts: [], kinds: [] } }

describe('a judge', () => {
  it('names who has done it for long enough, from the round on that makes it so', () => {
    const judgements = judged([policy(only)], rounds(7, 8, 8))
    expect(judgements.map(({ findings }) => findings.length)).toEqual([0, 0, 0, 0, 1, 1, 1])
    expect(told(judgements)[0]).toMatchObject({
      policy: 'busy',
      subject: { user: 'ada', host: 'node01', job: { kind: 'session', id: '1' } },
      firstSeen: monday,
      lastSeen: monday + 300,
      heldSeconds: 300,
      suppressedBecause: null,
      text: 'is busy: cpu_of_node is 50 % (at least 25 %)',
    })
  })

  it('says that nobody is harmed while the rest of the node is mostly idle', () => {
    const judgements = judged([policy(only)], rounds(5, 4, 0))
    expect(told(judgements)).toMatchObject([
      { suppressedBecause: '12 of 16 cores were free', heldSeconds: 300 },
    ])
  })

  it('counts no time in which the node was idle against anybody', () => {
    const judgements = judged([policy(only)], [...rounds(10, 4, 0), ...rounds(5, 4, 12, 10)])
    const real = told(judgements).filter(({ suppressedBecause }) => suppressedBecause === null)
    expect(real).toHaveLength(1)
    expect(real[0]).toMatchObject({ firstSeen: monday + 600, heldSeconds: 300 })
  })

  it('takes what is reserved for taken, whether it is used or not', () => {
    const reservation = {
      cpus: 12,
      memoryBytes: null,
      gpus: null,
      runtimeSeconds: null,
      source: 'slurm',
    } as const
    const all = rounds(5, 4, 0).map((round) => ({
      ...round,
      jobs: round.jobs.map((job) => (job.user === 'bob' ? { ...job, reservation } : job)),
    }))
    expect(told(judged([policy(only)], all))).toMatchObject([{ suppressedBecause: null }])
  })

  it('ends a violation when it has not been so for as long, or when the job is over', () => {
    const over = judged([policy(only)], [...rounds(5, 8, 8), ...rounds(5, 1, 8, 5)])
    expect(over.map(({ ended }) => ended.map(({ because }) => because))[9]).toEqual([
      'it is no longer so',
    ])
    const gone = nodeRound(monday + 360, [nodeJob('2', 'bob')])
    expect(judged([policy(only)], [...rounds(5, 8, 8), gone]).at(-1)?.ended).toMatchObject([
      { policy: 'busy', because: 'the job is over' },
    ])
    const idle = judged([policy(only)], [...rounds(5, 8, 8), ...rounds(5, 4, 0, 5)])
    expect(idle.at(-1)?.ended).toMatchObject([
      { because: 'the rest of the node has been idle since' },
    ])
  })

  it('does not count a gap, and begins anew after a long one', () => {
    const before = rounds(4, 8, 8)
    const after = rounds(5, 8, 8, 100)
    const judgements = judged([policy(only)], [...before, ...after])
    expect(judgements.map(({ findings }) => findings.length)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1])
  })

  it('judges nobody by what was not measured, and says what is missing', () => {
    const wanted = policy({
      conditions: [{ figure: 'gpu_of_held', is: 'at most', threshold: 0 }],
      forSeconds: 0,
    })
    const [judgement] = judged([wanted], rounds(1, 8, 8))
    expect(judgement?.findings).toEqual([])
    expect([...(judgement?.unmeasured ?? [])]).toEqual([['busy', ['gpu_of_held']]])
  })

  it.each(['gpu_of_held', 'gpu_of_node', 'gpu_seconds_used', 'gpu_peak_of_held'] as const)(
    'takes nobody for idle whose cards do not tell how busy they are: %s',
    (figure) => {
      const idle = policy({ conditions: [{ figure, is: 'at most', threshold: 0 }], forSeconds: 0 })
      const node = { gpus: 2, gpuSeconds: 30 }
      const roundOf = (minute: number, gpus: number | null): NodeRound =>
        nodeRound(monday + 60 * minute, [nodeJob('1', 'ada', { gpus, gpuSeconds: null })], node)
      const [untold] = judged([idle], [roundOf(1, 1)])
      expect(untold?.findings).toEqual([])
      expect([...(untold?.unmeasured ?? [])]).toEqual([['busy', [figure]]])
    },
  )

  it('remembers of a job that it was on such cards before', () => {
    const unused = policy({
      conditions: [{ figure: 'gpu_seconds_used', is: 'at most', threshold: 0 }],
      forSeconds: 0,
    })
    const node = { gpus: 2, gpuSeconds: 30 }
    const roundOf = (minute: number, gpus: number | null): NodeRound =>
      nodeRound(monday + 60 * minute, [nodeJob('1', 'ada', { gpus, gpuSeconds: null })], node)
    expect(told(judged([unused], [roundOf(1, 1), roundOf(2, null)]))).toEqual([])
    expect(told(judged([unused], [roundOf(1, null)]))).toHaveLength(1)
  })

  it.each([
    { users: ['ada'] },
    { commands: ['python3'] },
    { accounts: ['physics'] },
    { kinds: ['session' as const] },
  ])('leaves out who is exempt: %j', (part) => {
    const exempt = { users: ['bob'], commands: [], accounts: [], kinds: [], ...part }
    const all = rounds(5, 8, 8).map((round) => ({
      ...round,
      jobs: round.jobs.map((job) => ({ ...job, account: 'physics' })),
    }))
    const of = (findings: readonly PolicyFinding[]) =>
      findings.filter(({ subject }) => subject.user === 'ada')
    expect(of(told(judged([policy({ exempt })], all)))).toEqual([])
    expect(of(told(judged([policy()], all)))).toHaveLength(1)
  })

  it('goes on with what was a violation before it was started', () => {
    const judge = new Judge([policy(only)])
    const subject = {
      host: 'node01',
      user: 'ada',
      account: null,
      job: { epoch: 'first boot', kind: 'session', id: '1', command: 'python3' },
    } as const
    judge.resume(policy(only), subject, monday * 1e3 - 1000)
    const [first] = rounds(1, 8, 8).map((round) => judge.round(round))
    expect(first?.findings).toMatchObject([{ firstSeen: monday - 1, suppressedBecause: null }])
    expect(judge.round(nodeRound(monday + 120, [])).ended).toHaveLength(1)
  })
})

const cores = fc.double({ min: 0, max: 16, noNaN: true })
const loads = fc.array(cores, { minLength: 1, maxLength: 8 })

const roundOf = (loadsOfJobs: readonly number[]): NodeRound =>
  nodeRound(
    monday + 60,
    loadsOfJobs.map((load, at): NodeJob =>
      nodeJob(`${at}`, `user${at}`, { cpuSeconds: 60 * load }),
    ),
  )
const atOnce = policy({ forSeconds: 0 })
const byUser = (round: NodeRound): Map<string, string | null> =>
  new Map(
    told(judged([atOnce], [round])).map(
      ({ subject, suppressedBecause }) => [subject.user, suppressedBecause] as const,
    ),
  )

describe('judgement', () => {
  it('does not depend on the order of jobs', () => {
    fc.assert(
      fc.property(loads, fc.integer(), (all, seed) => {
        const round = roundOf(all)
        const order = round.jobs
          .map((job, at) => ({ job, at: (at * 7919 + seed) % 101 }))
          .toSorted((one, other) => one.at - other.at)
          .map(({ job }) => job)
        expect(byUser({ ...round, jobs: order })).toEqual(byUser(round))
      }),
    )
  })

  it('is monotone: who uses more is never named less', () => {
    fc.assert(
      fc.property(loads, cores, (all, more) => {
        const [first = 0, ...others] = all
        const state = (load: number): number => {
          const found = byUser(roundOf([load, ...others]))
          return found.has('user0') ? (found.get('user0') === null ? 2 : 1) : 0
        }
        expect(state(first + more)).toBeGreaterThanOrEqual(state(first))
      }),
    )
  })

  it('is monotone: more use by others never spares anybody', () => {
    fc.assert(
      fc.property(cores, cores, cores, (own, others, more) => {
        const isReal = (load: number): boolean => byUser(roundOf([own, load])).get('user0') === null
        expect(isReal(others + more) || !isReal(others)).toBe(true)
      }),
    )
  })
})
