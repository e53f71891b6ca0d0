import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { installDebian } from './debian.ts'
import { startDaemon } from './engine-daemon.ts'
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
  const env = { ...process.env, ...start.clientEnvironment }
  const client = (...words: readonly string[]): string => {
    const done = spawnSync(start.client, words, { env, timeout: 60_000 })
    if (done.status !== 0)
      throw new Error(`${start.client} ${words.join(' ')}: ${String(done.stderr)}`)
    return String(done.stdout).trim()
  }
  const containers = () => client('ps', '-a', '-q').split('\n').filter(Boolean)
  const daemon = await startDaemon({
    directory,
    daemon: start.daemon,
    environment: { ...process.env, ...start.daemonEnvironment },
    question: [start.client, 'version'],
    questionEnvironment: env,
  })
  try {
    client('import', packImage(directory, workloads), image)
  } catch (error) {
    await daemon.end()
    throw error
  }
  return {
    image,
    client,
    containers,
    async stop() {
      try {
        const left = containers()
        if (left.length > 0) client('rm', '-f', ...left)
      } finally {
        await daemon.end()
      }
    },
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
