import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ordinaryUser } from '../test/program.ts'
import { codeSpy } from '../test/standalone/code-spy.ts'
import { decideTidying } from '../test/tidy-turn.ts'
import { keepCode } from './keep-code.ts'

const v8 = `${process.versions.v8}-${process.arch}`

let home: string
let built: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'jobmeter-code-'))
  chmodSync(home, 0o755)
  built = join(home, 'package/dist/cli')
  mkdirSync(join(home, 'package/bin'), { recursive: true })
  copyFileSync('bin/jobmeter.cjs', join(home, 'package/bin/jobmeter.cjs'))
})
afterEach(() => rmSync(home, { recursive: true }))

interface Ended {
  readonly stdout: string
  readonly status: number | null
  /** How many files of the program were loaded, and how many of them with the code that was kept. */
  readonly loaded: number
  readonly kept: number
}

interface Circumstances {
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly uid?: number
}

function run(argv: readonly string[], { flags = [], env = {}, uid }: Circumstances = {}): Ended {
  const spyFile = join(home, 'spy.cjs')
  writeFileSync(spyFile, codeSpy)
  const report = join(mkdtempSync(join(home, 'report-')), 'spy.json')
  if (uid !== undefined) chmodSync(join(report, '..'), 0o777)
  const { stdout, status } = spawnSync(
    process.execPath,
    [...flags, '--require', spyFile, join(home, 'package/bin/jobmeter.cjs'), ...argv],
    {
      encoding: 'utf8',
      timeout: 90_000,
      env: { HOME: home, PATH: process.env['PATH'] ?? '', SPY: report, ...env },
      ...(uid === undefined ? {} : { uid, gid: uid }),
    },
  )
  const taken = JSON.parse(readFileSync(report, 'utf8')) as boolean[]
  return { stdout, status, loaded: taken.length, kept: taken.filter(Boolean).length }
}

describe('the compiled code that is kept beside a program', () => {
  let made: string
  beforeAll(() => {
    made = mkdtempSync(join(tmpdir(), 'jobmeter-build-'))
    mkdirSync(join(made, 'bin'))
    mkdirSync(join(made, 'dist/cli'), { recursive: true })
    copyFileSync('bin/jobmeter.cjs', join(made, 'bin/jobmeter.cjs'))
    writeProgram(join(made, 'dist/cli'), '2 * n')
    keepCode(made)
  })
  afterAll(() => rmSync(made, { recursive: true }))
  beforeEach(() => cpSync(join(made, 'dist/cli'), built, { recursive: true }))

  const wrapped = (code: string) =>
    `(function (exports, require, module, __filename, __dirname) {\n${code}\n})`

  /** Writes a program as the bundler does: the first file names the others, whose names change with their content. */
  function writeProgram(folder: string, formula: string): void {
    const hash = Buffer.from(formula).toString('hex')
    const write = (name: string, code: string) => writeFileSync(join(folder, name), wrapped(code))
    write('main.cjs', `exports.main = require("./start-${hash}.cjs").main`)
    write(
      `start-${hash}.cjs`,
      `exports.main = (argv) => {
        console.log(require("./part-${hash}.cjs").made(21), require('node:path').sep, argv.join(' '))
      }`,
    )
    write(`part-${hash}.cjs`, `exports.made = function made(n) { return ${formula} }`)
  }

  const packs = () => readdirSync(built).filter((name) => name.endsWith('.code'))
  const withKept = { status: 0, loaded: 3, kept: 3 }
  const withoutKept = { status: 0, loaded: 3, kept: 0 }

  it('is used by every command', () => {
    for (const argv of [['run', '--', 'true'], ['show'], ['workflows', 'list']])
      expect(run(argv)).toEqual({ stdout: `42 / ${argv.join(' ')}\n`, ...withKept })
  })

  it('is not read where there is next to nothing to compile', () => {
    for (const argv of [['--version'], []])
      expect(run(argv)).toEqual({ stdout: `42 / ${argv.join(' ')}\n`, ...withoutKept })
  })

  it('is named by the V8 that made it, and may not be written to', () => {
    const names = ['ledger', 'run', 'workflow']
    expect(packs()).toEqual(names.map((name) => `${name}.${v8}.code`))
    for (const name of packs()) expect(statSync(join(built, name)).mode & 0o777).toBe(0o444)
  })

  it('is not looked for under another V8', () => {
    for (const name of packs())
      renameSync(join(built, name), join(built, name.replace(v8, '13.6.1-node.9-arm64')))
    expect(run(['show'])).toEqual({ stdout: '42 / show\n', ...withoutKept })
  })

  it('is passed over by the same V8 with other settings', () => {
    const stdout = '42 / show\n'
    expect(
      run(['show'], { flags: ['--no-flush-bytecode', '--stress-lazy-source-positions'] }),
    ).toEqual({ stdout, ...withoutKept })
    // Has no WebAssembly to check it with.
    expect(run(['show'], { flags: ['--jitless'] })).toEqual({ stdout, ...withoutKept })
  })

  it('is never that of another build', () => {
    // As when an upgrade was cut short: the program is new, the code is not.
    writeProgram(built, 'n + n + 1')
    expect(run(['show'])).toEqual({ stdout: '43 / show\n', ...withoutKept })
  })

  it.each<readonly [string, (whole: Buffer) => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['garbage', () => Buffer.from('garbage')],
    ['all zeros', (whole) => Buffer.alloc(whole.length)],
    ['cut off in its first line', (whole) => whole.subarray(0, 40)],
    ['cut off at its end', (whole) => whole.subarray(0, -8)],
    ['a byte longer', (whole) => Buffer.concat([whole, Buffer.from('x')])],
    ['larger than any', (whole) => Buffer.concat([whole], 2 ** 21)],
  ])('is passed over where it is %s', (_, damage) => {
    const file = join(built, `ledger.${v8}.code`)
    const whole = readFileSync(file)
    rmSync(file)
    writeFileSync(file, damage(whole))
    expect(run(['show'])).toEqual({ stdout: '42 / show\n', ...withoutKept })
  })

  it('is passed over where it cannot be read', () => {
    const file = join(built, `ledger.${v8}.code`)
    rmSync(file)
    expect(run(['show'])).toMatchObject(withoutKept)
    mkdirSync(file)
    expect(run(['show'])).toMatchObject(withoutKept)
    symlinkSync(file, join(built, 'loop'))
    rmSync(file, { recursive: true })
    renameSync(join(built, 'loop'), file)
    expect(run(['show'])).toMatchObject(withoutKept)
  })

  const listing = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ name, parentPath }) => {
      const { size, mtimeMs, ctimeMs } =
        statSync(join(parentPath, name), { throwIfNoEntry: false }) ?? {}
      return [join(parentPath, name), size, mtimeMs, ctimeMs]
    })

  it('is neither sought nor changed in a cache folder, whatever lies there', () => {
    const cache = join(home, 'user/.cache/jobmeter')
    mkdirSync(cache, { recursive: true })
    writeFileSync(join(home, 'thesis.txt'), 'mine')
    utimesSync(join(home, 'thesis.txt'), 5, 5)
    symlinkSync(join(home, 'thesis.txt'), join(cache, 'link'))
    for (const name of packs()) copyFileSync(join(built, `run.${v8}.code`), join(cache, name))
    writeFileSync(join(cache, 'mine.txt'), 'mine')
    utimesSync(join(cache, 'mine.txt'), 5, 5)
    const before = listing(join(home, 'user'))
    const places: readonly Record<string, string>[] = [
      { HOME: join(home, 'user') },
      { XDG_CACHE_HOME: join(home, 'user/.cache') },
      { HOME: '/proc', XDG_CACHE_HOME: '' },
    ]
    for (const env of places)
      expect(run(['show'], { env })).toEqual({ stdout: '42 / show\n', ...withKept })
    expect(listing(join(home, 'user'))).toEqual(before)
    expect(readFileSync(join(home, 'thesis.txt'), 'utf8')).toBe('mine')
  })

  it('is not made when the program runs', () => {
    for (const name of packs()) rmSync(join(built, name))
    const before = listing(join(home, 'package'))
    for (const argv of [['run', '--', 'true'], ['show'], ['--version']]) run(argv)
    expect(listing(join(home, 'package'))).toEqual(before)
  })

  it.runIf(process.getuid?.() === 0)('serves users who may not write to it', () => {
    expect(run(['show'], { uid: ordinaryUser.uid })).toMatchObject(withKept)
  })
})

