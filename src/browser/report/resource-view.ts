import type { ReportJob } from '../../render/page/report-content.ts'
import type { ReportResource } from '../../render/page/report-resources.ts'
import { briefBytes, briefPercent, briefSeconds } from '../../render/units/brief-figures.ts'
import type { TickBase } from '../../render/units/ticks.ts'

/** Which resource is shown, and whether as measured or in percent of the request. */
export interface View {
  readonly resource: ReportResource
  readonly unit: 'raw' | 'share'
}

export const titles: Readonly<Record<ReportResource, string>> = {
  memory: 'Memory',
  cpu: 'CPU',
  runtime: 'Runtime',
}

export const units = [
  ['raw', 'as measured'],
  ['share', '% of request'],
] as const

const words: Readonly<Record<ReportResource, (value: number) => string>> = {
  memory: briefBytes,
  cpu: (percent) => briefPercent(percent, 1),
  runtime: briefSeconds,
}

const bases: Readonly<Record<ReportResource, TickBase>> = { memory: 1024, cpu: 10, runtime: 60 }

export const valueWords = ({ resource, unit }: View, value: number): string =>
  unit === 'raw' ? words[resource](value) : briefPercent(value)

export const baseOf = ({ resource, unit }: View): TickBase =>
  unit === 'raw' ? bases[resource] : 10

export function valueOf({ use }: ReportJob, { resource, unit }: View): number | null {
  const { used, share } = use[resource]
  return unit === 'raw' ? used : share
}

/** What the job asked for; in percent of that it is always 100. */
export function requestOf({ use }: ReportJob, { resource, unit }: View): number | null {
  const { request } = use[resource]
  return unit === 'raw' || request === null ? request : 100
}
