import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let home: string
let built: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'jobmeter-code-'))
  built = join(home, 'package/dist/cli')
  mkdirSync(join(home, 'package/bin'), { recursive: true })
  mkdirSync(built, { recursive: true })
  copyFileSync('bin/jobmeter.cjs', join(home, 'package/bin/jobmeter.cjs'))
  build('2 * n')
})
afterEach(() => rmSync(home, { recursive: true }))

const kept = () => readdirSync(join(home, '.cache/jobmeter')).toSorted()
const wrapped = (code: string) =>
  `(function (exports, require, module, __filename, __dirname) {\n${code}\n})`

/** Writes a program as the bundler does: the first file names the others, whose names change with their content. */
function build(formula: string): void {
  const hash = Buffer.from(formula).toString('hex')
  const write = (name: string, code: string) => writeFileSync(join(built, name), wrapped(code))
  write('main.cjs', `exports.main = require("./start-${hash}.cjs").main`)
  write(
    `start-${hash}.cjs`,
    `exports.main = (argv) => {
      console.log(require("./part-${hash}.cjs").made(21), require('node:path').sep, argv.join(' '))
      process.exitCode = argv[1] === 'wrong' ? 2 : 0
    }`,
  )
  write(`part-${hash}.cjs`, `exports.made = function made(n) { return ${formula} }`)
}

const run = (...argv: readonly string[]): string => runAt(home, ...argv)

function runAt(place: string, ...argv: readonly string[]): string {
  const { stdout } = spawnSync(
    process.execPath,
    [join(home, 'package/bin/jobmeter.cjs'), ...argv],
    { encoding: 'utf8', timeout: 10_000, env: { HOME: place, PATH: process.env['PATH'] ?? '' } },
  )
  return stdout
}

describe('the compiled code that bin/jobmeter.cjs keeps', () => {
  it('runs as the program does', () => {
    expect([run('show'), run('show'), run('stats', 'x')]).toEqual([
      '42 / show\n',
      '42 / show\n',
      '42 / stats x\n',
    ])
  })

  it('is one file for each command, for its owner only, and used again', () => {
    run('show')
    run('stats')
    const names = kept()
    expect(names.map((name) => name.split('.')[0])).toEqual(['show', 'stats'])
    for (const name of names) {
      const file = join(home, '.cache/jobmeter', name)
      expect(statSync(file).mode & 0o077).toBe(0)
      utimesSync(file, 5, 5)
    }
    run('show')
    expect(kept()).toEqual(names)
    expect(statSync(join(home, '.cache/jobmeter', names[0] ?? '')).mtimeMs).toBe(5000)
  })

  it('is never that of another build', () => {
    run('show')
    const [before = ''] = kept()
    build('n + n + 1')
    expect(run('show')).toBe('43 / show\n')
    expect(kept()).toHaveLength(2)
    build('2 * n')
    expect(run('show')).toBe('42 / show\n')
    expect(kept()).toContain(before)
  })

  it('goes when nobody has made it for a month', () => {
    run('show')
    const [old = ''] = kept()
    utimesSync(join(home, '.cache/jobmeter', old), 5, 5)
    build('n')
    run('show')
    expect(kept()).toHaveLength(1)
    expect(kept()).not.toContain(old)
  })

  it('is made anew where it is garbage or cut off', () => {
    run('show')
    const [name = ''] = kept()
    const file = join(home, '.cache/jobmeter', name)
    const whole = readFileSync(file)
    const damages = [Buffer.from('garbage'), whole.subarray(0, 40), whole.subarray(0, -9)]
    for (const damage of damages) {
      writeFileSync(file, damage)
      expect(run('show')).toBe('42 / show\n')
      expect(run('show')).toBe('42 / show\n')
    }
  })

  it('is made anew where a bit of it has flipped', () => {
    run('show')
    const [name = ''] = kept()
    const file = join(home, '.cache/jobmeter', name)
    const whole = readFileSync(file)
    for (let part = 0; part < 20; part++) {
      const damaged = Buffer.from(whole)
      const at = Math.floor((part * whole.length) / 20) + part
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (part % 8))
      writeFileSync(file, damaged)
      expect(run('show')).toBe('42 / show\n')
      expect(readFileSync(file).length).toBe(whole.length)
      expect(readFileSync(file).equals(damaged)).toBe(false)
    }
  })

  it('is not kept for what was mistyped', () => {
    run('show', 'wrong')
    run('run', 'wrong')
    expect(kept().map((name) => name.split('.')[0])).toEqual(['run'])
  })

  it('takes no name from the user', () => {
    run('../../evil')
    run('--db', 'x', 'show')
    expect(kept().map((name) => name.split('.')[0])).toEqual(['other'])
  })

  it('is made with the folders above it, and not kept where none can be made', () => {
    expect(runAt(join(home, 'not', 'there'), 'show')).toBe('42 / show\n')
    expect(readdirSync(join(home, 'not/there/.cache/jobmeter'))).toHaveLength(1)
    for (const place of ['/proc', '/dev/null', 'relative', ''])
      expect(runAt(place, 'show')).toBe('42 / show\n')
  })

  it('is not kept where others may write', () => {
    mkdirSync(join(home, '.cache/jobmeter'), { recursive: true })
    chmodSync(join(home, '.cache/jobmeter'), 0o777)
    expect(run('show')).toBe('42 / show\n')
    expect(kept()).toEqual([])
  })
})

describe('the files that a command loads', () => {
  const folder = 'dist/cli'
  const files = readdirSync(folder)
  const fileOf = (name: string) =>
    files.find((file) => new RegExp(`^${name}-[\\w-]{8}\\.cjs$`).test(file)) ?? name

  /** All that are loaded before a line of the command has run. */
  function loadedBy(name: string): Set<string> {
    const seen = new Set<string>()
    const visit = (file: string): void => {
      if (seen.has(file)) return
      seen.add(file)
      const text = readFileSync(join(folder, file), 'utf8')
      // Those of dynamic imports stand in functions.
      for (const [, required = ''] of text.matchAll(/(?<!=>)require\("\.\/([^"]+)"\)/g))
        visit(required)
    }
    visit(fileOf(name))
    return seen
  }

  const kinds = (loaded: Set<string>) =>
    [...loaded].map((file) => file.replace(/(-[\w-]{8})?\.cjs$/, ''))

  it('are few for `run`: neither the ledger nor workflows', () => {
    expect(kinds(loadedBy('run')).toSorted()).toEqual(['measure', 'run', 'start'])
  })

  it.each(['job-history', 'job-details', 'watch', 'series'])(
    'hold nothing of workflow files for %s',
    (name) => {
      const loaded = kinds(loadedBy(name))
      expect(loaded).toContain(name)
      expect(loaded.filter((kind) => /yaml|schema|spec|workflow/.test(kind))).toEqual([])
    },
  )

  it('are plain ASCII: others would take four times as long to read', () => {
    const odd = execFileSync('sh', [
      '-c',
      `LC_ALL=C grep -lP '[^\\x00-\\x7f]' ${folder}/*.cjs || true`,
    ])
    expect(String(odd)).toBe('')
  })
})
