import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { installDebian } from './debian.ts'
import { freePort } from './free-port.ts'
import { repository } from './workloads/compile.ts'

/** A PostgreSQL of the tests' own. Its only user at first is `postgres`, who needs no password. */
export interface Postgres {
  readonly port: number
  readonly directory: string
  /** The pid of its first process, for those who kill it. */
  readonly pid: number
  /** Makes an empty database, and answers its address. `kind`: further words of CREATE DATABASE. */
  database(name: string, kind?: string): Promise<string>
  /** The same database, as somebody else. */
  address(name: string, user?: string): string
  /** Starts it again after it was killed. */
  restart(): Promise<void>
  /** Kills it, and waits until nobody answers any more, not even on a connection that is open. */
  kill(): Promise<void>
  stop(): Promise<void>
}

const binaries = '/usr/lib/postgresql'

/** Why there can be none on this machine; undefined where there can. On CI that is a failure. */
export function whyNoPostgres(): string | undefined {
  const missing = installDebian('PostgreSQL', () => programs() !== undefined, 'postgresql')
  if (missing !== undefined && process.env['CI'] === 'true') throw new Error(missing)
  return missing
}

function programs(): string | undefined {
  if (!existsSync(binaries)) return undefined
  const newest = readdirSync(binaries)
    .toSorted((one, other) => Number(other) - Number(one))
    .find((version) => existsSync(join(binaries, version, 'bin', 'initdb')))
  return newest === undefined ? undefined : join(binaries, newest, 'bin')
}

/** `settings` are those of the server, such as `fsync=off`. */
export const startPostgres = (...settings: readonly string[]): Promise<Postgres> =>
  startPostgresIn(mkdtempSync(join(tmpdir(), 'jm-pg-')), ...settings)

/** The same in a directory that is there. */
export async function startPostgresIn(
  directory: string,
  ...settings: readonly string[]
): Promise<Postgres> {
  const bin = programs()
  if (bin === undefined) throw new Error('there is no PostgreSQL')
  const { uid, gid } = account()
  chownSync(directory, uid, gid)
  const data = join(directory, 'data')
  cpSync(freshCluster(bin), data, { recursive: true })
  chmodSync(data, 0o700)
  for (const name of ['', ...readdirSync(data, { recursive: true, encoding: 'utf8' })])
    chownSync(join(data, name), uid, gid)
  const port = await freePort()
  const server = { bin, data, directory, port, uid, gid, settings }
  let running = await start(server)
  const address = (name: string, user = 'postgres'): string =>
    `postgres://${user}@127.0.0.1:${port}/${name}`
  return {
    port,
    directory,
    get pid() {
      return running.pid
    },
    address,
    database: async (name, kind = '') => {
      const client = new Client({ connectionString: address('postgres') })
      await client.connect()
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} ${kind}`)
      await client.end()
      return address(name)
    },
    restart: async () => {
      await running.ended
      running = await start(server)
    },
    kill: async () => {
      process.kill(running.pid, 'SIGKILL')
      await running.ended
      while (hasProcesses(data)) await sleep(20)
    },
    stop: async () => {
      process.kill(running.pid, 'SIGINT')
      await running.ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const fresh = join(repository, 'node_modules/.cache/jobmeter-postgres')

/** A cluster that nobody has used, made once for all tests: that takes ten times as long as to copy it. */
function freshCluster(bin: string): string {
  const kept = join(fresh, bin.replaceAll('/', '-'))
  if (existsSync(kept)) return kept
  const { uid, gid } = account()
  const own = mkdtempSync(join(tmpdir(), 'jm-pg-'))
  chownSync(own, uid, gid)
  const data = join(own, 'data')
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    { uid, gid, cwd: '/' },
  )
  if (made.status !== 0) throw new Error(String(made.stderr))
  const copied = `${kept}-${process.pid}`
  cpSync(data, copied, { recursive: true })
  rmSync(own, { recursive: true })
  try {
    renameSync(copied, kept)
  } catch {
    // Another file of tests was first.
    rmSync(copied, { recursive: true })
  }
  return kept
}

/** It refuses to run as root. */
function account(): { uid: number; gid: number } {
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  if (own.uid !== 0) return own
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'postgres']).stdout)
  return { uid: id('-u'), gid: id('-g') }
}

interface Server {
  readonly bin: string
  readonly data: string
  readonly directory: string
  readonly port: number
  readonly uid: number
  readonly gid: number
  readonly settings: readonly string[]
}

async function start(server: Server): Promise<{ pid: number; ended: Promise<void> }> {
  const { bin, data, directory, port, uid, gid } = server
  const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${directory}`]
  const options = [...settings, ...server.settings].flatMap((setting) => ['-c', setting])
  const last = Date.now() + 60_000
  while (Date.now() < last) {
    const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', `${port}`, ...options], {
      uid,
      gid,
      cwd: '/',
      stdio: 'ignore',
    })
    const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
    while (child.exitCode === null && Date.now() < last) {
      if (await answers(port)) return { pid: child.pid ?? 0, ended }
      await sleep(20)
    }
    // Where the first process was killed, others may still have its memory: a new one refuses to start until they are gone.
    child.kill('SIGINT')
    await ended
    await sleep(100)
  }
  throw new Error('PostgreSQL does not start')
}

/** Whether a process of the server lives: all of them work in its data, and outlive their first one for a moment. */
function hasProcesses(data: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === data
    } catch {
      return false
    }
  })
}

async function answers(port: number): Promise<boolean> {
  const client = new Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
