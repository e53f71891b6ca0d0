import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { ourProgram } from './helper-line.ts'

/** A program of ours in a thread of its own. */
export interface WorkerThread {
  /** Sends a copy of anything that is data. */
  send(message: unknown): void
  /** Ends it, whatever it does; a call that does not return holds it up until it does. */
  end(): void
}

export interface ThreadListener {
  heard(message: unknown): void
  /** Once, when it is there no more, with why where it says so; not after `end`. */
  ended(why: string): void
}

/** Starts one; it does not keep the process from ending. */
export function startThread(program: string, listener: ThreadListener): WorkerThread {
  const worker = new Worker(ourProgram(program))
  let why = 'its thread ended'
  let isOver = false
  worker.on('message', (message: unknown) => listener.heard(message))
  worker.on('messageerror', () => listener.heard(undefined))
  worker.on('error', (error: unknown) => {
    why = error instanceof Error ? error.message : String(error)
  })
  worker.on('exit', () => {
    if (!isOver) listener.ended(why)
    isOver = true
  })
  worker.unref()
  return {
    send: (message) => worker.postMessage(message, []),
    end: () => {
      isOver = true
      void worker.terminate()
    },
  }
}

/** In such a program: answers each message with one. */
export function answerAsThread(answer: (message: unknown) => Promise<unknown>): void {
  const port = parentPort
  if (isMainThread || port === null) throw new Error('this program is a thread of another')
  port.on('message', (message: unknown) => {
    void answer(message).then((answered) => port.postMessage(answered))
  })
}
