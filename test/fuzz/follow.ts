import type { FollowedJob, FollowRequest } from '../../src/meter/followed-job.ts'
import { Meter } from '../../src/meter/meter.ts'
import { sampleColumns, sampleWidth, type SampleColumn } from '../../src/model/sample.ts'
import type { System } from '../../src/system/system.ts'
import type { MadeMachine, MadeProcess } from './made-machine.ts'

export type NamedSample = Readonly<Record<SampleColumn, number>>

export interface Following {
  readonly meter: Meter
  readonly job: FollowedJob
  readonly root: MadeProcess
  readonly samples: NamedSample[]
}

/** Follows a process of a made-up machine, by default as a job that was just started. */
export function follow(
  machine: MadeMachine,
  differences: Partial<FollowRequest> & { readonly system?: System; readonly meter?: Meter } = {},
): Following {
  const { system = machine.system, meter = new Meter(system), ...request } = differences
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
  return { meter, job, root, samples }
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
