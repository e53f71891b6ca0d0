import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { installDebian } from './debian.ts'

/** Debian's libfaketime, in the variant for programs with threads. */
function library(): string | undefined {
  return readdirSync('/usr/lib', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.endsWith('-linux-gnu'))
    .map(({ name }) => join('/usr/lib', name, 'faketime', 'libfaketimeMT.so.1'))
    .find((path) => existsSync(path))
}

/** Why no clock can be wrong on this machine; undefined where one can. On CI that is a failure. */
export function whyNoWrongClock(): string | undefined {
  const missing = installDebian('faketime', () => library() !== undefined, 'faketime')
  if (missing !== undefined && process.env['CI'] === 'true') throw new Error(missing)
  return missing
}

/**
 * An environment in which the time of day is wrong by so many seconds, for a program and all that it starts. The clock since
 * boot, by which time is measured, goes on as it does: no namespace can shift the time of day.
 */
export function clockWrongBy(seconds: number): Readonly<Record<string, string>> {
  const path = library()
  if (path === undefined || seconds === 0) return {}
  return {
    LD_PRELOAD: path,
    FAKETIME: `${seconds > 0 ? '+' : ''}${seconds}`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}
