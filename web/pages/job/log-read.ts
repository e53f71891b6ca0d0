import { useSignal, type ReadonlySignal, type Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiError, askText } from '../../api.ts'
import { whileShown } from '../../while-shown.ts'
import { withPiece, type LogPiece, type LogRead } from './log-piece.ts'

export type LogStream = 'stdout' | 'stderr'

/** As many as are kept in the page; the whole file can be downloaded. */
const mostBytes = 200_000

const empty: LogRead = { text: '', why: null, isCut: false }

/** The end of what a job wrote, undefined until it is read; while the job runs, what it writes is added. */
export function useLog(
  path: string,
  stream: LogStream,
  isRunning: boolean,
): ReadonlySignal<LogRead | undefined> {
  const log = useSignal<LogRead | undefined>(undefined)
  useEffect(() => {
    log.value = isRunning ? empty : undefined
    const address = `${path}/logs/${stream}`
    return isRunning ? follow(address, log) : readOnce(address, log)
  }, [path, stream, isRunning])
  return log
}

function readOnce(address: string, log: Signal<LogRead | undefined>): () => void {
  const controller = new AbortController()
  const read = async (): Promise<void> => {
    try {
      const text = await askText(`${address}?tail=${mostBytes}`, { signal: controller.signal })
      log.value = { text, why: null, isCut: new Blob([text]).size >= mostBytes }
    } catch (error) {
      if (!controller.signal.aborted) log.value = { ...empty, why: reasonOf(error) }
    }
  }
  void read()
  return () => controller.abort()
}

/** The browser comes back with the id of the last event, which says how far the reader has come. */
function follow(address: string, log: Signal<LogRead | undefined>): () => void {
  let hasEnded = false
  return whileShown(() => {
    if (hasEnded) return () => undefined
    let isFirst = true
    const source = new EventSource(`/api/v1${address}?follow=true&tail=${mostBytes}`)
    source.addEventListener('log', ({ data }: MessageEvent<string>) => {
      log.value = withPiece(log.value ?? empty, JSON.parse(data) as LogPiece, isFirst)
      isFirst = false
    })
    source.addEventListener('end', () => {
      hasEnded = true
      source.close()
    })
    source.addEventListener('error', () => {
      // It was refused: there is no such log, or none that is kept. Why is in the answer to a plain question.
      if (source.readyState === EventSource.CLOSED) readOnce(address, log)
    })
    return () => source.close()
  })
}

const reasonOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : String(error)
