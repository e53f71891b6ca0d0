import type { Asking } from './asking.ts'
import type { NodeDialect } from './dialect.ts'
import { readHostCurve } from './host-curve.ts'
import { readJobs } from './job-list.ts'
import { readJobSeries } from './job-series.ts'
import type { NodeReader, QuestionName } from './node-reader.ts'
import {
  readExtents,
  readHours,
  readNames,
  readNeighbours,
  readWasLooked,
} from './observed-query.ts'
import { readStates } from './state-query.ts'
import { readBoots, readStretches } from './stretches.ts'
import { readUsage } from './usage-query.ts'
import { readJudgedHosts, readViolations } from './violation-query.ts'
import { readWall } from './wall-query.ts'

/** How each question is asked of whoever has the tables of an agent's database. */
export type NodeAskings = {
  readonly [Name in QuestionName]: (
    ...given: Parameters<NodeReader[Name]>
  ) => Asking<ReturnType<NodeReader[Name]>>
}

export const nodeAskings = (dialect: NodeDialect): NodeAskings => ({
  jobs: (query) => readJobs(dialect, query),
  series: (job) => readJobSeries(job),
  states: (query) => readStates(dialect, query),
  usage: (query) => readUsage(dialect, query),
  wall: (query) => readWall(dialect, query),
  hostCurve: (query) => readHostCurve(query),
  stretches: (from, to, host) => readStretches(dialect, from, to, host),
  boots: () => readBoots(),
  extents: () => readExtents(),
  hours: () => readHours(),
  neighbours: (from, to, hosts) => readNeighbours(from, to, hosts),
  wasLooked: (from, to, hosts) => readWasLooked(dialect, from, to, hosts),
  names: (dictionary) => readNames(dictionary),
  violations: (query) => readViolations(query),
  judgedHosts: () => readJudgedHosts(),
})
