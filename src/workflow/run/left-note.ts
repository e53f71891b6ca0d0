/**
 * What is noted of an attempt as long as it runs, for those who come after a runner that died: how its executor finds it
 * again, and where that may be of use, the GPUs that it has. The ledger knows the rest.
 */
export interface LeftNote {
  readonly taskId: string
  /** A recovery script or a command of an action, which is no attempt in the ledger. */
  readonly isScript: boolean
  readonly gpus: readonly string[]
  /** To which it was handed; null: to this machine. */
  readonly executor: string | null
}

/** A note as it was written; undefined for what is none. */
export function parseLeftNote(text: string): LeftNote | undefined {
  try {
    const note = JSON.parse(text) as Partial<Record<string, unknown>> | null
    const { taskId, isScript, gpus, executor } = note ?? {}
    if (typeof taskId !== 'string') return undefined
    const names: readonly unknown[] = Array.isArray(gpus) ? gpus : []
    return {
      taskId,
      isScript: isScript === true,
      gpus: names.filter((name) => typeof name === 'string'),
      executor: typeof executor === 'string' ? executor : null,
    }
  } catch {
    return undefined
  }
}
