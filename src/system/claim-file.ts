import { fsyncSync, linkSync, lstatSync, openSync, closeSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Reading } from '../model/reading.ts'
import { asReading } from './as-reading.ts'
import { randomId } from './random-id.ts'

/**
 * Makes a file, whole, that only one can make: false where there is one. It is written under another name and linked to this
 * one, which holds also on disks that several machines share, where an exclusive open may not.
 */
export const claimFile = (path: string, text: string): Reading<boolean> =>
  asReading(path, () => {
    const unfinished = join(dirname(path), `.${randomId()}`)
    try {
      writeFileSync(unfinished, text, { mode: 0o600, flag: 'wx', flush: true })
      linkSync(unfinished, path)
      return true
    } catch (error) {
      // The answer of a file server may get lost after it did what was asked.
      if (lstatSync(unfinished, { throwIfNoEntry: false })?.nlink === 2) return true
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    } finally {
      rmSync(unfinished, { force: true })
    }
  })

/** Has what was written to a file outlive a power cut. */
export const syncFile = (path: string): Reading<true> =>
  asReading(path, () => {
    const descriptor = openSync(path, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    return true as const
  })

/** Removes a folder with all that is in it. */
export const removeFolder = (path: string): Reading<true> =>
  asReading(path, () => {
    rmSync(path, { recursive: true, force: true })
    return true as const
  })
