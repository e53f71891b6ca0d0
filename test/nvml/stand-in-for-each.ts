import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { setState, standIn } from './stand-in.ts'

/** Has NVML be asked of the stand-in during each test of a file; the answer sets what it tells from then on. */
export function standInForEach(): (...lines: readonly string[]) => void {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jobmeter-nvml-'))
    process.env['JOBMETER_NVML'] = standIn
    process.env['JOBMETER_NVML_STATE'] = join(folder, 'state')
  })
  afterEach(() => {
    delete process.env['JOBMETER_NVML']
    delete process.env['JOBMETER_NVML_STATE']
    rmSync(folder, { recursive: true })
  })
  return (...lines) => setState(join(folder, 'state'), lines)
}
