import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDebian, type Missing } from '../debian.ts'

const fixtures = join(import.meta.dirname, '../fixtures/proto')
const script = join(import.meta.dirname, 'protobuf-judge.py')

/** Debian's own, which is the one that its packages are for. */
const python = '/usr/bin/python3'

const works = (): boolean =>
  spawnSync('protoc', ['--version']).status === 0 &&
  spawnSync(python, ['-c', 'import google.protobuf']).status === 0

/** Why Google's own programs cannot be asked; on CI that is a failure. */
export function whyNoProtoc(): Missing {
  const what = 'protoc and python3-protobuf'
  const missing = installDebian(what, works, 'protobuf-compiler', 'python3-protobuf')
  if (missing !== undefined && process.env['CI'] === 'true') throw new Error(missing)
  return missing
}

export type Judged = Readonly<Record<string, unknown>>

/**
 * What Google's library reads in messages, by a definition in test/fixtures/proto. Whole numbers are texts and doubles the
 * hexadecimal digits of their bits. It fails on fields that the definition does not have.
 */
export function judged(
  definition: string,
  message: string,
  encoded: readonly (Uint8Array | string)[],
): readonly Judged[] {
  const folder = mkdtempSync(join(tmpdir(), 'jobmeter-proto-'))
  try {
    run('protoc', [`--proto_path=${fixtures}`, `--python_out=${folder}`, `${definition}.proto`])
    const input = encoded
      .map((one) => (typeof one === 'string' ? one : Buffer.from(one).toString('base64')))
      .join('\n')
    const said = run(python, [script, folder, `${definition}_pb2`, message], `${input}\n`)
    return said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Judged)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The bits of a double, as they are told. */
export function bitsOf(value: number): string {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  return view.getBigUint64(0).toString(16).padStart(16, '0')
}

function run(program: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  return stdout
}
