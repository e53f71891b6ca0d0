import type { Server } from 'node:http'
import type { DropArgument, Socket } from 'node:net'
import type { LimitsConfig } from '../config/server-config.ts'
import { addressKey } from './buckets.ts'
import type { RequestLog } from './request-log.ts'

export interface ConnectionSettings {
  readonly limits: LimitsConfig
  readonly log: RequestLog
  /** A proxy has the connections of everybody. */
  readonly isTrusted: (address: string) => boolean
}

interface Progress {
  /** Bytes that wait for the other side to read. */
  waitingBytes: number
  sinceSeconds: number
}

/** Bounds how many connections there are, in all and of one address, and drops who does not read. */
export function boundConnections(server: Server, settings: ConnectionSettings): () => void {
  const { limits, log, isTrusted } = settings
  const counts = new Map<string, number>()
  const readers = new Map<Socket, Progress>()
  const refuse = (address: string, reason: string) =>
    log.tell({ method: '-', route: '-', status: null, user: null, address, reason })
  server.maxConnections = limits.connections
  server.on('drop', (dropped: DropArgument | undefined) =>
    refuse(dropped?.remoteAddress ?? 'unknown', 'too many connections'),
  )
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = 'unknown' } = socket
    const key = addressKey(remoteAddress)
    const count = (counts.get(key) ?? 0) + 1
    if (count > limits.connectionsPerAddress && !isTrusted(remoteAddress)) {
      refuse(remoteAddress, 'too many connections of one address')
      socket.destroy()
      return
    }
    counts.set(key, count)
    socket.once('close', () => {
      const left = (counts.get(key) ?? 1) - 1
      if (left === 0) counts.delete(key)
      else counts.set(key, left)
    })
  })
  const follow = (socket: Socket) => {
    readers.set(socket, { waitingBytes: 0, sinceSeconds: 0 })
    socket.once('close', () => readers.delete(socket))
  }
  server.on('connection', follow).on('secureConnection', follow)
  const looksEachSeconds = Math.max(0.1, limits.readSeconds / 4)
  const timer = setInterval(() => {
    for (const [socket, progress] of readers)
      if (isStuck(socket, progress, looksEachSeconds, limits.readSeconds)) {
        refuse(socket.remoteAddress ?? 'unknown', 'a reader that is too slow')
        socket.destroy()
      }
  }, looksEachSeconds * 1000)
  timer.unref()
  return () => clearInterval(timer)
}

/** Whether nothing of what waits for the other side was read for so long. */
function isStuck(
  { writableLength }: Socket,
  progress: Progress,
  passedSeconds: number,
  mostSeconds: number,
): boolean {
  const hasMoved = writableLength === 0 || writableLength < progress.waitingBytes
  progress.sinceSeconds = hasMoved ? 0 : progress.sinceSeconds + passedSeconds
  progress.waitingBytes = writableLength
  return progress.sinceSeconds > mostSeconds
}
