import { spawnSync } from 'node:child_process'

/** Why something could not be had; undefined when it is there. */
export type Missing = string | undefined

/** Test files run side by side, and apt-get gives up where another one is at work, or has the lists of packages half read. */
const lock = '/var/cache/apt/jobmeter-tests.lock'

/** Installs Debian packages for what is not there, where we are allowed to. */
export function installDebian(
  what: string,
  isThere: () => boolean,
  ...packages: readonly string[]
): Missing {
  if (isThere()) return undefined
  if (process.getuid?.() !== 0) return `there is no ${what}, and only root can install it`
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const others = ['-o', 'DPkg::Lock::Timeout=300']
  const apt = (...words: string[]) =>
    spawnSync('flock', [lock, 'apt-get', '-q', '-y', ...others, ...words], { env })
  apt('update')
  const installed = apt('install', '--no-install-recommends', ...packages)
  if (isThere()) return undefined
  return `there is no ${what}, and apt-get could not install it: ${String(installed.stderr)}`
}
