import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rules } from '../../../src/server/access/rules.ts'
import type { Viewer } from '../../../src/server/access/viewer.ts'
import {
  filled,
  neededBody,
  neededQuery,
  operationsOf,
  valuesFor,
  type Listed,
} from './operations.ts'
import {
  ada,
  administrator,
  manager,
  stranger,
  TwoPeople,
  withScopes,
  type Belongings,
} from './two-people.ts'

let people: TwoPeople
let operations: readonly Listed[]
beforeAll(async () => {
  people = new TwoPeople()
  operations = operationsOf(await people.document())
})
afterAll(() => people[Symbol.dispose]())

/**
 * What the status of an answer may be: to who may see what is ada's, and to somebody who may not. `list`: both are answered, and
 * the one who may not sees nothing of it.
 */
interface Row {
  readonly own: number | readonly number[]
  readonly foreign: number | readonly number[] | 'list'
}

const object: Row = { own: 200, foreign: 404 }
const list: Row = { own: 200, foreign: 'list' }
const forAll: Row = { own: 200, foreign: 200 }
/** Nothing of it is anybody's own, and it is refused for a reason of its own. */
const refused = (status: number): Row => ({ own: status, foreign: status })

/** Every operation there is. One that has no row here fails the test. */
const table: Readonly<Record<string, Row>> = {
  getHealth: forAll,
  getReadiness: forAll,
  getDocument: forAll,
  getDocumentPage: forAll,
  getDocumentStyle: forAll,
  getSignIn: forAll,
  signIn: refused(401),
  signOut: forAll,
  beginOidcSignIn: refused(404),
  endOidcSignIn: refused(404),
  getMetrics: refused(403),
  getDoctor: refused(403),
  getMe: forAll,
  listJobs: list,
  submitCommand: refused(403),
  getJob: object,
  listAttempts: object,
  getSamples: object,
  getDevices: object,
  getMarks: object,
  getChart: object,
  getParts: object,
  getFindings: object,
  getJobReport: object,
  listPastRuns: object,
  getJobRecommendation: object,
  getLog: object,
  // It is over: nobody can end it any more.
  cancelJob: { own: 409, foreign: 404 },
  listWorkflows: list,
  submitSpec: refused(403),
  getWorkflow: object,
  listRuns: object,
  listWorkflowJobs: object,
  listResults: object,
  getPlan: object,
  getUtilization: object,
  getRecommendations: object,
  getWorkflowReport: object,
  cancelWorkflow: { own: 202, foreign: 404 },
  // Running again what is one's own is starting something.
  resumeWorkflow: refused(403),
  getStatistics: list,
  getScaling: object,
  getComparison: object,
  listBenchmarks: list,
  getBenchmark: object,
  getUsage: list,
  getUsageHeat: list,
  listHogs: list,
  listPolicies: forAll,
  listNodes: forAll,
  getNode: forAll,
  listNodeCurves: forAll,
  getNodeChart: forAll,
  getNodeUptime: forAll,
  listNodeJobs: list,
  getNodeJob: object,
  getReservations: list,
  listAlerts: list,
  listAlertRules: forAll,
  acknowledgeAlert: { own: 200, foreign: 404 },
  streamEvents: forAll,
}

/** Sums; and there was nobody who broke a policy. */
const hasNoNames = new Set(['getStatistics', 'listHogs'])

const call = async (
  { id, path, method }: Listed,
  whose: Belongings,
  viewer: Viewer | null,
): Promise<{ readonly status: number; readonly text: string }> => {
  const address = `${filled(path, valuesFor(id, whose))}${neededQuery[id]?.(whose) ?? ''}`
  const answer = await people.ask(address, viewer, {
    method: method.toUpperCase(),
    ...(method === 'post' ? { body: JSON.stringify(neededBody[id] ?? {}) } : {}),
  })
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream) await answer.body?.cancel()
  return { status: answer.status, text: isStream ? '' : await answer.text() }
}

const statuses = (of: number | readonly number[]): readonly number[] => [of].flat()

