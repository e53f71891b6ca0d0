import { spawnSync } from 'node:child_process'

/** Why something could not be had; undefined when it is there. */
export type Missing = string | undefined

/** Installs Debian packages for what is not there, where we are allowed to. */
export function installDebian(
  what: string,
  isThere: () => boolean,
  ...packages: readonly string[]
): Missing {
  if (isThere()) return undefined
  if (process.getuid?.() !== 0) return `there is no ${what}, and only root can install it`
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...words: string[]) => spawnSync('apt-get', ['-q', '-y', ...words], { env })
  apt('update')
  const installed = apt('install', '--no-install-recommends', ...packages)
  if (isThere()) return undefined
  return `there is no ${what}, and apt-get could not install it: ${String(installed.stderr)}`
}