describe('the compiled code of jobmeter itself', () => {
  beforeEach(() => {
    cpSync('dist/cli', built, { recursive: true })
    mkdirSync(join(home, 'package/node_modules'))
    for (const name of ['koffi', '@koromix'])
      symlinkSync(
        join(process.cwd(), 'node_modules', name),
        join(home, 'package/node_modules', name),
      )
  })

  const job = ['run', '--quiet', '--', 'sh', '-c', 'echo said; exit 3']
  const right = { stdout: 'said\n', status: 3 }

  it('covers all that a short job needs', () => {
    const turn = ['--require', decideTidying(home, false)]
    const { loaded, kept, ...ended } = run(job, { flags: turn })
    expect(ended).toEqual(right)
    expect({ loaded, kept }).toEqual({ loaded: 4, kept: 4 })
  })

  const bitsOf = (file: string, count: number) =>
    fc.sample(fc.nat(readFileSync(file).length * 8 - 1), { numRuns: count, seed: 20 })

  it('is not given to V8 once a bit of it has changed', () => {
    const file = join(built, `run.${v8}.code`)
    const flips = ['none', ...bitsOf(file, 300).map(String), 'none']
    const starter = join(import.meta.dirname, '../test/standalone/given-code.ts')
    const words = [starter, join(home, 'package/bin/jobmeter.cjs'), file, ...flips]
    expect(JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }))).toEqual([
      'none',
      'none',
    ])
  })

  it('is never run once a bit of it has changed', () => {
    const file = join(built, `run.${v8}.code`)
    const whole = readFileSync(file)
    chmodSync(file, 0o644)
    for (const flip of bitsOf(file, 25)) {
      const damaged = Buffer.from(whole)
      damaged[flip >> 3] = (whole[flip >> 3] ?? 0) ^ (1 << (flip & 7))
      writeFileSync(file, damaged)
      expect({ flip, ...run(job) }).toMatchObject({ flip, ...right, kept: 0 })
    }
  })

  it('is published', () => {
    const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      encoding: 'utf8',
    })
    for (const name of ['run', 'ledger', 'workflow'])
      expect(listed).toContain(`"dist/cli/${name}.${v8}.code"`)
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
    expect(kinds(loadedBy('run')).toSorted()).toEqual(['measuring', 'run', 'start'])
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
