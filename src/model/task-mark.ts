import type { Requirements } from './job.ts'

/** In the environment of a job's processes: the attempt that they belong to. */
export const taskVariable = 'JOBMETER_TASK_ID'
/** Where jobmeter runs inside of a job of another: the attempts around it, from the outside in. */
const outerTasksVariable = 'JOBMETER_OUTER_TASKS'

export const taskMark = (taskId: string): string => `${taskVariable}=${taskId}`

/** What jobmeter adds to the environment of a job. */
export function taskEnvironment(
  taskId: string,
  own: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const around = own[taskVariable]
  if (around === undefined || !/^[0-9a-f]+$/.test(around)) return { [taskVariable]: taskId }
  const further = own[outerTasksVariable]
  const outer = further === undefined ? around : `${further},${around}`
  return { [taskVariable]: taskId, [outerTasksVariable]: outer }
}

let outer: RegExp | undefined

/** The attempts around a process, by the text of its environment. */
export function outerTasksOf(environment: string): readonly string[] {
  outer ??= new RegExp(`(?:^|\\0)${outerTasksVariable}=([0-9a-f,]+)(?:\\0|$)`)
  return outer.exec(environment)?.[1]?.split(',') ?? []
}

/** In the environment of a job's processes: what the job asked for, so that who watches the whole node can tell. */
export const requestVariable = 'JOBMETER_REQUEST'

/** Undefined for a job that asked for nothing. */
export function requestMark(requirements: Requirements): string | undefined {
  const { cpus, memoryBytes: memory, gpus, runtimeSeconds: runtime } = requirements
  const parts = Object.entries({ cpus, memory, gpus, runtime }).flatMap(([name, asked]) =>
    asked === null ? [] : [`${name}=${asked}`],
  )
  return parts.length === 0 ? undefined : parts.join(',')
}
