import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Programs } from './programs.ts'
import { thisProgram } from './this-program.ts'

const openFiles = (): number => readdirSync('/proc/self/fd').length

it('is one program, whether it is named by its number or not', () => {
  const [first, second] = [thisProgram(), thisProgram(process.pid)]
  expect(second).toBe(first)
  const job = first.shareTime()
  const other = second.shareTime()
  expect([job.others, other.others]).toEqual([1, 1])
  job.end()
  other.end()
})

it('is forgotten when it has ended, and holds nothing open after that', async () => {
  const child = spawn('sleep', ['3600'])
  thisProgram()
  const before = openFiles()
  const program = thisProgram(child.pid)
  expect(thisProgram(child.pid)).toBe(program)
  expect(openFiles()).toBeGreaterThan(before)
  const underWay = program.shareTime()
  child.kill('SIGKILL')
  await once(child, 'close')
  const atEnd = openFiles()
  thisProgram()
  // A job is still tracked in it.
  expect(openFiles()).toBe(atEnd)
  underWay.end()
  // The pipes of the child are gone too.
  expect(openFiles()).toBeLessThan(before)
})

it('is another one when its number was given to another process', () => {
  let startTicks = 7
  const programs = new Programs(() => startTicks)
  const first = programs.of(process.pid)
  expect(programs.of(process.pid)).toBe(first)
  startTicks = 8
  const second = programs.of(process.pid)
  expect(second).not.toBe(first)
  startTicks = 9
  programs.of(process.pid)
  // Whoever still has it may give it back twice.
  const before = openFiles()
  second.leave()
  expect(openFiles()).toBe(before)
})

it('stays the same where nothing tells when it began', () => {
  const programs = new Programs(() => undefined)
  expect(programs.of(process.pid)).toBe(programs.of(process.pid))
})
