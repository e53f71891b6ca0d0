import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  RemoteExecutor,
  RemoteSite,
  seeded,
  Wire,
  type Noise,
} from '../../../test/contracts/remote-executor.ts'
import type { Deed } from '../../../test/contracts/simulated-machine.ts'
import { someJob } from '../../../test/contracts/workflows.ts'
import { noRequirements } from '../../model/job.ts'
import type { WorkflowJob } from '../../model/workflow.ts'
import type { Executor } from './executor.ts'
import { RemoteStage, turn, twoNodes } from '../../../test/contracts/remote-stage.ts'

const bad: Noise = { latestSeconds: 6, lost: 0.3, twice: 0.3 }
const good: Noise = { latestSeconds: 0.1, lost: 0, twice: 0 }
const patience = { afterSeconds: 4, giveUpSeconds: 600 }
const siteOf = (stage: RemoteStage, seed: number, noise = bad): RemoteSite => {
  const wire = new Wire(stage.machine.system.clock, seeded(seed), noise)
  return new RemoteSite(stage.machine.executor(), wire)
}

interface Case {
  readonly seed: number
  readonly jobs: readonly WorkflowJob[]
  readonly deeds: (name: string, attempt: number) => Deed
}

const anyJob = fc.record({
  picks: fc.array(fc.nat(), { maxLength: 3 }),
  seconds: fc.constantFrom(0.1, 1, 5, 30),
  codes: fc.array(fc.constantFrom(0, 0, 3), { minLength: 1, maxLength: 3 }),
  cpus: fc.constantFrom(null, 1, 2, 3),
  cancels: fc.boolean(),
  mayRetry: fc.boolean(),
})

/** Jobs of which the later wait for some of the earlier. */
const anyCase = (retries: boolean): fc.Arbitrary<Case> =>
  fc
    .record({ seed: fc.nat(), made: fc.array(anyJob, { minLength: 1, maxLength: 10 }) })
    .map(({ seed, made }) => {
      const rule = { exitCodes: [3], maxRetries: 2, recoveryScript: null }
      const jobs = made.map(({ picks, cpus, cancels, mayRetry }, position) =>
        someJob(`job${position}`, {
          dependsOn:
            position === 0 ? [] : [...new Set(picks.map((pick) => `job${pick % position}`))],
          requirements: { ...noRequirements, cpus },
          cancelOnBlockingJobFailure: cancels,
          failureHandler: retries && mayRetry ? { name: 'again', rules: [rule] } : null,
        }),
      )
      const deeds = (name: string, attempt: number): Deed => {
        const { seconds = 1, codes = [0] } = made[Number(name.slice(3))] ?? {}
        return { seconds, exitCode: codes[retries ? (attempt - 1) % codes.length : 0] ?? 0 }
      }
      return { seed, jobs, deeds }
    })

/** What comes of the same jobs where nothing gets lost. */
async function plainly({ jobs, deeds }: Case) {
  using stage = new RemoteStage(jobs, deeds)
  await stage.play(stage.begin(stage.machine.executor()).run())
  return { outcome: stage.outcome(), starts: stage.machine.starts.toSorted() }
}

