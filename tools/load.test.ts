import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let home: string
let program: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'jobmeter-load-'))
  program = join(home, 'program')
  mkdirSync(program)
  writeFileSync(
    join(program, 'main.cjs'),
    "const { twice } = require('./part.cjs'); exports.main = (n) => console.log(twice(n), require('node:path').sep)",
  )
  writeFileSync(join(program, 'part.cjs'), 'exports.twice = function twice(n) { return 2 * n }')
})
afterEach(() => rmSync(home, { recursive: true }))

const kept = () => readdirSync(join(home, '.cache/jobmeter')).toSorted()

function run(purpose = 'run'): string {
  const loader = resolve('bin/load.cjs')
  const script = `require(${JSON.stringify(loader)}).createLoader(${JSON.stringify(purpose)})(${JSON.stringify(join(program, 'main.cjs'))}).main(21)`
  return execFileSync(process.execPath, ['-e', script], {
    encoding: 'utf8',
    env: { HOME: home, PATH: process.env['PATH'] ?? '' },
  })
}

describe('bin/load.cjs', () => {
  it('runs files that require each other, with and without kept code', () => {
    expect([run(), run(), run('other')]).toEqual(['42 /\n', '42 /\n', '42 /\n'])
  })

  it('keeps the code of each command apart, for its owner only', () => {
    run()
    run('show')
    const names = kept().map((name) => name.split('.')[0])
    expect(names).toEqual(['run-main', 'run-part', 'show-main', 'show-part'])
    for (const name of kept())
      expect(statSync(join(home, '.cache/jobmeter', name)).mode & 0o077).toBe(0)
  })

  it('replaces kept code when a file changes', () => {
    run()
    const before = kept()
    writeFileSync(join(program, 'part.cjs'), 'exports.twice = (n) => n + n + 1')
    expect(run()).toBe('43 /\n')
    expect(kept()).toHaveLength(before.length)
    expect(kept()).not.toEqual(before)
  })

  it('goes on without kept code that is garbage', () => {
    run()
    for (const name of kept()) writeFileSync(join(home, '.cache/jobmeter', name), 'garbage')
    expect(run()).toBe('42 /\n')
    expect(run()).toBe('42 /\n')
  })

  it('keeps nothing where others may write', () => {
    mkdirSync(join(home, '.cache/jobmeter'), { recursive: true })
    chmodSync(join(home, '.cache/jobmeter'), 0o777)
    expect(run()).toBe('42 /\n')
    expect(kept()).toEqual([])
  })
})
