import { useSignal, type ReadonlySignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { JobBrief, JobPage } from '../../../src/server/schemas/job.ts'
import { ApiError, ask } from '../../api.ts'
import { resets } from '../../live/stream.ts'
import { filterNames, type Filter } from './filter.ts'

export interface JobsRead {
  readonly jobs: readonly JobBrief[]
  /** Asks for more; null: these are all. */
  readonly next: string | null
  readonly isWaiting: boolean
  readonly error: ApiError | undefined
}

/** A screen holds about twenty; the first page is small, so that it is there at once. */
const [firstPage, otherPages] = [100, 500] as const
/** After events were missed, at most so many are read again at once. */
const mostReadAgain = 2000

const nothing: JobsRead = { jobs: [], next: null, isWaiting: true, error: undefined }

/** The jobs of a list as far as they were wanted: `more` reads the next page. */
export function useJobs(filter: Filter): {
  readonly read: ReadonlySignal<JobsRead>
  readonly more: () => void
  /** Reads anew as much as was read. */
  readonly again: () => void
} {
  const read = useSignal<JobsRead>(nothing)
  const turn = useRef(0)
  const isReading = useRef(false)
  const key = queryOf(filter)

  const load = async (wanted: number): Promise<void> => {
    const own = ++turn.current
    isReading.current = true
    await reading(
      read,
      () => own === turn.current,
      async () => {
        let page = await pageOf(key, firstPage, null)
        const jobs = [...page.jobs]
        while (jobs.length < wanted && page.next_cursor !== null) {
          page = await pageOf(key, otherPages, page.next_cursor)
          jobs.push(...page.jobs)
        }
        return { jobs, next: page.next_cursor }
      },
    )
    if (own === turn.current) isReading.current = false
  }
  const more = async (): Promise<void> => {
    const { jobs, next, error } = read.peek()
    if (isReading.current || next === null || error !== undefined) return
    const own = turn.current
    isReading.current = true
    await reading(
      read,
      () => own === turn.current,
      async () => {
        const page = await pageOf(key, otherPages, next)
        return { jobs: [...jobs, ...page.jobs], next: page.next_cursor }
      },
    )
    if (own === turn.current) isReading.current = false
  }
  useEffect(() => {
    read.value = nothing
    void load(0)
  }, [key])
  const again = (): void => void load(Math.min(mostReadAgain, read.peek().jobs.length))
  useEffect(() => {
    if (resets.value > 0) again()
  }, [resets.value])
  return { read, more: () => void more(), again }
}

async function reading(
  read: { value: JobsRead; peek: () => JobsRead },
  isWanted: () => boolean,
  ask_: () => Promise<Pick<JobsRead, 'jobs' | 'next'>>,
): Promise<void> {
  read.value = { ...read.peek(), isWaiting: true, error: undefined }
  try {
    const found = await ask_()
    if (isWanted()) read.value = { ...found, isWaiting: false, error: undefined }
  } catch (thrown) {
    const error = thrown instanceof ApiError ? thrown : new ApiError(0, String(thrown))
    if (isWanted()) read.value = { ...read.peek(), isWaiting: false, error }
  }
}

function queryOf(filter: Filter): string {
  const query = new URLSearchParams()
  for (const name of filterNames) if (filter[name] !== undefined) query.set(name, filter[name])
  return query.toString()
}

const pageOf = (query: string, limit: number, cursor: string | null): Promise<JobPage> =>
  ask<JobPage>(
    `/jobs?limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}${query === '' ? '' : `&${query}`}`,
  )
