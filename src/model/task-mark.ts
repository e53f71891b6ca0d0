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

const outer = new RegExp(`(?:^|\\0)${outerTasksVariable}=([0-9a-f,]+)(?:\\0|$)`)

/** The attempts around a process, by the text of its environment. */
export const outerTasksOf = (environment: string): readonly string[] =>
  outer.exec(environment)?.[1]?.split(',') ?? []
