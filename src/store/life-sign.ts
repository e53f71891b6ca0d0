import {
  closeSync,
  fstatSync,
  futimesSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import type { TryLock } from '../model/file-lock.ts'
import type { LifeSignName } from '../model/machine.ts'
import { asStoreError } from './errors.ts'
import { contentOf, isStillAt, openPrivate } from './own-file.ts'
import { spoolDirectory } from './spool/spool-directory.ts'

/** Each note has a place of its own in the file, to be used again by a later one. */
const noteBytes = 1024

/**
 * A file by which others see that we live: locked as long as this process has it open, and touched now and then for those
 * whom the lock does not reach. In it stands what they must know if we die.
 */
export class LifeSign {
  readonly #path: string
  readonly #tryLock: TryLock
  readonly #places = new Map<string, number>()
  readonly #free: number[] = []
  #descriptor: number
  #isLocked: boolean

  /** Makes a new one. */
  static make(ledger: string, name: string, tryLock: TryLock): LifeSign {
    const path = signPath(ledger, name)
    try {
      const descriptor = openPrivate(path, 'anywhere')
      return new LifeSign(path, descriptor, tryLock(descriptor, 'exclusive') === 'got', tryLock)
    } catch (error) {
      throw asStoreError(error, ledger)
    }
  }

  /** Of a file that is open already. */
  constructor(path: string, descriptor: number, isLocked: boolean, tryLock: TryLock) {
    this.#path = path
    this.#descriptor = descriptor
    this.#isLocked = isLocked
    this.#tryLock = tryLock
  }

  get isLocked(): boolean {
    return this.#isLocked
  }

  /** Shows that we still live; also to those who took the file away because they thought otherwise. */
  beat(wallSeconds: number): void {
    if (!isStillAt(this.#path, this.#descriptor)) {
      const lost = this.#descriptor
      this.#descriptor = openPrivate(this.#path, 'anywhere')
      this.#isLocked = this.#tryLock(this.#descriptor, 'exclusive') === 'got'
      writeSync(this.#descriptor, contentOf(lost))
      closeSync(lost)
    }
    futimesSync(this.#descriptor, wallSeconds, wallSeconds)
  }

  /** Writes down what others must know of something as long as it lasts. One that is too long is not kept. */
  note(about: string, text: string): void {
    if (Buffer.byteLength(text) >= noteBytes) return
    const place = this.#places.get(about) ?? this.#free.pop() ?? this.#places.size
    this.#places.set(about, place)
    this.#write(place, text)
  }

  /** Gives its place to the next: a note about what is over does no harm, for the ledger knows that it is over. */
  forget(about: string): void {
    const place = this.#places.get(about)
    if (place === undefined) return
    this.#places.delete(about)
    this.#free.push(place)
  }

  remove(): void {
    if (isStillAt(this.#path, this.#descriptor)) unlinkSync(this.#path)
    closeSync(this.#descriptor)
  }

  #write(place: number, text: string): void {
    const line = `${text.padEnd(noteBytes - 1 - Buffer.byteLength(text) + text.length)}\n`
    try {
      writeSync(this.#descriptor, line, place * noteBytes)
    } catch {
      // A full disk is told where it costs something; this only helps who comes after a kill.
    }
  }
}

/** What a file says of its owner to somebody who does not see the process. */
export type SignSeen =
  | { readonly kind: 'locked' }
  /** `lockIsFree`: the owner had locked it, and does so no more. */
  | { readonly kind: 'silent'; readonly forSeconds: number; readonly lockIsFree: boolean }
  | { readonly kind: 'none' }

export function lookAtSign(
  ledger: string,
  { name, isLocked }: LifeSignName,
  tryLock: TryLock,
  wallSeconds: number,
): SignSeen {
  // A record on its way into the ledger is its own sign.
  const descriptor = openFirst([`${spoolDirectory(ledger)}/${name}.jsonl`, signPath(ledger, name)])
  if (descriptor === undefined) return { kind: 'none' }
  try {
    const lock = tryLock(descriptor, 'shared')
    if (lock === 'held by another') return { kind: 'locked' }
    const forSeconds = Math.max(0, wallSeconds - fstatSync(descriptor).mtimeMs / 1000)
    return { kind: 'silent', forSeconds, lockIsFree: isLocked && lock === 'got' }
  } finally {
    closeSync(descriptor)
  }
}

/** What an owner that is dead has left in its file. */
export function notesOf(ledger: string, name: string): readonly string[] {
  try {
    const text = readFileSync(signPath(ledger, name), 'utf8')
    return text.split('\n').flatMap((line) => line.trim() || [])
  } catch {
    return []
  }
}

/** Until then who resumes a workflow may need what a dead runner wrote in its file. */
const abandonedSeconds = 86_400

/** Removes the files of owners that have died long ago. */
export function removeAbandonedSigns(ledger: string, tryLock: TryLock, wallSeconds: number): void {
  for (const name of signsOf(ledger)) {
    const seen = lookAtSign(ledger, { name, isLocked: false }, tryLock, wallSeconds)
    if (seen.kind === 'silent' && seen.forSeconds > abandonedSeconds) removeSign(ledger, name)
  }
}

export function removeSign(ledger: string, name: string): void {
  rmSync(signPath(ledger, name), { force: true })
}

function signsOf(ledger: string): readonly string[] {
  try {
    const names = readdirSync(spoolDirectory(ledger))
    return names
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length))
  } catch {
    return []
  }
}

const ending = '.alive'

export const signPath = (ledger: string, name: string): string =>
  `${spoolDirectory(ledger)}/${name}${ending}`

function openFirst(paths: readonly string[]): number | undefined {
  for (const path of paths) {
    try {
      return openSync(path, 'r')
    } catch {
      // It is not there, or not ours to read.
    }
  }
  return undefined
}
