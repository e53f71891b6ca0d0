import { afterAll, describe, expect, it } from 'vitest'
import { openNvml } from './nvml.ts'
import { realSystem } from './real.ts'

describe.each([
  ['posix_spawn', ''],
  ['child_process', '1'],
])('a tool started by %s', (launcher, noFfi) => {
  process.env['JOBMETER_NO_FFI'] = noFfi
  const system = realSystem({ ownsProcess: false })
  afterAll(() => {
    delete process.env['JOBMETER_NO_FFI']
  })

  it('answers what it prints', async () => {
    expect(system.processes.launcher).toBe(launcher)
    expect(await system.toolOutput(['printf', 'a b\\n'])).toEqual({ kind: 'ok', value: 'a b\n' })
  })

  it('is unavailable where there is none, and failed where it fails without a word', async () => {
    expect(await system.toolOutput(['no-such-tool'])).toEqual({
      kind: 'unavailable',
      why: 'there is no no-such-tool',
    })
    expect(await system.toolOutput(['false'])).toEqual({
      kind: 'failed',
      error: 'false ended with 1',
    })
  })
})

it('a tool has failed where its output has no place, and nobody is thrown at', async () => {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = '/no such folder'
  const system = realSystem({ ownsProcess: false })
  expect(await system.toolOutput(['true'])).toMatchObject({ kind: 'failed' })
  if (before === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = before
})

it('NVML is not loaded where no library is to be called', async () => {
  process.env['JOBMETER_NO_FFI'] = '1'
  expect(await openNvml(undefined)).toEqual({
    kind: 'unavailable',
    why: 'JOBMETER_NO_FFI is set',
  })
  delete process.env['JOBMETER_NO_FFI']
})
