import { spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesContract } from '../../test/contracts/files.ts'
import { fakeSystem } from './fake.ts'
import { libcFiles } from './libc-files.ts'
import { loadLibc } from './libc.ts'
import { realFiles } from './real-files.ts'

const libc = loadLibc()
const realFilesUrl = new URL('real-files.ts', import.meta.url).href
const doors = [
  { name: 'the real machine', files: realFiles },
  ...(libc.kind === 'ok'
    ? [{ name: 'the real machine by libc', files: { ...realFiles, ...libcFiles(libc.value) } }]
    : []),
]

for (const { name, files } of doors)
  filesContract(`those of ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'jobmeter-files-'))
    return {
      files,
      path: (file) => `${folder}/${file}`,
      put: (path, content) => writeFileSync(path, content),
      take: (path) => rmSync(path),
      dispose: () => rmSync(folder, { recursive: true, force: true }),
    }
  })

filesContract('those of a made-up machine', () => {
  const { files, tree, directories } = fakeSystem()
  directories.add('/made')
  const contents = new Map<string, { bytes: Uint8Array }>()
  return {
    files,
    path: (name) => `/made/${name}`,
    // A real file keeps its descriptors when it is written anew; so does a content that is asked for.
    put(path, content) {
      const now = contents.get(path)
      if (now !== undefined && tree.has(path)) now.bytes = content
      else {
        const made = { bytes: content }
        contents.set(path, made)
        tree.set(path, () => made.bytes)
      }
    },
    take: (path) => tree.delete(path),
    dispose: () => tree.clear(),
  }
})

describe.each(doors)('the files of $name', ({ files }) => {
  it('read a long file of /proc to its end, which comes a page at a time', () => {
    const long = readFileSync('/proc/self/mountinfo')
    const maps = readFileSync('/proc/self/smaps').length
    expect(maps).toBeGreaterThan(20_000)
    const descriptor = files.open('/proc/self/smaps')
    expect(files.read(descriptor, new Uint8Array(10_000_000))).toBeGreaterThan(maps / 2)
    files.close(descriptor)
    expect(files.readText('/proc/self/mountinfo')).toEqual({
      kind: 'ok',
      value: long.toString('latin1'),
    })
  })

  it('tell a process that has ended apart from one that is there', async () => {
    const { spawn } = await import('node:child_process')
    const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] })
    const descriptor = files.open(`/proc/${child.pid}/stat`)
    const buffer = new Uint8Array(4096)
    expect(files.read(descriptor, buffer)).toBeGreaterThan(50)
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.stdin.end()
    await ended
    expect(files.read(descriptor, buffer)).toBe(-1)
    expect(files.open(`/proc/${child.pid}/stat`)).toBe(-1)
    files.close(descriptor)
  })

  it('leave no descriptor to those that are started', () => {
    const descriptor = files.open('/proc/self/stat')
    const { flags = '' } =
      /flags:\s+(?<flags>\d+)/.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))
        ?.groups ?? {}
    files.close(descriptor)
    expect(Number.parseInt(flags, 8) & 0o2000000).not.toBe(0)
  })
})

describe('the files of the real machine', () => {
  it('write one thing after the other through one descriptor', () => {
    const folder = mkdtempSync(join(tmpdir(), 'jobmeter-files-'))
    const path = join(folder, 'cgroup.procs')
    writeFileSync(path, '')
    realFiles.writeEach(path, ['17\n', '18\n'])
    expect(readFileSync(path, 'utf8')).toBe('17\n18\n')
    // Every write to /dev/full fails; the next one is tried all the same.
    expect(() => realFiles.writeEach('/dev/full', ['17', '18'])).not.toThrow()
    rmSync(folder, { recursive: true })
  })

  it('save a file whole, in place of what was there, or leave no trace', () => {
    const folder = mkdtempSync(join(tmpdir(), 'jobmeter-files-'))
    const path = join(folder, 'page.html')
    const part = (text: string) => new TextEncoder().encode(text)
    writeFileSync(path, 'older and longer')
    expect(realFiles.save(path, [part('new '), part('page')], 'page').kind).toBe('ok')
    expect(readFileSync(path, 'utf8')).toBe('new page')
    expect(realFiles.save(join(folder, 'no/page.html'), [part('x')], 'page').kind).toBe(
      'unavailable',
    )
    expect(realFiles.save(folder, [part('x')], 'page').kind).toBe('failed')
    expect(readdirSync(folder)).toEqual(['page.html'])
    rmSync(folder, { recursive: true })
  })

  it('look at links that lead in a circle without a fault', () => {
    const folder = mkdtempSync(join(tmpdir(), 'jobmeter-files-'))
    symlinkSync('circle', join(folder, 'circle'))
    expect(realFiles.foreignLinkTo(join(folder, 'circle'))).toContain('leads in a circle')
    rmSync(folder, { recursive: true })
  })

  it.each(['a pipe', 'a device that never ends'])(
    'tell %s by its time of change, and read nothing of it',
    (kind) => {
      const folder = mkdtempSync(join(tmpdir(), 'jobmeter-files-'))
      const path = join(folder, 'input')
      if (kind === 'a pipe') spawnSync('mkfifo', [path])
      else symlinkSync('/dev/zero', path)
      const script = `const { realFiles } = await import(${JSON.stringify(realFilesUrl)})
        console.log(JSON.stringify(realFiles.fingerprint(${JSON.stringify(path)})))`
      const seen = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        timeout: 90_000,
        encoding: 'utf8',
      })
      expect(JSON.parse(seen.stdout || 'null')).toMatchObject({
        value: { sizeBytes: 0, modifiedSeconds: statSync(path).mtimeMs / 1000, hash: null },
      })
      rmSync(folder, { recursive: true })
    },
  )

  it('find the main file of a package, and say where there is none', () => {
    const found = realFiles.readPackage('plotly.js-basic-dist-min')
    expect(found.kind === 'ok' && found.value.bytes.length > 1_000_000).toBe(true)
    expect(found).toMatchObject({ value: { hash: expect.stringMatching(/^[\da-f]{32}$/) } })
    expect(realFiles.readPackage('no-such-package-at-all')).toMatchObject({ kind: 'unavailable' })
  })
})

describe('the size of a directory', () => {
  it('tells how many files are open, where the kernel counts them', () => {
    const before = realFiles.directorySize('/proc/self/fd')
    const opened = Array.from({ length: 50 }, () => openSync('/dev/null', 'r'))
    const grown = realFiles.directorySize('/proc/self/fd') - before
    for (const descriptor of opened) closeSync(descriptor)
    const expected = before === 0 ? 0 : opened.length
    // Others of this process come and go meanwhile.
    expect(Math.abs(grown - expected)).toBeLessThan(10)
  })

  it('is no number where there is none', () => {
    expect(realFiles.directorySize('/proc/0/fd')).toBeNaN()
  })
})
