import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { someJob, someWorkflow } from '../../../test/contracts/workflows.ts'
import { noRequirements } from '../../model/job.ts'
import type { Workflow, WorkflowJob } from '../../model/workflow.ts'
import type { JobState, StoredWorkflow } from '../../store/ledger/workflow-store.ts'
import { compareMended } from './mended.ts'

function stored(workflow: Workflow, states: readonly JobState[]): StoredWorkflow {
  return {
    workflowId: 1,
    workflow,
    jobs: workflow.jobs.map((job, position) => ({
      jobId: position + 1,
      state: states[position] ?? 'success',
      attempts: 1,
      job,
    })),
  } as unknown as StoredWorkflow
}

const workflowOf = (jobs: readonly WorkflowJob[], differences: Partial<Workflow> = {}) =>
  someWorkflow(jobs, differences).workflow

/** fetch → clean → report; other stands alone. All have succeeded. */
const chain = [
  someJob('fetch', { inputFiles: ['raw'], inputUserData: ['rate'] }),
  someJob('clean', { dependsOn: ['fetch'] }),
  someJob('report', { dependsOn: ['clean'] }),
  someJob('other'),
]
const parts: Partial<Workflow> = {
  files: [{ name: 'raw', path: 'raw.csv' }],
  userData: [{ name: 'rate', data: { value: 1 }, isEphemeral: false }],
}
const mended = (edit: (jobs: WorkflowJob[]) => WorkflowJob[], differences = parts) =>
  compareMended(stored(workflowOf(chain, parts), []), workflowOf(edit([...chain]), differences))
const change = (name: string, differences: Partial<WorkflowJob>) => (jobs: WorkflowJob[]) =>
  jobs.map((job) => (job.name === name ? { ...job, ...differences } : job))
const same = (jobs: WorkflowJob[]) => jobs

describe('a mended workflow', () => {
  it('keeps everything where nothing changed', () => {
    expect(mended(same)).toEqual({
      changed: [],
      added: [],
      following: [],
      removed: [],
      states: ['success', 'success', 'success', 'success'],
    })
  })

  it.each<[string, Partial<WorkflowJob>]>([
    ['its command', { command: 'other' }],
    ['what is put before it', { invocationScript: 'srun' }],
    ['its environment', { environment: { A: '1' } }],
    ['what it reads', { inputFiles: [] }],
    ['what it writes', { outputFiles: ['raw'] }],
    ['the data that it reads', { inputUserData: [] }],
    ['the data that it writes', { outputUserData: ['rate'] }],
    ['what it waits for', { dependsOn: ['other'] }],
  ])('runs a job again of which %s changed, and what depends on it', (_, differences) => {
    expect(mended(change('fetch', differences))).toMatchObject({
      changed: ['fetch'],
      following: ['clean', 'report'],
      states: ['waiting', 'waiting', 'waiting', 'success'],
    })
  })

  it.each<[string, Partial<WorkflowJob>]>([
    ['what it asks for', { requirements: { ...noRequirements, memoryBytes: 1 } }],
    ['the name of that', { requirementsName: 'large' }],
    ['its priority', { priority: 7 }],
    ['what is done when it fails', { failureHandler: { name: 'again', rules: [] } }],
    ['whether it is cancelled', { cancelOnBlockingJobFailure: false }],
    ['what it no longer waits for', { dependsOn: [] }],
  ])('keeps a job of which only %s changed', (_, differences) => {
    const { changed, states } = mended(change('report', differences))
    expect({ changed, states }).toEqual({ changed: [], states: Array(4).fill('success') })
  })

  it('runs again what an environment, a path or data for it reaches', () => {
    expect(mended(same, { ...parts, environment: { A: '1' } }).changed).toHaveLength(4)
    const files = [{ name: 'raw', path: 'new.csv' }]
    expect(mended(same, { ...parts, files }).changed).toEqual(['fetch'])
    const userData = [{ name: 'rate', data: { value: 2 }, isEphemeral: false }]
    expect(mended(same, { ...parts, userData }).changed).toEqual(['fetch'])
  })

  it('drops what is gone and runs what is new', () => {
    const edit = (jobs: WorkflowJob[]) => [...jobs.slice(0, 3), someJob('new')]
    expect(mended(edit)).toMatchObject({ added: ['new'], removed: ['other'], following: [] })
  })
})

