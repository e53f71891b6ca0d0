import { whyNot } from '../model/reading.ts'
import { filesAt, type FoundFile } from '../system/file-tree.ts'

export type FoundFiles =
  /** `links` were found in directories, and are not followed. */
  | { readonly kind: 'ok'; readonly files: readonly FoundFile[]; readonly links: readonly string[] }
  | { readonly kind: 'error'; readonly message: string }

const known = /\.(?:json|csv)(?:\.gz)?$/
const date = /(\d{4})\/(\d\d)\/(\d\d)\/[^/]*$/

/**
 * The files that are named, and of directories those that Sonar writes: `YYYY/MM/DD/0+sample-HOST.json`. They come in the
 * order of their dates, and of one date what nodes have comes first, and what Slurm says of jobs last.
 */
export function findSonarFiles(paths: readonly string[]): FoundFiles {
  const files: FoundFile[] = []
  const links: string[] = []
  for (const path of paths) {
    const found = filesAt(path)
    if (found.kind !== 'ok') return { kind: 'error', message: whyNot(found) }
    if ('path' in found.value) {
      files.push(found.value)
      continue
    }
    const inside = found.value.files.filter((file) => known.test(file.path))
    links.push(...found.value.links.filter((link) => known.test(link)))
    if (inside.length === 0)
      return {
        kind: 'error',
        message: `${path}: it contains no Sonar files (.json, .csv, or these with .gz; links are not followed)`,
      }
    files.push(...inside)
  }
  const unique = [...new Map(files.map((file) => [file.path, file])).values()]
  return {
    kind: 'ok',
    files: unique.toSorted((one, other) => compare(one.path, other.path)),
    links,
  }
}

function compare(one: string, other: string): number {
  const [first, second] = [orderOf(one), orderOf(other)]
  if (first.date !== second.date) return first.date < second.date ? -1 : 1
  return first.rank - second.rank
}

function orderOf(path: string): { readonly date: string; readonly rank: number } {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const [, year = '', month = '', day = ''] = date.exec(path) ?? []
  const rank = /sysinfo/.test(name) ? 0 : /slurm|job/.test(name) ? 2 : 1
  return { date: `${year}${month}${day}`, rank }
}

/** Only what is named. */
export function findNamedFiles(paths: readonly string[]): FoundFiles {
  const files: FoundFile[] = []
  for (const path of paths) {
    const found = filesAt(path)
    if (found.kind !== 'ok') return { kind: 'error', message: whyNot(found) }
    if (!('path' in found.value))
      return { kind: 'error', message: `${path}: expected a file, found a directory` }
    files.push(found.value)
  }
  return { kind: 'ok', files, links: [] }
}
