import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'

const path = 'bin/jobmeter.cjs'
const source = readFileSync(path, 'utf8')

/** Runs the launcher as a Node of that version would, with nothing else of Node in reach. */
function launch(version: string) {
  const printed: string[] = []
  const loaded: string[] = []
  const process = {
    versions: { node: version },
    env: {},
    on: () => {},
    argv: ['node', 'jobmeter', 'run', '--', 'true'],
    exitCode: undefined as number | undefined,
    stderr: { write: (text: string) => printed.push(text) },
  }
  const modules: Record<string, object> = {
    fs: {
      existsSync: () => true,
      readFileSync: () => 'require("./start-abc.cjs")',
      openSync: () => {
        throw new Error('no cgroup')
      },
    },
    path: { isAbsolute: () => false },
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
  runInNewContext(source, { process, require, __dirname: '/package/bin' })
  return { printed, loaded, exitCode: process.exitCode }
}

describe('bin/jobmeter.cjs', () => {
  it.each(['24.16.0', '24.21.0', '26.1.0', '27.0.0', '30.2.1'])('starts on Node %s', (version) => {
    expect(launch(version)).toEqual({
      printed: [],
      loaded: ['/package/dist/cli/main.cjs: run -- true'],
      exitCode: undefined,
    })
  })

  it.each(['0.10.48', '18.20.0', '20.20.2', '24.15.9', '25.9.0', '26.0.0'])(
    'says in one line that Node %s is too old, and loads nothing',
    (version) => {
      const { printed, loaded, exitCode } = launch(version)
      expect(loaded).toEqual([])
      expect(exitCode).toBe(1)
      expect(printed.join('')).toMatch(/^jobmeter needs Node 24\.16 [^\n]*\n$/)
      expect(printed.join('')).toContain(`this is v${version}`)
    },
  )

  it('holds no syntax that an old Node could not read', () => {
    const code = source.replaceAll(/\/\/.*/g, '')
    expect(code).not.toMatch(/=>|`|\?\.|\?\?|,\s*\)|\b(?:const|let|class|async|await)\b/)
  })

  it('may be executed', () => {
    expect(execFileSync('stat', ['-c', '%A', path], { encoding: 'utf8' })).toMatch(/^-rwxr-xr-x/)
    expect(source.startsWith('#!/usr/bin/env node\n')).toBe(true)
  })
})
