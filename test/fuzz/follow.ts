import type { FollowRequest } from '../../src/meter/follow-request.ts'
import type { FollowedJob } from '../../src/meter/followed-job.ts'
import type { FollowedGauge, Gauge, MeteredJob } from '../../src/meter/gauges/gauge.ts'
import { shippedGauges } from '../../src/meter/gauges/shipped.ts'
import { Meter } from '../../src/meter/meter.ts'
import { gatherUsage } from '../../src/meter/usage-of-gauges.ts'
import { sampleWidth } from '../synthetic/sample-width.ts'
import { sampleColumns, type SampleColumn } from '../../src/model/sample.ts'
import type { Usage } from '../../src/model/usage.ts'
import type { System } from '../../src/system/system.ts'
import type { MadeMachine, MadeProcess } from './made-machine.ts'

export type NamedSample = Readonly<Record<SampleColumn, number>>

export interface FollowedMachine {
  readonly meter: Meter
  readonly job: FollowedJob
  readonly root: MadeProcess
  readonly samples: NamedSample[]
  /** What the gauges are given of the job. */
  readonly inside: MeteredJob
  /** What its usage would say if it ended now. */
  readonly usageNow: () => Usage
}

let given: { readonly job: MeteredJob; readonly gauges: FollowedGauge[] } | undefined

/** The shipped gauges, which tell here what they are given. */
const openGauges = shippedGauges.map((gauge): Gauge => ({
  ...gauge,
  follow(job) {
    if (given?.job !== job) given = { job, gauges: [] }
    const followed = gauge.follow(job)
    given.gauges.push(followed)
    return followed
  },
}))

/** Follows a process of a made-up machine, by default as a job that was just started. */
export function follow(
  machine: MadeMachine,
  differences: Partial<FollowRequest> & { readonly system?: System; readonly meter?: Meter } = {},
): FollowedMachine {
  const { system = machine.system, meter = new Meter(system, openGauges), ...request } = differences
  const samples: NamedSample[] = []
  const root =
    request.rootPid === undefined ? machine.start() : machine.processes.get(request.rootPid)
  if (root === undefined) throw new Error(`no process ${request.rootPid}`)
  const job = meter.follow({
    rootPid: root.pid,
    intervalSeconds: 1,
    mark: 'JOBMETER_TASK_ID=a',
    cgroup: null,
    origin: 'launched',
    launcherBytes: 0,
    onSamples: (rows, count) => samples.push(...nameSamples(rows, count)),
    ...request,
  })
  if (given === undefined) throw new Error('the meter has other gauges')
  const { job: inside, gauges } = given
  const usageNow = () =>
    gatherUsage(gauges, {
      durationSeconds: job.elapsedSeconds(),
      blindSeconds: 0,
      blindInAllSeconds: 0,
      unlookedSeconds: 0,
    })
  return { meter, job, root, samples, inside, usageNow }
}

export function nameSamples(rows: Float64Array, count: number): NamedSample[] {
  return Array.from({ length: count }, (_, index) => {
    const values = sampleColumns.map(({ name }, column) => [
      name,
      rows[index * sampleWidth + column],
    ])
    return Object.fromEntries(values) as NamedSample
  })
}