describe('a runner whose executor answers late, twice, out of order or not at all', () => {
  it('comes to the same end as with one that does not', async () => {
    await fc.assert(
      fc.asyncProperty(anyCase(true), async (made) => {
        using stage = new RemoteStage(made.jobs, made.deeds)
        const executor = new RemoteExecutor(siteOf(stage, made.seed), patience)
        const summary = await stage.play(stage.begin(executor).run())
        const { machine } = stage
        expect(summary.stopped).toBeNull()
        expect({ outcome: stage.outcome(), starts: machine.starts.toSorted() }).toEqual(
          await plainly(made),
        )
        expect([machine.beside, machine.running]).toEqual([[], []])
      }),
      { numRuns: 60 },
    )
  })

  it('may die, and who comes after goes on with its jobs', async () => {
    const deaths = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(anyCase(false), deaths, async (made, times) => {
        using stage = new RemoteStage(made.jobs, made.deeds)
        const site = siteOf(stage, made.seed)
        for (const seconds of times) {
          void stage.begin(new RemoteExecutor(site, patience)).run()
          await turn()
          await stage.pass(seconds)
          stage.kill(site)
        }
        await stage.play(stage.begin(new RemoteExecutor(site, patience)).run())
        const { machine } = stage
        const expected = await plainly(made)
        const states = (outcome: ReturnType<RemoteStage['outcome']>) =>
          outcome.map(([name, state]) => [name, state])
        expect(states(stage.outcome())).toEqual(states(expected.outcome))
        // What did not succeed runs again when a workflow is resumed; nothing else does.
        const well = machine.starts.filter((name) => made.deeds(name, 1).exitCode === 0)
        expect(new Set(well).size).toBe(well.length)
        expect([machine.beside, machine.running]).toEqual([[], []])
      }),
      { numRuns: 60 },
    )
  })

  it(
    'ends all that runs when it is stopped, and starts no more',
    { timeout: 120_000 },
    async () => {
      const jobs = fc.integer({ min: 1, max: 12 })
      await fc.assert(
        fc.asyncProperty(fc.nat(), jobs, fc.nat({ max: 30 }), async (seed, count, seconds) => {
          const names = Array.from({ length: count }, (_, index) => someJob(`job${index}`))
          using stage = new RemoteStage(names, () => ({ seconds: 1e9, exitCode: 0 }))
          const runner = stage.begin(new RemoteExecutor(siteOf(stage, seed), patience))
          const run = runner.run()
          await turn()
          await stage.pass(seconds)
          runner.stop('SIGTERM')
          const { states, stopped } = await stage.play(run)
          expect(stopped).toBe('stopped by SIGTERM')
          expect(states).toEqual(
            count > 5 ? { cancelled: 5, waiting: count - 5 } : { cancelled: count },
          )
          const { starts, running } = stage.machine
          expect(running).toEqual([])
          await stage.pass(60)
          expect(stage.machine.starts).toEqual(starts)
          expect(new Set(starts).size, 'some ran twice').toBe(starts.length)
        }),
        { numRuns: 30 },
      )
    },
  )
})

const rule = { exitCodes: null, maxRetries: 5, recoveryScript: null }

describe('an adopted attempt on a node that is not there any more', () => {
  it('is waited for, and its job is tried again on one that is', async () => {
    const failureHandler = { name: 'again', rules: [rule] }
    using stage = new RemoteStage([someJob('a', { failureHandler })], (_, attempt) => {
      return { seconds: 20, exitCode: attempt === 1 ? 3 : 0 }
    })
    const site = siteOf(stage, 1)
    void stage.begin(new RemoteExecutor(site, patience)).run()
    await turn()
    await stage.pass(1000, () => stage.machine.running.length > 0)
    stage.kill(site)
    await stage.play(stage.begin(new RemoteExecutor(site, patience), twoNodes.slice(1)).run())
    expect(stage.outcome()).toEqual([['a', 'success', [3, 0]]])
    const results = stage.ledger.workflows.results(stage.id, { allRuns: true })
    expect(results.map(({ record }) => record.machine.host)).toEqual(['near', 'far'])
  })
})

describe('a machine that is lost with what ran on it', () => {
  it.each([
    { handler: 'with', ends: [['a', 'success', [null, 0]]], starts: ['a', 'a'] },
    { handler: 'without', ends: [['a', 'interrupted', [null]]], starts: ['a'] },
  ])('is for the failure handler of the job to decide on: $handler one', async (expected) => {
    const failureHandler = expected.handler === 'with' ? { name: 'again', rules: [rule] } : null
    using stage = new RemoteStage([someJob('a', { failureHandler })], (_, attempt) => {
      return { seconds: attempt === 1 ? 1e9 : 10, exitCode: 0 }
    })
    const site = siteOf(stage, 1)
    const run = stage.begin(new RemoteExecutor(site, patience)).run()
    await turn()
    await stage.pass(1000, () => stage.machine.running.length > 0)
    for (const { taskId } of stage.ledger.jobs.running()) site.lose(taskId)
    await stage.play(run)
    expect(stage.outcome()).toEqual(expected.ends)
    expect([stage.machine.starts, stage.machine.beside]).toEqual([expected.starts, []])
  })
})

