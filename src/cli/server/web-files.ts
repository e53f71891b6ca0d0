import { typeOf, type WebFile, type WebFiles } from '../../server/web-files.ts'
import type { System } from '../../system/system.ts'

/** The dashboard as vite built it, read when it is first asked for. Only what vite lists is served. */
export function webFiles(system: System): WebFiles {
  const known = new Map<string, WebFile | null>()
  const list = system.files.readPackage('#web/files.json')
  const names = new Set(
    list.kind === 'ok' ? (JSON.parse(new TextDecoder().decode(list.value.bytes)) as string[]) : [],
  )
  return (path) => {
    if (!names.has(path)) return undefined
    const found = known.get(path) ?? readFile(system, path)
    known.set(path, found)
    return found ?? undefined
  }
}

function readFile(system: System, path: string): WebFile | null {
  const found = system.files.readPackage(`#web/${path}`)
  const type = typeOf(path)
  if (found.kind !== 'ok' || type === undefined) return null
  return { bytes: Uint8Array.from(found.value.bytes), type, isFixed: path.startsWith('assets/') }
}
