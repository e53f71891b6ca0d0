import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** A path with all links on the way followed. What is not there yet keeps the name that it is to have. */
export function whereItLeads(path: string): string {
  const plain = resolve(path)
  try {
    return realpathSync(plain)
  } catch {
    const parent = dirname(plain)
    return parent === plain ? plain : join(whereItLeads(parent), basename(plain))
  }
}
