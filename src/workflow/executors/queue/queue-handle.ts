/** A queue by what tells it from every other one, and where it was found. */
export interface QueueName {
  /** Kept in the database itself: the same queue may be reached by several addresses. */
  readonly id: string
  /** For people to read, and to try: without what proves who somebody is. */
  readonly address: string
}

/** How an attempt in a queue is found again: there it has the id of its task. */
export interface QueueHandle {
  readonly executor: 'queue'
  readonly queue: QueueName
}

/** A handle as it was kept; undefined for what is none. */
export function parseQueueHandle(note: string | null): QueueHandle | undefined {
  try {
    const handle = JSON.parse(note ?? 'null') as Partial<QueueHandle> | null
    const { id, address } = handle?.queue ?? {}
    const isOne = handle?.executor === 'queue'
    if (!isOne || typeof id !== 'string' || typeof address !== 'string') return undefined
    return { executor: 'queue', queue: { id, address } }
  } catch {
    return undefined
  }
}
