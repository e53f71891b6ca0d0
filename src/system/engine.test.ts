import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { engineFlags, expectManyJobs, expectToWait } from './engine.ts'
import { loadLibc, type Libc } from './libc.ts'

const libc = loadLibc()

test('what is called usual is what this V8 begins with', () => {
  const { stdout } = spawnSync(process.execPath, ['--print-flag-values', '-e', '0'], {
    encoding: 'utf8',
  })
  const begun = new Set(stdout.split('\n'))
  for (const { usual } of engineFlags) expect(begun).toContain(usual)
})

test('a V8 of another version is left alone, for it might complain on standard error', () => {
  const asked: string[] = []
  const fake = { bindSetEngineFlags: () => (flag: string) => asked.push(flag) } as Partial<Libc>
  for (const expectIt of [expectToWait, expectManyJobs]) {
    expectIt(fake as Libc, '14.1.146.11-node.14')
    expect(asked).toEqual([])
  }
  expectToWait(fake as Libc, '13.6.233.17-node.53')
  expect(asked.splice(0)).toEqual(engineFlags.map(({ waiting }) => waiting))
  expectManyJobs(fake as Libc, '13.6.233.17-node.53')
  expect(asked).toEqual([
    '--invocation-count-for-turbofan=100000',
    '--invocation-count-for-osr=8000',
    '--sparkplug',
  ])
})

test.skipIf(libc.kind !== 'ok')('Node exports the call by which flags are set', () => {
  expect(libc.kind === 'ok' && typeof libc.value.bindSetEngineFlags()).toBe('function')
})
