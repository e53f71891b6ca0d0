import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { installDebian } from './debian.ts'
import { repository } from './workloads/compile.ts'

/** Docker or Podman with storage of the tests' own and one image. Only the tests of containers start it. */
export interface ContainerEngine {
  readonly image: string
  /** Runs the client; answers its output, and throws if it fails. */
  client(...words: readonly string[]): string
  /** All containers there are, running or not. */
  containers(): readonly string[]
  stop(): Promise<void>
}

interface EngineStart {
  /** All that it keeps is below it, and goes with it. */
  readonly directory: string
  readonly daemon: readonly [program: string, ...args: string[]]
  readonly daemonEnvironment?: Readonly<Record<string, string>>
  readonly client: 'docker' | 'podman'
  readonly clientEnvironment: Readonly<Record<string, string>>
  /** To be had in the image. */
  readonly workloads: readonly string[]
}

const image = 'jobmeter-test:1'
const daemonSeconds = 30

/** Why no containers can be run on this machine with a program; undefined where they can. On CI that is a failure. */
export function whyNoContainers(
  program: string,
  ...packages: readonly string[]
): string | undefined {
  const isThere = () => spawnSync('which', [program]).status === 0
  const missing =
    installDebian(program, isThere, ...packages) ??
    installDebian('static busybox', hasStaticBusybox, 'busybox-static') ??
    (process.getuid?.() === 0 ? undefined : `only root can run ${program}`)
  if (missing !== undefined && process.env['CI'] === 'true') throw new Error(missing)
  return missing
}

/** `ldd` fails for a program that needs no library; the image has none. */
const hasStaticBusybox = (): boolean =>
  existsSync('/bin/busybox') && spawnSync('ldd', ['/bin/busybox']).status !== 0

/** Returns when it answers and has the image. */
export async function startEngine(start: EngineStart): Promise<ContainerEngine> {
  const { directory, workloads } = start
  const [program, ...args] = start.daemon
  const daemon = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...start.daemonEnvironment },
  })
  let log = ''
  daemon.stderr.on('data', (text: Buffer) => (log = (log + text.toString()).slice(-5000)))
  const env = { ...process.env, ...start.clientEnvironment }
  const client = (...words: readonly string[]): string => {
    const done = spawnSync(start.client, words, { env, timeout: 60_000 })
    if (done.status !== 0)
      throw new Error(`${start.client} ${words.join(' ')}: ${String(done.stderr)}`)
    return String(done.stdout).trim()
  }
  const containers = () => client('ps', '-a', '-q').split('\n').filter(Boolean)
  await answers(client, daemon, () => `${program} did not start: ${log}`)
  client('import', packImage(directory, workloads), image)
  return {
    image,
    client,
    containers,
    async stop() {
      const left = containers()
      if (left.length > 0) client('rm', '-f', ...left)
      const ended = new Promise((resolve) => daemon.on('exit', resolve))
      daemon.kill('SIGTERM')
      await ended
      removeWithMounts(directory)
    },
  }
}

async function answers(
  client: ContainerEngine['client'],
  daemon: ChildProcess,
  trouble: () => string,
): Promise<void> {
  const until = Date.now() + daemonSeconds * 1000
  for (;;) {
    try {
      client('version')
      return
    } catch (error) {
      if (daemon.exitCode !== null || Date.now() > until)
        throw new Error(trouble(), { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** Packs a root file system of busybox and workloads, which need no library inside, into a file; the answer is its path. */
function packImage(directory: string, workloads: readonly string[]): string {
  const bin = `${directory}/root/bin`
  mkdirSync(bin, { recursive: true })
  mkdirSync(`${directory}/root/tmp`)
  cpSync('/bin/busybox', `${bin}/busybox`, { dereference: true })
  for (const name of ['sh', 'sleep', 'cat', 'true', 'env']) symlinkSync('busybox', `${bin}/${name}`)
  for (const name of workloads) {
    const source = join(repository, 'test/workloads', `${name}.c`)
    const built = spawnSync('cc', ['-O2', '-static', '-o', `${bin}/${name}`, source, '-lm'])
    if (built.status !== 0) throw new Error(`cc ${source}: ${String(built.stderr)}`)
  }
  const packed = spawnSync('tar', ['-C', `${directory}/root`, '-cf', `${directory}/root.tar`, '.'])
  if (packed.status !== 0) throw new Error(`tar: ${String(packed.stderr)}`)
  return `${directory}/root.tar`
}

/** What a daemon mounted for itself goes with it, but for what a killed one would leave. */
function removeWithMounts(directory: string): void {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  for (const mount of mounts.map((line) => line.split(' ')[1] ?? ''))
    if (mount.startsWith(`${directory}/`)) spawnSync('umount', ['-l', mount])
  rmSync(directory, { recursive: true, force: true })
}