describe('an executor that falls silent', () => {
  const jobs = [
    someJob('a', { failureHandler: { name: 'again', rules: [rule] } }),
    someJob('b', { dependsOn: ['a'] }),
    someJob('c'),
  ]
  const deeds = (name: string): Deed => ({ seconds: name === 'c' ? 30 : 1000, exitCode: 0 })

  /** Cuts the wire when all have started, until they have been given up. */
  async function silence(stage: RemoteStage) {
    const site = siteOf(stage, 1, good)
    const run = stage.begin(new RemoteExecutor(site, patience)).run()
    await turn()
    await stage.pass(5)
    site.wire.isCut = true
    return { site, summary: await stage.play(run) }
  }

  it('has its attempts said to be lost, with the reason, and run by nobody again', async () => {
    using stage = new RemoteStage(jobs, deeds)
    const { summary } = await silence(stage)
    const { failures, states } = summary
    expect(states).toEqual({ interrupted: 2, cancelled: 1 })
    expect(failures.map(({ name, status }) => [name, status])).toEqual([
      ['a', 'interrupted'],
      ['c', 'interrupted'],
    ])
    for (const { reason } of failures)
      expect(reason).toMatch(/^nothing was heard from it for 60\d s; it may still be running$/)
    expect(stage.machine.starts.toSorted()).toEqual(['a', 'c'])
  })

  it('may be heard again by who resumes: what it ran meanwhile counts', async () => {
    using stage = new RemoteStage(jobs, deeds)
    const { site } = await silence(stage)
    site.wire.isCut = false
    await stage.play(stage.begin(new RemoteExecutor(site, patience)).run())
    expect(stage.outcome()).toEqual([
      ['a', 'success', [0]],
      ['b', 'success', [0]],
      ['c', 'success', [0]],
    ])
    expect(stage.machine.starts.toSorted()).toEqual(['a', 'b', 'c'])
  })

  it('has what it tells after that kept', async () => {
    using stage = new RemoteStage([someJob('a'), someJob('b')], (name) => {
      return { seconds: name === 'a' ? 30 : 2000, exitCode: 0 }
    })
    const site = siteOf(stage, 1, good)
    const inner = new RemoteExecutor(site, patience)
    let isDeaf = true
    // Of one of the two attempts nothing is heard for a while.
    const executor: Executor = {
      asking: inner.asking,
      start: (order) => inner.start(order),
      cancel: (...of) => inner.cancel(...of),
      adopt: (left) => inner.adopt(left),
      close: () => inner.close(),
      tellTo(listener) {
        let first: string | undefined
        inner.tellTo({
          accepted: (taskId, handle) => {
            first ??= taskId
            if (taskId !== first) listener.accepted(taskId, handle)
          },
          started: (taskId, figures) => taskId !== first && listener.started(taskId, figures),
          sampled: () => {},
          devicesSampled: () => {},
          ended: (taskId, result) =>
            !(isDeaf && taskId === first) && listener.ended(taskId, result),
          gone: (taskId, why) => listener.gone(taskId, why),
          unknown: (taskId) => listener.unknown(taskId),
          note: (message) => listener.note(message),
          trouble: (message) => listener.trouble(message),
        })
      },
    }
    const run = stage.begin(executor).run()
    await turn()
    await stage.pass(700)
    const lost = stage.outcome().filter(([, state]) => state === 'interrupted')
    expect(lost).toHaveLength(1)
    isDeaf = false
    const [name] = lost[0] ?? []
    const late = stage.left()[0]?.taskId ?? ''
    site.ask(late)
    await stage.play(run)
    expect(stage.outcome().map(([, state]) => state)).toEqual(['success', 'success'])
    expect(stage.said).toEqual([
      `${String(name)}, which was given up, has ended after all: success`,
    ])
    expect(stage.machine.starts.toSorted()).toEqual(['a', 'b'])
  })
})
