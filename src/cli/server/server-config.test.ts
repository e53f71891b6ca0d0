import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asRootOnly, stranger } from '../../../test/root-only.ts'
import { realSystem } from '../../system/real.ts'
import { loadServerConfig } from './server-config.ts'

let directory: string
let file: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-config-'))
  file = join(directory, 'server.yaml')
  writeFileSync(file, 'actions: { submit: true }\n')
})
afterEach(() => rmSync(directory, { recursive: true }))
const load = () => loadServerConfig(realSystem({ ownsProcess: false }), file)

describe('a configuration that others could have written', () => {
  it.each([0o666, 0o664, 0o602])('is refused: its mode is %o', async (mode) => {
    chmodSync(file, mode)
    await expect(load()).rejects.toThrow('chmod go-w')
    chmodSync(file, 0o644)
    expect((await load()).actions.submit).toBe(true)
  })

  it.skipIf(asRootOnly.isSkipped)(`is refused: it is theirs${asRootOnly.why}`, async () => {
    chownSync(file, stranger.uid, stranger.gid)
    await expect(load()).rejects.toThrow('belongs to somebody else')
  })
})
