import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const idBytes = 16

/**
 * Whether it is a job's turn to take the spool into the ledger lies in its random id, so a test that depends on it would
 * fail in one run out of many. This writes a file into the folder that decides it: Node's `--require` loads it before the
 * program, which then draws its ids from bytes that were chosen, and is to be run once only.
 */
export function decideTidying(folder: string, isTurn: boolean): string {
  const own = mkdtempSync(join(folder, 'turn-'))
  chmodSync(own, 0o755)
  const bytes = randomBytes(64 * idBytes)
  // An id of zeros at its beginning has the turn, whatever the share is; an odd number does not.
  for (let id = 0; id < bytes.length; id += idBytes) bytes.writeUInt16BE(isTurn ? 0 : 1, id)
  const drawn = join(own, 'drawn.bin')
  writeFileSync(drawn, bytes)
  const chooser = join(own, 'chooser.cjs')
  writeFileSync(
    chooser,
    `const fs = require('node:fs')
     const { openSync } = fs
     fs.openSync = (path, ...more) =>
       openSync(path === '/dev/urandom' ? ${JSON.stringify(drawn)} : path, ...more)`,
  )
  return chooser
}
