import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { realSystem } from '../system/real.ts'
import { readTls } from './settings.ts'

let directory: string
const at = (name: string) => join(directory, name)
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-tls-'))
  writeFileSync(at('text'), 'not PEM', { mode: 0o600 })
  execFileSync('mkfifo', ['-m', '600', at('pipe')])
})
afterEach(() => rmSync(directory, { recursive: true }))

it.each([
  ['pipe', 'text', 'is not a regular file'],
  ['/dev/zero', 'text', 'is not a regular file'],
  ['text', 'pipe', 'is not a file'],
  ['text', '/dev/zero', 'is not a file'],
  ['text', 'text', 'are not a certificate and its key'],
])('a certificate %s with the key %s is refused with words', (certificate, key, why) => {
  const whole = (name: string) => (name.startsWith('/') ? name : at(name))
  const files = { certificate: whole(certificate), key: whole(key) }
  expect(() => readTls(realSystem({ ownsProcess: false }), files)).toThrow(why)
})
