import type { ApiDocument, ApiOperation } from '../../../src/server/document/document.ts'
import type { Belongings } from './two-people.ts'

export interface Listed {
  readonly id: string
  readonly path: string
  readonly method: string
  readonly operation: ApiOperation
}

/** Every operation of a document. */
export const operationsOf = (document: ApiDocument): Listed[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      id: operation.operationId,
      path,
      method,
      operation,
    })),
  )

/** What the parameters of a path are for what belongs to somebody. */
export function valuesFor(id: string, own: Belongings): Readonly<Record<string, string>> {
  return {
    task_id: id === 'getLog' ? own.workflowTaskId : own.taskId,
    workflow_id: String(own.workflowId),
    benchmark_id: String(own.benchmarkId),
    alert_id: own.alertId,
    stream: 'stdout',
    host: 'node01',
    job: own.nodeJob,
  }
}

export const filled = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? name))

/** When the nodes were looked at. */
const madeSpan = (): string => '?from=2026-03-23&to=2026-04-30'

/** What an operation cannot be asked without. */
export const neededQuery: Readonly<Record<string, (own: Belongings) => string>> = {
  getScaling: ({ taskId }) => `?runs=${taskId}`,
  getComparison: ({ taskId, workflowTaskId }) => `?left=${taskId}&right=${workflowTaskId}`,
  getUsage: madeSpan,
  getUsageHeat: () => `${madeSpan()}&by=user`,
  listNodes: madeSpan,
  getNode: madeSpan,
  listNodeCurves: madeSpan,
  getNodeChart: madeSpan,
  getNodeUptime: madeSpan,
  listNodeJobs: madeSpan,
  getReservations: madeSpan,
}

export const neededBody: Readonly<Record<string, unknown>> = {
  submitCommand: { command: ['true'] },
  submitSpec: { spec: 'name: a\njobs: [{name: b, command: "true"}]\n', file_name: 'a.yaml' },
  signIn: { token: 'not the one' },
}
