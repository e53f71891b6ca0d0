import type { LedgerReader } from './ledger-reader.ts'

type Part = 'jobs' | 'workflows' | 'benchmarks'
type Method = (...given: unknown[]) => unknown
type Each = LedgerReader['jobs']['each']

/** Whoever has a reader for each question: the same one, or another one by now. */
export interface Door {
  readonly path: string
  /** The reader stays as it is until the answer is there. */
  ask<T>(question: (reader: LedgerReader) => T | Promise<T>): Promise<T>
  close(): void | Promise<void>
}

/** A reader for those who know only readers: each of their questions goes through the door. */
export function readerThrough(door: Door): LedgerReader {
  const part = <Name extends Part>(name: Name): LedgerReader[Name] =>
    new Proxy({} as LedgerReader[Name], {
      get:
        (_, method) =>
        (...given: unknown[]): unknown =>
          method === 'each'
            ? eachOf(door, given as Parameters<Each>)
            : door.ask((reader) =>
                (reader[name] as unknown as Record<PropertyKey, Method>)[method]?.(...given),
              ),
    })
  return {
    path: door.path,
    jobs: part('jobs'),
    workflows: part('workflows'),
    benchmarks: part('benchmarks'),
    close: async () => door.close(),
  }
}

/** Keeps the reader for as long as somebody reads. */
async function* eachOf(door: Door, given: Parameters<Each>): ReturnType<Each> {
  const read = Promise.withResolvers<void>()
  const found = Promise.withResolvers<ReturnType<Each>>()
  const asked = door.ask(async ({ jobs }) => {
    found.resolve(jobs.each(...given))
    await read.promise
  })
  asked.catch(found.reject)
  try {
    yield* await found.promise
  } finally {
    read.resolve()
  }
}
