import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { programCommand, sandbox } from '../program.ts'

const systemNode = '/usr/bin/node'
const isOld = existsSync(systemNode) && majorVersion(systemNode) < 24
const why = isOld ? '' : ` (skipped: ${systemNode} is not an old Node)`

function majorVersion(node: string): number {
  const found = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout
  return Number(/^v(\d+)/.exec(found)?.[1] ?? 99)
}

describe.skipIf(!isOld)(`an old Node that starts the program's own${why}`, () => {
  // Node puts the terminal back when it exits, and Node 20 aborts where that is gone.
  it.each([
    ['as a shell says of SIGHUP', 'sleep 60', 129],
    [
      'as a job that goes on',
      'trap "" HUP; while test -e begun && ! test -e gone; do sleep 0.1; done; exit 7',
      7,
    ],
  ])('ends like the other when its terminal is closed: %s', async (_, job, code) => {
    using box = sandbox()
    const run = `${systemNode} ${programCommand[1]} run -q -- sh -c '> begun; ${job}'`
    // Closing a terminal signals who leads its session, which is this shell.
    const terminal = box.terminal(
      `trap 'kill -HUP $!' HUP; ${run} <&0 & wait; > signalled; wait $!; echo $? > code; mv code ended`,
    )
    const isThere = async (name: string): Promise<void> => {
      await expect.poll(() => existsSync(box.path(name))).toBe(true)
    }
    await isThere('begun')
    terminal.signal('SIGKILL')
    await isThere('signalled')
    writeFileSync(box.path('gone'), '')
    await isThere('ended')
    expect(readFileSync(box.path('ended'), 'utf8')).toBe(`${code}\n`)
  })
})
