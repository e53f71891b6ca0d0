import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** What every Linux with glibc has; another version of any of these would not fit its loader. */
const partsOfGlibc =
  /^(ld-linux|libc|libm|libdl|libpthread|librt|libresolv|libutil|libanl|libnss_|libBrokenLocale|libmvec)\b/

/** The libraries that the Node which runs this needs beside glibc, by the names that the loader seeks. */
export function ownLibraries(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const path of mappedFiles()) {
    const name = /^(.+?\.so(?:\.\d+)?)/.exec(basename(path))?.[1]
    if (name !== undefined && !partsOfGlibc.test(name)) found.set(name, path)
  }
  return found
}

function mappedFiles(): ReadonlySet<string> {
  const lines = readFileSync('/proc/self/maps', 'utf8').split('\n')
  return new Set(lines.flatMap((line) => /(\/.*\.so(?:\.[\d.]+)?)$/.exec(line)?.[1] ?? []))
}

/**
 * Where the loader looks for them: in the system's folders, then beside the program. Those of the system go first: ours
 * are made for the glibc of the machine that built them, which may be newer than that which they come to.
 */
export function libraryPath(architecture: string): string {
  const machine = architecture === 'arm64' ? 'aarch64' : 'x86_64'
  const folders = [`/lib/${machine}-linux-gnu`, `/usr/lib/${machine}-linux-gnu`]
  return [...folders, '/lib64', '/usr/lib64', '$ORIGIN'].join(':')
}