const states: readonly JobState[] = ['success', 'success', 'failed', 'waiting', 'interrupted']
const edits = [
  'none',
  'none',
  'none',
  'command',
  'requirements',
  'remove',
  'wait for more',
] as const

/** A graph in which each job may wait for earlier ones, how each stands, and what becomes of each in the mended file. */
const anyEdit = fc.array(
  fc.record({
    waitsFor: fc.array(fc.nat(), { maxLength: 3 }),
    state: fc.constantFrom(...states),
    edit: fc.constantFrom(...edits),
    insertsBefore: fc.boolean(),
  }),
  { maxLength: 14 },
)
type Plan = typeof anyEdit extends fc.Arbitrary<infer T> ? T : never

const nameOf = (index: number): string => `j${index}`
const waits = (picks: readonly number[], index: number): string[] =>
  index === 0 ? [] : [...new Set(picks.map((pick) => nameOf(pick % index)))]

function before(plan: Plan): WorkflowJob[] {
  return plan.map(({ waitsFor }, index) =>
    someJob(nameOf(index), { dependsOn: waits(waitsFor, index) }),
  )
}

function after(plan: Plan): WorkflowJob[] {
  const removed = new Set(
    plan.flatMap(({ edit }, index) => (edit === 'remove' ? [nameOf(index)] : [])),
  )
  return plan.flatMap(({ waitsFor, edit, insertsBefore }, index) => {
    if (edit === 'remove') return []
    const names = waits(waitsFor, index).filter((name) => !removed.has(name))
    const inserted = insertsBefore && edit === 'wait for more' ? [someJob(`new${index}`)] : []
    const extra = edit !== 'wait for more' ? [] : inserted.length > 0 ? [`new${index}`] : []
    return [
      ...inserted,
      someJob(nameOf(index), {
        dependsOn: [...names, ...extra],
        ...(edit === 'command' ? { command: 'mended' } : {}),
        ...(edit === 'requirements' ? { requirements: { ...noRequirements, cpus: 9 } } : {}),
      }),
    ]
  })
}

/** Which jobs keep their success, told from the edits alone: by asking each job about all that it waits for. */
function truth(plan: Plan, jobs: readonly WorkflowJob[]): Record<string, boolean> {
  const touched = (name: string): boolean => {
    const index = Number(name.slice(1))
    const { edit, insertsBefore } = plan[index] ?? { edit: 'none', insertsBefore: false }
    return edit === 'command' || (edit === 'wait for more' && insertsBefore)
  }
  const again = (name: string): boolean =>
    name.startsWith('new') ||
    touched(name) ||
    (jobs.find((job) => job.name === name)?.dependsOn ?? []).some(again)
  return Object.fromEntries(
    jobs.map(({ name }) => [
      name,
      !again(name) && plan[Number(name.slice(1))]?.state === 'success',
    ]),
  )
}

describe('any edit of any workflow', () => {
  it('has exactly those run again that changed, are new, or depend on such', () => {
    fc.assert(
      fc.property(anyEdit, (plan) => {
        const old = before(plan)
        const jobs = after(plan)
        const found = compareMended(
          stored(
            workflowOf(old),
            plan.map(({ state }) => state),
          ),
          workflowOf(jobs),
        )
        const kept = Object.fromEntries(
          jobs.map(({ name }, position) => [name, found.states[position] === 'success']),
        )
        expect(kept).toEqual(truth(plan, jobs))
        expect(found.removed).toEqual(
          plan.flatMap(({ edit }, index) => (edit === 'remove' ? [nameOf(index)] : [])),
        )
      }),
      { numRuns: 400, seed: 12 },
    )
  })
})
