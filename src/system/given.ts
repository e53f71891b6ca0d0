import { readFileSync, readlinkSync } from 'node:fs'
import { ok, unavailable, type Reading } from '../model/reading.ts'
import { exactText } from './exact-text.ts'

/*
 * What this process was given when it was started, as exact text. Node puts U+FFFD for bytes that are not UTF-8; only
 * where one is to be seen are the bytes read again, from /proc.
 */
const replaced = '\ufffd'

/** The words that our own command line ends with. */
export function givenWords(words: readonly string[]): Reading<readonly string[]> {
  if (!words.some((word) => word.includes(replaced))) return ok(words)
  const given = readEntries('/proc/self/cmdline').slice(-words.length)
  // Somebody may have changed it: `process.title` is written there.
  return given.length === words.length &&
    given.every((bytes, index) => String(bytes) === words[index])
    ? ok(given.map(exactText))
    : unavailable('/proc/self/cmdline does not tell what they were')
}

/** Our environment, as it is now. */
export function givenEnvironment(): Record<string, string | undefined> {
  // Without a prototype: a variable may have any name, `__proto__` too.
  const environment = Object.create(null) as Record<string, string | undefined>
  let isPlain = true
  // One variable at a time: to spread `process.env` takes three times as long, because it asks for each one again and again.
  for (const name of Reflect.ownKeys(process.env) as string[]) {
    const value = process.env[name]
    // Node lists names that are not UTF-8, but does not find them.
    if (value === undefined) isPlain = false
    else environment[name] = value
    if (value?.includes(replaced)) isPlain = false
  }
  return isPlain ? environment : withExactEntries(environment)
}

function withExactEntries(environment: Record<string, string | undefined>): typeof environment {
  const exact = Object.assign(Object.create(null) as typeof environment, environment)
  // The last one first: of two with the same name the first one counts.
  for (const entry of readEntries('/proc/self/environ').toReversed()) {
    const end = entry.indexOf('=')
    if (end < 0) continue
    const name = exactText(entry.subarray(0, end))
    const value = entry.subarray(end + 1)
    const isHidden = name === '' || !name.isWellFormed()
    // Another value than that which we were started with was set since.
    if (isHidden || environment[name] === String(value)) exact[name] = exactText(value)
  }
  return exact
}

/** Our own directory for jobs to start in: by its name if text can tell it. */
export function givenDirectory(ownDirectory: string): string {
  if (!ownDirectory.includes(replaced)) return ownDirectory
  const given = readlinkSync('/proc/self/cwd', 'buffer')
  return given.equals(Buffer.from(ownDirectory)) ? ownDirectory : '.'
}

function readEntries(path: string): Buffer[] {
  const bytes = readFileSync(path)
  const entries: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0, at)
    entries.push(bytes.subarray(at, end < 0 ? bytes.length : end))
    at = end < 0 ? bytes.length : end + 1
  }
  return entries
}
