import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { stayAliveFor } from './stay-alive.ts'

const url = new URL('./stay-alive.ts', import.meta.url)

/** How a program ends that waits like this and has nothing else to do. */
function endOf(awaited: string, seconds: number): [code: number | null, printed: string] {
  const script = `import { stayAliveFor } from ${JSON.stringify(url.href)}
    await stayAliveFor(${awaited}, ${seconds})
    console.log('went on')`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 150_000,
  })
  return [status, stdout]
}

it('keeps a program alive until what it waits for is there, and no longer', () => {
  const soon = 'new Promise((resolve) => setTimeout(resolve, 50).unref())'
  expect(endOf(soon, 3600)).toEqual([0, 'went on\n'])
})

it('lets a program go on that waits for what never comes', () => {
  expect(endOf('new Promise(() => {})', 0.05)).toEqual([0, 'went on\n'])
})

it('passes no failure on', async () => {
  expect(await stayAliveFor(Promise.reject(new Error('no')), 3600)).toBeUndefined()
})