describe('who may see what', () => {
  it('says of every operation whom it serves', () => {
    expect(operations.map(({ id }) => id).toSorted()).toEqual(Object.keys(table).toSorted())
  })

  it('tells those who may see it', async () => {
    for (const operation of operations)
      for (const viewer of [ada, manager]) {
        const { status } = await call(operation, people.ada, viewer)
        const row = table[operation.id]
        expect(statuses(row?.own ?? []), `${operation.id} to ${viewer.user}`).toContain(status)
      }
  })

  it('tells administrators everything, except what must be allowed first', async () => {
    const notAllowed = new Set(['submitCommand', 'submitSpec', 'resumeWorkflow'])
    for (const operation of operations) {
      const { id } = operation
      const { status } = await call(operation, people.ada, administrator)
      const usual = statuses(table[id]?.own ?? [])
      const isForThem = rules[id]?.serves === 'administrator'
      expect(isForThem ? [200] : usual, id).toContain(status)
      expect(status === 403, id).toBe(notAllowed.has(id))
    }
  })

  it('tells nobody else, by any word', async () => {
    for (const operation of operations)
      for (const [viewer, whose] of [
        [stranger, people.ada],
        [ada, people.eve],
        [manager, people.eve],
      ] as const) {
        const { id } = operation
        const { status, text } = await call(operation, whose, viewer)
        const row = table[id]?.foreign ?? []
        const wanted = row === 'list' ? [200] : statuses(row)
        expect(wanted, `${id} of ${whose.user} to ${viewer.user}`).toContain(status)
        if (row !== 'list') continue
        for (const secret of [`of ${whose.user}`, whose.taskId, whose.alertId, `"${whose.user}"`])
          expect(text, `${id} of ${whose.user} to ${viewer.user}`).not.toContain(secret)
      }
  })

  it('has something to hide in every list', async () => {
    for (const operation of operations) {
      if (table[operation.id]?.foreign !== 'list' || hasNoNames.has(operation.id)) continue
      const { text } = await call(operation, people.ada, administrator)
      expect(text, operation.id).toMatch(/"ada"|of ada/)
    }
  })

  it('says nothing of what is somebody else’s that it does not say of what is not there', async () => {
    const nowhere = {
      ...people.ada,
      taskId: '9'.repeat(32),
      workflowTaskId: '9'.repeat(32),
      workflowId: 99,
      benchmarkId: 99,
      alertId: 'no-alert',
      nodeJob: 'slurm:99@node01',
    }
    for (const operation of operations) {
      if (table[operation.id]?.foreign !== 404) continue
      const foreign = await call(operation, people.eve, ada)
      const missing = await call(operation, nowhere, ada)
      const names = (text: string): string =>
        [people.eve, nowhere].reduce(
          (said, { taskId, workflowTaskId, nodeJob }) =>
            [taskId, workflowTaskId, nodeJob].reduce((one, id) => one.replaceAll(id, 'ID'), said),
          text,
        )
      expect(names(foreign.text), operation.id).toBe(names(missing.text))
    }
  })

  it('tells who is not signed in only what is open', async () => {
    for (const operation of operations) {
      const { id } = operation
      const { status } = await call(operation, people.ada, null)
      const isOpen = rules[id]?.serves === 'open'
      // Who signs in with a wrong token is not signed in either.
      expect(status === 401, id).toBe(!isOpen || id === 'signIn')
      expect(status, id).not.toBe(403)
    }
  })

  it('does nothing for a token that was made for something else', async () => {
    for (const operation of operations) {
      const { id } = operation
      const scope = rules[id]?.scope ?? null
      if (scope === null) continue
      const others = (['read', 'act', 'metrics'] as const).filter((one) => one !== scope)
      const viewer = withScopes(administrator, ...others)
      const { status } = await call(operation, people.ada, viewer)
      expect(status, `${id} without ${scope}`).toBe(403)
    }
  })

  it('had no fault', () => expect(people.faults).toEqual([]))
})
