import { failed, ok, unavailable, type Reading } from '../model/reading.ts'
import type { Files } from './system.ts'

/** The content of a made-up file: fixed, or asked for at each read. `undefined` means it is gone. */
export type FakeContent = string | Uint8Array | (() => string | Uint8Array | undefined)

/** Files that are a map; what is written to them is only noted down. */
export function fakeFiles(
  tree: Map<string, FakeContent>,
  directories: Set<string>,
  written: { path: string; text: string }[],
): Files {
  const descriptors = new Map<number, FakeContent>()
  let nextDescriptor = 100
  const encoder = new TextEncoder()
  const content = (of: FakeContent | undefined): string | Uint8Array | undefined =>
    typeof of === 'function' ? of() : of
  const missing = (path: string): Reading<never> => unavailable(`${path} does not exist`)
  const list = (path: string): Reading<readonly string[]> => {
    const prefix = path.endsWith('/') ? path : `${path}/`
    const names = new Set<string>()
    const nameBelow = (file: string) => file.slice(prefix.length).split('/')[0] ?? ''
    for (const [file, of] of tree)
      if (file.startsWith(prefix) && content(of) !== undefined) names.add(nameBelow(file))
    for (const directory of directories)
      if (directory.startsWith(prefix)) names.add(nameBelow(directory))
    return names.size === 0 && !directories.has(path) ? missing(path) : ok([...names])
  }
  const readFrom: Files['readFrom'] = (descriptor, offset, into) => {
    const found = content(descriptors.get(descriptor))
    if (found === undefined) return -1
    const bytes = typeof found === 'string' ? encoder.encode(found) : found
    const part = bytes.subarray(offset, offset + into.length)
    into.set(part)
    return part.length
  }
  const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'))
  return {
    tryLock: () => 'unavailable',
    readLink(path) {
      const found = content(tree.get(path))
      return found === undefined ? missing(path) : ok(found.toString())
    },
    readUtf8(path) {
      const found = content(tree.get(path))
      if (found === undefined) return missing(path)
      return ok(typeof found === 'string' ? found : new TextDecoder().decode(found))
    },
    readText(path) {
      const found = content(tree.get(path))
      return found === undefined ? missing(path) : ok(Buffer.from(found).toString('latin1'))
    },
    list,
    directorySize(path) {
      const names = list(path)
      return names.kind === 'ok' ? names.value.length : Number.NaN
    },
    open(path) {
      const of = tree.get(path)
      if (of === undefined || content(of) === undefined) return -1
      descriptors.set(nextDescriptor, of)
      return nextDescriptor++
    },
    openLog(path) {
      return this.open(path)
    },
    lookAt(descriptor, path) {
      const of = descriptors.get(descriptor)
      const found = content(of)
      if (found === undefined) return undefined
      return { sizeBytes: Buffer.from(found).length, isInPlace: tree.get(path) === of }
    },
    read: (descriptor, into) => readFrom(descriptor, 0, into),
    readFrom,
    close(descriptor) {
      descriptors.delete(descriptor)
    },
    write(path, text) {
      if (!tree.has(path)) return missing(path)
      written.push({ path, text })
      return ok(true)
    },
    writeEach(path, texts) {
      if (tree.has(path)) for (const text of texts) written.push({ path, text })
    },
    save(path, parts) {
      const text = Buffer.concat(parts).toString('utf8')
      tree.set(path, text)
      written.push({ path, text })
      return ok(true)
    },
    saveAnew(path, parts, kind) {
      return this.save(path, parts, kind)
    },
    readPackage: (name) => missing(name),
    isWritable: (path) => tree.has(path),
    foreignLinkTo: () => undefined,
    directoryId: (path) => path,
    makeDirectories: () => ok(true),
    freeBytes: () => unavailable('there is no disk'),
    isMissing: (path) => !tree.has(path) && list(path).kind !== 'ok',
    fingerprint: (path) => missing(path),
    makeDirectory(path) {
      if (list(path).kind === 'ok') return failed(`${path}: EEXIST`)
      if (list(parentOf(path)).kind !== 'ok') return missing(path)
      directories.add(path)
      return ok(true)
    },
    removeDirectory(path) {
      const names = list(path)
      if (names.kind !== 'ok') return names
      if (names.value.length > 0) return failed(`${path}: ENOTEMPTY`)
      directories.delete(path)
      return ok(true)
    },
    rename(path, to) {
      const found = tree.get(path)
      if (found === undefined) return missing(path)
      tree.delete(path)
      tree.set(to, found)
      return ok(true)
    },
    removeFile: (path) => (tree.delete(path) ? ok(true) : missing(path)),
  }
}
