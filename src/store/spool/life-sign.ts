import {
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  openSync,
  readdirSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { TryLock } from '../../model/file-lock.ts'
import type { LifeSignName } from '../../model/machine.ts'
import { asStoreError } from '../errors.ts'
import { contentOf, isStillAt, openOwnFile } from '../own-file.ts'
import { makeGuard, placesToWrite, safePlaces, type SpoolPlace } from './spool-directory.ts'
import { isSign, ownerOfSign, recordName, signName } from './spool-names.ts'

/** Each note has a place of its own in the file, to be used again by a later one. */
const noteBytes = 1024

/** An open file that is, or becomes, a sign of life. */
export interface SignFile {
  readonly path: string
  readonly descriptor: number
  readonly isLocked: boolean
}

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

  /** Makes a new one: beside the ledger, or where that cannot be, where records wait then too. */
  static make(ledger: string, name: string, tryLock: TryLock): LifeSign {
    let failure: unknown
    for (const place of placesToWrite(ledger))
      try {
        if (place.guard !== null) makeGuard(place.guard)
        const path = signIn(place, name)
        const descriptor = openOwnFile(path, 'anywhere')
        const isLocked = tryLock(descriptor, 'exclusive') === 'got'
        return new LifeSign({ path, descriptor, isLocked }, tryLock)
      } catch (error) {
        failure ??= error
      }
    throw asStoreError(failure ?? new Error('no place was found for a sign of life'), ledger)
  }

  /** Of a file that is open already. */
  constructor({ path, descriptor, isLocked }: SignFile, tryLock: TryLock) {
    this.#path = path
    this.#descriptor = descriptor
    this.#isLocked = isLocked
    this.#tryLock = tryLock
  }

  /** Where it lies, with others of its kind. */
  get directory(): string {
    return dirname(resolve(this.#path))
  }

  get isLocked(): boolean {
    return this.#isLocked
  }

  /** Shows that we still live; also to those who took the file away because they thought otherwise. */
  beat(wallSeconds: number): void {
    if (!isStillAt(this.#path, this.#descriptor)) {
      const lost = this.#descriptor
      this.#descriptor = openOwnFile(this.#path, 'anywhere')
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
  let best: SignSeen = { kind: 'none' }
  for (const { directory } of safePlaces(ledger))
    // A record on its way into the ledger is its own sign.
    for (const file of [recordName(name), signName(name)]) {
      const seen = lookAtFile(`${directory}/${file}`, isLocked, tryLock, wallSeconds)
      if (seen.kind === 'locked') return seen
      // A file that moved to another place may have left one behind.
      if (seen.kind === 'silent' && (best.kind === 'none' || seen.forSeconds < best.forSeconds))
        best = seen
    }
  return best
}

function lookAtFile(
  path: string,
  isLocked: boolean,
  tryLock: TryLock,
  wallSeconds: number,
): SignSeen {
  const descriptor = openIfThere(path)
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
  return signPaths(ledger, name).flatMap((path) => {
    const descriptor = openIfThere(path)
    if (descriptor === undefined) return []
    try {
      return ownText(descriptor)
        .split('\n')
        .flatMap((line) => line.trim() || [])
    } finally {
      closeSync(descriptor)
    }
  })
}

/** Nothing of what is not our own: who could write it could have us kill whom they like. */
function ownText(descriptor: number): string {
  const found = fstatSync(descriptor)
  const isOurs = found.isFile() && found.uid === process.geteuid?.()
  return isOurs ? contentOf(descriptor).toString('utf8') : ''
}

/** Until then who resumes a workflow may need what a dead runner wrote in its file. */
export const forgottenSeconds = 86_400

/** Removes the files of owners that have died long ago. */
export function removeAbandonedSigns(ledger: string, tryLock: TryLock, wallSeconds: number): void {
  for (const { directory } of safePlaces(ledger))
    for (const file of signsIn(directory)) {
      const owner = { name: ownerOfSign(file), isLocked: false }
      const seen = lookAtSign(ledger, owner, tryLock, wallSeconds)
      if (seen.kind === 'silent' && seen.forSeconds > forgottenSeconds)
        removeIfPossible(`${directory}/${file}`)
    }
}

/** A file too many does no harm. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    return
  }
}

export function removeSign(ledger: string, name: string): void {
  for (const path of signPaths(ledger, name)) removeIfPossible(path)
}

function signsIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter(isSign)
  } catch {
    return []
  }
}

/** Where a sign may be. One that was a record before lies where the record lay. */
const signPaths = (ledger: string, name: string): readonly string[] =>
  safePlaces(ledger).map((place) => signIn(place, name))

const signIn = ({ directory }: SpoolPlace, name: string): string => `${directory}/${signName(name)}`

/** Whatever stands there: a pipe that nobody writes to must not keep us waiting. */
function openIfThere(path: string): number | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch {
    // It is not there, or not ours to read.
    return undefined
  }
}
