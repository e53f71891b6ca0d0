/** What was known of an attempt at its last sample. */
export interface LastSeen {
  readonly elapsedSeconds: number
  readonly cpuUserSeconds: number
  readonly cpuSystemSeconds: number
  /** The most of all samples. */
  readonly memoryPeakBytes: number
  readonly samples: number
}

/** As it is noted beside the ledger: samples of workflows are not in it, and most are kept nowhere. */
export const lastSeenText = (taskId: string, seen: LastSeen): string =>
  JSON.stringify({ seenOf: taskId, ...seen })

/** The task and what was known of it; undefined for a note about something else. What is not a number was not measured. */
export function parseLastSeen(text: string): readonly [string, LastSeen] | undefined {
  try {
    const note = JSON.parse(text) as Readonly<Record<string, unknown>> | null
    const taskId = note?.['seenOf']
    if (note === null || typeof taskId !== 'string') return undefined
    const figure = (name: keyof LastSeen): number => {
      const value = note[name]
      return typeof value === 'number' && value >= 0 ? value : Number.NaN
    }
    return [
      taskId,
      {
        elapsedSeconds: figure('elapsedSeconds'),
        cpuUserSeconds: figure('cpuUserSeconds'),
        cpuSystemSeconds: figure('cpuSystemSeconds'),
        memoryPeakBytes: figure('memoryPeakBytes'),
        samples: figure('samples') || 0,
      },
    ]
  } catch {
    return undefined
  }
}
