import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Script } from 'node:vm'

/**
 * What is run at build time, so that the code which V8 makes for it can be kept; bin/jobmeter.cjs says who uses which.
 * The job lasts long enough for regular looks: their code costs a shorter one 0.6 ms, and saves all others 7.
 * The second shows what the first one recorded.
 */
const exercises = {
  run: [['run', '--', 'sh', '-c', 'sleep 1.2 & sleep 1.3']],
  ledger: [['job-history'], ['job-details', 'last']],
  workflow: [['run', 'workflow.yaml', '--quiet']],
} as const

const workflow = `name: some
jobs:
  - { name: "first_{i}", command: "true", parameters: { i: "1:3" } }
  - { name: second, command: "echo done", depends_on_regexes: ["first_.*"] }
`

/** bin/jobmeter.cjs reads no more than this. */
const memoryBytes = 2 ** 21

/** Puts the code that this Node's V8 compiles for a built program beside it, for bin/jobmeter.cjs to start with. */
export function keepCode(packageFolder: string): void {
  const built = join(packageFolder, 'dist/cli')
  const main = readFileSync(join(built, 'main.cjs'), 'latin1')
  const scratch = mkdtempSync(join(tmpdir(), 'jobmeter-build-'))
  try {
    for (const [name, commands] of Object.entries(exercises)) {
      const parts = new Map<string, Buffer>()
      for (const argv of commands) addCompiled(parts, packageFolder, argv, scratch)
      const file = join(built, `${name}.${process.versions.v8}-${process.arch}.code`)
      rmSync(file, { force: true })
      writeFileSync(file, packed(main, parts))
      chmodSync(file, 0o444)
    }
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

/** Adds what a command compiled; of a part that another one has compiled too, whichever is more. */
function addCompiled(
  parts: Map<string, Buffer>,
  packageFolder: string,
  argv: readonly string[],
  scratch: string,
): void {
  const program = join(packageFolder, 'bin/jobmeter.cjs')
  const folder = mkdtempSync(join(scratch, 'code-'))
  const home = join(scratch, 'home')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(scratch, 'workflow.yaml'), workflow)
  const recorder = join(import.meta.dirname, 'record-code.ts')
  const ended = spawnSync(process.execPath, ['--import', recorder, program, ...argv], {
    cwd: scratch,
    encoding: 'utf8',
    timeout: 60_000,
    // Nothing of the builder's own: neither settings of Node and jobmeter nor a ledger.
    env: { PATH: process.env['PATH'] ?? '', HOME: home, JOBMETER_CODE_FOLDER: folder },
  })
  if (ended.status !== 0)
    throw new Error(`jobmeter ${argv.join(' ')} ended with ${ended.status}: ${ended.stderr}`)
  for (const name of readdirSync(folder)) {
    const code = readFileSync(join(folder, name))
    requireUsable(join(packageFolder, 'dist/cli', name), code)
    if (code.length > (parts.get(name)?.length ?? 0)) parts.set(name, code)
  }
}

/** Code that V8 refuses would go unnoticed, but for its price at every start. */
function requireUsable(file: string, code: Buffer): void {
  const { cachedDataRejected } = new Script(readFileSync(file, 'latin1'), { cachedData: code })
  if (cachedDataRejected) throw new Error(`V8 does not take the code that it made for ${file}`)
}

/** The file that `keptCode` in bin/jobmeter.cjs describes. */
function packed(main: string, parts: ReadonlyMap<string, Buffer>): Buffer {
  const lengths = Array.from(parts, ([name, code]) => [name, code.length])
  const heading = JSON.stringify({ main, parts: lengths })
  // The line feed is the last of 8 bytes: V8 copies code that does not begin at a multiple of 8.
  const line = Buffer.from(`${heading.padEnd(Math.ceil((heading.length + 1) / 8) * 8 - 1)}\n`)
  const body = filledUp(
    Buffer.concat([line, ...Array.from(parts.values(), (code) => filledUp(code, 8))]),
    32,
  )
  if (body.length + 8 >= memoryBytes) throw new Error(`${body.length} bytes of code are too many`)
  const sum = Buffer.alloc(8)
  sum.writeBigUInt64LE(checksum(body))
  return Buffer.concat([sum, body])
}

const filledUp = (bytes: Buffer, unit: number): Buffer =>
  Buffer.concat([bytes], Math.ceil(bytes.length / unit) * unit)

/** As `isWhole` in bin/jobmeter.cjs does, which is given the length of the whole file. */
function checksum(body: Buffer): bigint {
  const sums = [BigInt(body.length + 8), 0n, 0n, 0n]
  for (let at = 0; at < body.length; at += 32)
    for (const [lane, sum] of sums.entries())
      sums[lane] = stirred(sum, body.readBigUInt64LE(at + 8 * lane))
  return sums.reduce(stirred)
}

function stirred(sum: bigint, bytes: bigint): bigint {
  const rotated = BigInt.asUintN(64, sum << 5n) | (sum >> 59n)
  return BigInt.asUintN(64, (rotated ^ bytes) * 0x9e3779b97f4a7c15n)
}
