import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { followLinks, RefusedFile } from './link-path.ts'

const { O_DIRECTORY, O_RDONLY } = constants

/**
 * Does something in a directory that stays open meanwhile, by a path that leads into it whatever takes its place: somebody
 * whose directory it lies in may put a link there between our look and our deed. The path given has no links in it.
 */
export function insideDirectory(
  path: string,
  action: (held: string) => void,
  { durable }: { readonly durable: boolean } = { durable: false },
): void {
  const descriptor = openSync(path, O_RDONLY | O_DIRECTORY)
  try {
    action(heldPath(descriptor, path))
    if (durable) fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function heldPath(descriptor: number, expected: string): string {
  const held = `/proc/self/fd/${descriptor}`
  // Without /proc there is only the name.
  if (!existsSync(held)) return expected
  if (readlinkSync(held) !== expected)
    throw new RefusedFile(`${expected} was replaced a moment ago`)
  return held
}

/** Makes a directory and those above it, as far as they are missing: where the path leads now, by no link of others. */
export function makeDirectories(path: string): void {
  // Links to the directory itself are followed as those to one above it: it is what is put inside that counts.
  makeUpwards(dirname(followLinks(join(path, 'inside'))))
}

// Not mkdir's own `recursive`: under /proc, where mkdir answers ENOENT, Node 24 tries for ever.
function makeUpwards(path: string): void {
  if (existsSync(path)) return
  makeUpwards(dirname(path))
  insideDirectory(dirname(path), (held) => {
    const made = join(held, basename(path))
    try {
      mkdirSync(made, 0o755)
    } catch (error) {
      // Another run that shares the directory may have made it since we looked.
      if (!lstatSync(made, { throwIfNoEntry: false })?.isDirectory()) throw error
    }
  })
}
