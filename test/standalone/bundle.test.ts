import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { version } from '../../src/cli/version.ts'
import { card, setState, standIn, standInMissing } from '../nvml/stand-in.ts'
import { ordinaryUser } from '../program.ts'
import { decideTidying } from '../tidy-turn.ts'
import { repository } from '../workloads/compile.ts'
import { BareRoot, bareRootMissing } from './bare-root.ts'
import { codeSpy } from './code-spy.ts'

const name = `jobmeter-${version}-linux-x64`
const isRoot = process.getuid?.() === 0

let scratch: string
let printed: string
/** Where it was unpacked, outside of any chroot. */
let bundle: string
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'jobmeter-bundle-'))
  chmodSync(scratch, 0o755)
  // gzip: the same archive with xz takes a minute.
  const words = ['tools/standalone/pack.ts', '--compress', 'gz', '--to', scratch]
  printed = execFileSync(process.execPath, words, { cwd: repository, encoding: 'utf8' })
  unpack(scratch)
  bundle = join(scratch, name)
}, 180_000)
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function unpack(folder: string): void {
  execFileSync('tar', ['-xzf', join(scratch, `${name}.tar.gz`), '-C', folder])
}

describe('the bundle', () => {
  it('is told by its path, size and checksum', () => {
    const archive = join(scratch, `${name}.tar.gz`)
    const bytes = readFileSync(archive)
    const sum = createHash('sha256').update(bytes).digest('hex')
    expect(printed).toBe(`${archive}\n${(bytes.length / 1e6).toFixed(1)} MB\nsha256 ${sum}\n`)
  })

  it('holds what the program loads, for this platform alone', () => {
    const packages = readdirSync(join(bundle, 'node_modules')).toSorted()
    // Threads and helpers are started by files of their own, and load what these import.
    expect(packages).toEqual([
      '@bgotink',
      '@koromix',
      'cron-parser',
      'luxon',
      'non-error',
      'pg',
      'pg-boss',
      'pg-connection-string',
      'pg-int8',
      'pg-pool',
      'pg-protocol',
      'pg-types',
      'pgpass',
      'plotly.js-basic-dist-min',
      'postgres-array',
      'postgres-bytea',
      'postgres-date',
      'postgres-interval',
      're2js',
      'rrule-temporal',
      'serialize-error',
      'split2',
      'tagged-tag',
      'temporal-spec',
      'type-fest',
      'xtend',
      'yaml',
      'zod',
    ])
    const native = join(bundle, 'node_modules/@koromix')
    expect(readdirSync(native)).toEqual(['koffi-linux-x64'])
    expect(readdirSync(join(native, 'koffi-linux-x64'))).toEqual(['linux_x64', 'package.json'])
  })

  it('holds the licences of all that is in it', () => {
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(repository, 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>
    const parts = Object.keys({ ...dependencies, ...optionalDependencies, node: '' })
    const libraries = readdirSync(join(bundle, 'runtime')).filter((file) => file !== 'node')
    expect(libraries).toContain('libstdc++.so.6')
    const inPages = ['preact', '@preact/signals', '@preact/signals-core', 'uplot']
    const neededByParts = ['jose', 'oauth4webapi']
    for (const part of [...parts, ...libraries, ...inPages, ...neededByParts])
      expect(statSync(join(bundle, 'licences', part.replace('/', '-'))).size).toBeGreaterThan(500)
  })

  it('starts with the code that was kept for its V8', () => {
    const spy = join(scratch, 'spy.cjs')
    writeFileSync(spy, codeSpy)
    const report = join(scratch, 'taken.json')
    // Else one run in many goes on to bring the spool into the ledger, and loads more for that.
    const turn = decideTidying(scratch, false)
    const program = join(bundle, 'bin/jobmeter.cjs')
    const words = ['--require', spy, '--require', turn, program, 'run', '-q', '--', 'true']
    execFileSync(join(bundle, 'runtime/node'), words, {
      env: { SPY: report, PATH: '/bin', JOBMETER_DB: join(scratch, 'ledger.db') },
    })
    const taken = JSON.parse(readFileSync(report, 'utf8')) as readonly boolean[]
    expect(taken).toEqual([true, true, true, true])
  })

  it('gives jobs the environment that it was given, and takes no libraries from there', () => {
    const broken = join(scratch, 'broken')
    mkdirSync(broken)
    for (const library of ['libstdc++.so.6', 'libgcc_s.so.1'])
      writeFileSync(join(broken, library), 'not a library')
    const given = {
      PATH: '/usr/bin:/bin',
      LD_LIBRARY_PATH: broken,
      NODE_OPTIONS: '--no-deprecation',
      PWD: '/elsewhere',
      'odd.name': 'dash would drop this',
      'BASH_FUNC_x%%': '() { :; }',
      EMPTY: '',
      JOBMETER_DB: join(scratch, 'ledger.db'),
    }
    // A static program or one of glibc alone: it must not want the broken libraries.
    const words = ['run', '-q', '--', 'env', '-0']
    const ended = spawnSync(join(bundle, 'bin/jobmeter'), words, { env: given, encoding: 'utf8' })
    expect(ended.stderr).toBe('')
    const entries = ended.stdout.split('\0').filter(Boolean)
    const own = entries.filter((entry) => !/^JOBMETER_(TASK_ID|MARKS)=/.test(entry))
    const expected = Object.entries(given).map(([key, value]) => `${key}=${value}`)
    expect(own.toSorted()).toEqual(expected.toSorted())
  })

  it.skipIf(standInMissing)('asks a GPU driver in a process of its own', () => {
    const state = join(scratch, 'cards')
    setState(state, [card(0)])
    const env = { ...process.env, JOBMETER_NVML: standIn, JOBMETER_NVML_STATE: state }
    const ended = spawnSync(join(bundle, 'bin/jobmeter'), ['doctor'], { encoding: 'utf8', env })
    expect(ended.stdout).toMatch(/✓ {2}NVIDIA GPUs +NVML: 1 card/)
  })

  it('passes words on as they are, and the exit code back', () => {
    const words = ['', ' two  words ', 'ünïcode', '*', '$HOME', '--', "it's"]
    const script = 'for word in "$@"; do printf "%s\\n" "$word"; done; exit 7'
    const ended = spawnSync(
      join(bundle, 'bin/jobmeter'),
      ['run', '-q', '--', 'sh', '-c', script, 'sh', ...words],
      { encoding: 'utf8', env: { PATH: '/bin', JOBMETER_DB: join(scratch, 'ledger.db') } },
    )
    expect(ended).toMatchObject({ status: 7, stdout: `${words.join('\n')}\n` })
  })

  it('never listens to the signal by which Node opens its debugger', () => {
    const words = ['run', '-q', '--', 'sh', '-c', 'tr "\\0" "\\n" < /proc/$PPID/cmdline']
    const ended = spawnSync(join(bundle, 'bin/jobmeter'), words, {
      encoding: 'utf8',
      env: { PATH: '/bin:/usr/bin', JOBMETER_DB: join(scratch, 'ledger.db') },
    })
    const started = [join(bundle, 'runtime/node'), '--disable-sigusr1']
    expect(ended.stdout.split('\n')).toEqual([
      ...started,
      join(bundle, 'bin/jobmeter.cjs'),
      ...words,
      '',
    ])
  })

  it('has the name that people know the plots by', () => {
    const ended = spawnSync(join(bundle, 'bin/jobmeter-plot-resources'), ['--help'], {
      encoding: 'utf8',
    })
    expect(ended).toMatchObject({ status: 0, stderr: '' })
    expect(ended.stdout).toContain('plot-resources')
  })

  it('says what it needs where its Node cannot be started', () => {
    const place = join(scratch, 'moved')
    mkdirSync(join(place, 'bin'), { recursive: true })
    execFileSync('cp', [join(bundle, 'bin/jobmeter'), join(place, 'bin')])
    expect(spawnSync(join(place, 'bin/jobmeter'), { encoding: 'utf8' })).toMatchObject({
      status: 126,
      stderr: `jobmeter cannot start ${place}/runtime/node; it needs Linux with glibc 2.28 or newer\n`,
    })
  })

  const systemNode = '/usr/bin/node'
  const isOld = existsSync(systemNode) && isOlder(systemNode)
  it.runIf(isOld)('uses its own Node where an older one starts it', () => {
    const words = [join(bundle, 'bin/jobmeter.cjs'), 'run', '-q', '--', 'sh', '-c', 'exit 7']
    const env = { PATH: '/bin', JOBMETER_DB: join(scratch, 'ledger.db') }
    const ended = spawnSync(systemNode, words, { encoding: 'utf8', env })
    expect(ended).toMatchObject({ status: 7, stderr: '' })
  })
})

function isOlder(node: string): boolean {
  const found = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout
  return Number(/^v(\d+)/.exec(found)?.[1] ?? 99) < 24
}

const users = isRoot ? [{ name: 'root', uid: 0 }, ordinaryUser] : [{ name: 'a user', uid: 0 }]
const reason = bareRootMissing === undefined ? '' : ` (skipped: ${bareRootMissing})`

describe.skipIf(bareRootMissing !== undefined)(`in a bare root${reason}`, () => {
  const place = 'opt/mit Leerzeichen und ünïcode'
  let root: BareRoot
  beforeAll(() => {
    mkdirSync(join(scratch, 'root'))
    root = new BareRoot(join(scratch, 'root'))
    mkdirSync(join(root.folder, place))
    unpack(join(root.folder, place))
    symlinkSync(`/${place}/${name}/bin/jobmeter`, join(root.folder, 'bin/jobmeter'))
  })

  it('there is no C++ library, no account and no source of random numbers', () => {
    const elsewhere = [root.folder, '-path', join(root.folder, 'opt'), '-prune', '-o']
    const words = [...elsewhere, '-name', 'libstdc*', '-print']
    expect(execFileSync('find', words, { encoding: 'utf8' })).toBe('')
    for (const path of ['etc/passwd', 'dev/urandom']) expect(root.has(path)).toBe(false)
  })

  describe.each(users)('without HOME, from a read-only folder, by a link: $name', (user) => {
    const folder = `/jobs/${user.name.replaceAll(' ', '-')}`
    const inFolder = (line: string) => root.run(`cd ${folder}; ${line}`, user)
    beforeAll(() => {
      mkdirSync(join(root.folder, folder), 0o755)
      if (user.uid !== 0) chownSync(join(root.folder, folder), user.uid, user.uid)
    })

    it('may not write to the program', () => {
      expect(inFolder(`echo x > "/${place}/${name}/x"`).stderr).toMatch(/Read-only|Permission/)
    })

    it('runs a job and has it in the history', () => {
      const ended = inFolder('jobmeter run --name bare -- true')
      expect(ended).toMatchObject({ status: 0 })
      expect(ended.stderr).toContain('bare  success')
      const history = inFolder('jobmeter history')
      expect(history).toMatchObject({ status: 0 })
      expect(history.stdout).toContain('Tool: true')
    })

    it('runs a workflow, with patterns and plots', () => {
      writeFileSync(join(root.folder, folder, 'w.yaml'), workflow)
      const ended = inFolder('jobmeter run w.yaml --db ledger.db')
      expect(ended.stderr).toContain('3 success')
      expect(ended.status).toBe(0)
      const plots = readdirSync(join(root.folder, folder, 'output/plots'))
      expect(plots.length).toBeGreaterThan(0)
      const list = inFolder('jobmeter results list 1 --db ledger.db')
      expect(list.stdout).toContain('gather')
    })

    it('says what can be measured: FFI is there', () => {
      const ended = inFolder('jobmeter doctor --db ledger.db')
      expect(ended).toMatchObject({ status: 0, stderr: '' })
      expect(ended.stdout).toMatch(/✓ {2}the kernel's accounting at exit +posix_spawn and wait4/)
    })
  })
})

const workflow = `name: bare
resource_monitor: { granularity: time_series, generate_plots: true, sample_interval_seconds: 0.05 }
jobs:
  - { name: "part_{i}", command: "echo {i} > part_{i}.txt", parameters: { i: "1:2" } }
  - { name: gather, command: "cat part_1.txt part_2.txt", depends_on_regexes: ["part_[0-9]$"] }
`
