import type { System } from '../system/system.ts'

const mark = /(?:^|\0)JOBMETER_TASK_ID=([0-9a-f]+)(?:\0|$)/

/**
 * Kills what is left of attempts whose runner was killed: processes that still carry the mark of one of these tasks.
 * Without that, such a job would be run again beside itself. Answers the processes; others' are not ours to see.
 */
export function killLeftovers(system: System, taskIds: ReadonlySet<string>): readonly number[] {
  const names = taskIds.size === 0 ? undefined : system.files.list('/proc')
  if (names?.kind !== 'ok') return []
  return names.value.flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const environment = system.files.readText(`/proc/${name}/environ`)
    const taskId = environment.kind === 'ok' ? mark.exec(environment.value)?.[1] : undefined
    const ours = taskId !== undefined && taskIds.has(taskId)
    return ours && system.processes.signal(Number(name), 'SIGKILL') ? [Number(name)] : []
  })
}
