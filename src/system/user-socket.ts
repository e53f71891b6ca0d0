import { spawn } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, renameSync, unlinkSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { failed, ok, type Reading } from '../model/reading.ts'
import { makeDirectories } from './held-directory.ts'
import { ourProgram } from './helper-line.ts'
import { loadLibc, type Libc } from './libc.ts'
import { peerUser } from './peer-user.ts'

/** Somebody who is at the other end of our socket. Nothing that they send is read here. */
export interface Caller {
  readonly uid: number
  /** Says this, and hangs up. */
  refuse(answer: Uint8Array): void
  /** Leaves the caller to a program of ours, as its standard input and output, for at most so long. */
  handTo(program: string, given: readonly string[], mostSeconds: number, ended: () => void): void
}

export interface UserSocket {
  /** Whether those who ask come to this one: somebody may have removed it. */
  isInPlace(): boolean
  close(): void
}

const backlog = 128

/** Listens where every user of this machine may ask, and learns from the kernel who does. */
export async function listenForUsers(
  path: string,
  heard: (caller: Caller) => void,
): Promise<Reading<UserSocket>> {
  const libc = loadLibc()
  if (libc.kind !== 'ok') return libc
  const problem = makeRoom(path) ?? (await whoAnswers(path))
  if (problem !== undefined) return failed(problem)
  const server = createServer({ pauseOnConnect: true }, (socket) => hear(libc.value, socket, heard))
  const { promise, resolve } = Promise.withResolvers<Reading<UserSocket>>()
  server.once('error', (error) => resolve(failed(`${path}: ${error.message}`)))
  // Node deletes at the end whatever has the name by which it was made: by then that may be somebody else's.
  const ownName = `${path}.${process.pid}`
  server.listen({ path: ownName, backlog, readableAll: true, writableAll: true }, () => {
    server.on('error', () => undefined)
    resolve(placed(server, ownName, path))
  })
  // The agent ends when it is told to, whoever is connected.
  server.unref()
  return promise
}

function placed(server: Server, ownName: string, path: string): Reading<UserSocket> {
  const inodeOf = (name: string): number | undefined =>
    lstatSync(name, { throwIfNoEntry: false })?.ino
  try {
    const inode = inodeOf(ownName)
    // Takes the place of one that was left by an agent that was killed.
    renameSync(ownName, path)
    const isInPlace = (): boolean => inodeOf(path) === inode
    const close = (): void => {
      if (isInPlace()) unlinkSync(path)
      server.close()
    }
    return ok({ isInPlace, close })
  } catch (error) {
    server.close()
    return failed(noSocket(path, error))
  }
}

const noSocket = (path: string, error: unknown): string =>
  `no socket at ${path}: ${error instanceof Error ? error.message : String(error)}`

/** Why the place is taken, where somebody listens there. */
async function whoAnswers(path: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const socket = connect(path, () => {
    socket.destroy()
    resolve(`no socket at ${path}: another agent answers there`)
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    const isFree = error.code === 'ENOENT' || error.code === 'ECONNREFUSED'
    resolve(isFree ? undefined : noSocket(path, error))
  })
  return promise
}

function makeRoom(path: string): string | undefined {
  try {
    const folder = dirname(path)
    if (!existsSync(folder)) {
      makeDirectories(folder)
      // Whatever the umask: everybody may come in, and nobody put anything there.
      chmodSync(folder, 0o755)
    }
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return undefined
    return found.isSocket() ? undefined : noSocket(path, 'something else is there')
  } catch (error) {
    return noSocket(path, error)
  }
}

function hear(libc: Libc, socket: Socket, heard: (caller: Caller) => void): void {
  socket.on('error', () => socket.destroy())
  // Node has no other way to the descriptor.
  const handle = Reflect.get(socket, '_handle') as { readonly fd: number } | null
  const uid = handle === null ? undefined : peerUser(libc, handle.fd)
  if (uid === undefined) {
    socket.destroy()
    return
  }
  heard({
    uid,
    refuse: (answer) => {
      // What they sent stays unread, and they may not read either: nobody waits for them.
      socket.end(answer, () => socket.destroy())
      socket.unref()
    },
    handTo: (program, given, mostSeconds, ended) => {
      const child = spawn(process.execPath, [...nodeOptions, ourProgram(program), ...given], {
        cwd: '/',
        env: {},
        stdio: [socket, socket, 'ignore'],
      })
      const late = setTimeout(() => child.kill('SIGKILL'), mostSeconds * 1000)
      const end = (): void => {
        clearTimeout(late)
        socket.destroy()
        ended()
      }
      child.once('error', end)
      child.once('exit', end)
      child.unref()
    },
  })
}

const nodeOptions = ['--disable-sigusr1', '--max-old-space-size=128', '--v8-pool-size=0']
