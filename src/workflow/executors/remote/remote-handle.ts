/** How an attempt that runs elsewhere is found again: by whom, its folder, and what the site calls it. */
export interface RemoteHandle {
  readonly executor: string
  readonly folder: string
  /** How it was to be handed over, where the executor has several ways. */
  readonly by?: string
  /** Absent until the site has it, as far as we know. */
  readonly site?: Readonly<Record<string, unknown>>
  /** As the one that runs it says, once it has started. */
  readonly ranAs?: Readonly<Record<string, string>>
}

/** A handle as it was kept; undefined for what is none. */
export function parseHandle(note: string | null): RemoteHandle | undefined {
  try {
    const handle = JSON.parse(note ?? 'null') as Partial<RemoteHandle> | null
    if (typeof handle?.executor !== 'string' || typeof handle.folder !== 'string') return undefined
    return handle as RemoteHandle
  } catch {
    return undefined
  }
}
