import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDebian } from './debian.ts'
import { repository } from './workloads/compile.ts'

/** A Docker daemon of the tests' own, with one image. Only the tests of containers start it. */
export interface Docker {
  /** For the environment of whoever talks to it. */
  readonly host: string
  readonly image: string
  /** Runs the client; answers its output, and throws if it fails. */
  docker(...words: readonly string[]): string
  /** How many containers there are, running or not. */
  containers(): readonly string[]
  stop(): Promise<void>
}

const workloads = ['burn', 'hog', 'transfer', 'contained']
const daemonSeconds = 30

/** Why there can be none on this machine; undefined where there can. On CI that is a failure. */
export function whyNoDocker(): string | undefined {
  const has = (program: string) => () => spawnSync('which', [program]).status === 0
  const missing =
    installDebian('dockerd', has('dockerd'), 'docker.io') ??
    installDebian('static busybox', hasStaticBusybox, 'busybox-static') ??
    (process.getuid?.() === 0 ? undefined : 'only root can start dockerd')
  if (missing !== undefined && process.env['CI'] === 'true') throw new Error(missing)
  return missing
}

/** `ldd` fails for a program that needs no library; the image has none. */
const hasStaticBusybox = (): boolean =>
  existsSync('/bin/busybox') && spawnSync('ldd', ['/bin/busybox']).status !== 0

export async function startDocker(): Promise<Docker> {
  // Short: the path of a socket has room for 107 bytes.
  const directory = mkdtempSync(join(tmpdir(), 'jm-docker-'))
  const host = `unix://${directory}/d.sock`
  const daemon = spawn(
    'dockerd',
    [
      `--host=${host}`,
      `--data-root=${directory}/data`,
      `--exec-root=${directory}/exec`,
      `--pidfile=${directory}/pid`,
      '--storage-driver=vfs',
      '--bridge=none',
      '--iptables=false',
      '--ip6tables=false',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  daemon.stderr.on('data', (text: Buffer) => (log = (log + text.toString()).slice(-5000)))
  const env = { ...process.env, DOCKER_HOST: host }
  const docker = (...words: readonly string[]): string => {
    const done = spawnSync('docker', words, { env, timeout: 60_000 })
    if (done.status !== 0) throw new Error(`docker ${words.join(' ')}: ${String(done.stderr)}`)
    return String(done.stdout).trim()
  }
  await answers(docker, daemon, () => log)
  const image = 'jobmeter-test:1'
  importImage(directory, image, env)
  return {
    host,
    image,
    docker,
    containers: () => docker('ps', '-a', '-q').split('\n').filter(Boolean),
    stop: () => stop(daemon, directory, docker),
  }
}

async function answers(
  docker: Docker['docker'],
  daemon: ChildProcess,
  log: () => string,
): Promise<void> {
  const until = Date.now() + daemonSeconds * 1000
  for (;;) {
    try {
      docker('version')
      return
    } catch (error) {
      if (daemon.exitCode !== null || Date.now() > until)
        throw new Error(`dockerd did not start: ${log()}`, { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** A root file system of busybox and the workloads, which need no library inside. */
function importImage(directory: string, image: string, env: NodeJS.ProcessEnv): void {
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
  const imported = spawnSync('docker', ['import', `${directory}/root.tar`, image], { env })
  if (imported.status !== 0) throw new Error(`docker import: ${String(imported.stderr)}`)
}

async function stop(
  daemon: ChildProcess,
  directory: string,
  docker: Docker['docker'],
): Promise<void> {
  const left = docker('ps', '-a', '-q').split('\n').filter(Boolean)
  if (left.length > 0) docker('rm', '-f', ...left)
  const ended = new Promise((resolve) => daemon.on('exit', resolve))
  daemon.kill('SIGTERM')
  await ended
  // What it mounted for itself goes with it, but for what a killed daemon would leave.
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  for (const mount of mounts.map((line) => line.split(' ')[1] ?? ''))
    if (mount.startsWith(`${directory}/`)) spawnSync('umount', ['-l', mount])
  rmSync(directory, { recursive: true, force: true })
}
