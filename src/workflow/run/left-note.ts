/**
 * What is noted of an attempt as long as it runs, for those who come after a runner that died: how its executor finds it
 * again, and where that may be of use, what it takes of which node.
 */
export interface LeftNote {
  readonly taskId: string
  /** A recovery script or a command of an action, which is no attempt in the ledger. */
  readonly isScript: boolean
  /** null where it was not noted. */
  readonly node: string | null
  readonly gpus: readonly string[]
}

/** A note as it was written; undefined for what is none. */
export function parseLeftNote(text: string): LeftNote | undefined {
  try {
    const note = JSON.parse(text) as Partial<Record<string, unknown>> | null
    const { taskId, isScript, node, gpus } = note ?? {}
    if (typeof taskId !== 'string') return undefined
    const names: readonly unknown[] = Array.isArray(gpus) ? gpus : []
    return {
      taskId,
      isScript: isScript === true,
      node: typeof node === 'string' ? node : null,
      gpus: names.filter((name) => typeof name === 'string'),
    }
  } catch {
    return undefined
  }
}
