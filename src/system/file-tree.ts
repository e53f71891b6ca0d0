import { lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Reading } from '../model/reading.ts'
import { asReading } from './as-reading.ts'

export interface FoundFile {
  readonly path: string
  readonly sizeBytes: number
}

export interface FileTree {
  readonly files: readonly FoundFile[]
  readonly links: readonly string[]
}

/**
 * A file, or all files below a directory, in the order of their names. Links below it are not followed: who may write there
 * could have others read what they name, and they may lead in a circle.
 */
export const filesAt = (path: string): Reading<FileTree | FoundFile> =>
  asReading(path, () => {
    const found = statSync(path)
    if (!found.isDirectory()) return { path, sizeBytes: found.size }
    const tree = { files: [], links: [] }
    gather(path, tree)
    return tree
  })

function gather(directory: string, tree: { files: FoundFile[]; links: string[] }): void {
  for (const name of readdirSync(directory).toSorted()) {
    const path = join(directory, name)
    const entry = lstatSync(path)
    if (entry.isDirectory()) gather(path, tree)
    else if (entry.isSymbolicLink()) tree.links.push(path)
    else if (entry.isFile()) tree.files.push({ path, sizeBytes: entry.size })
  }
}
