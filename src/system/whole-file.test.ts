import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asRootOnly, stranger } from '../../test/root-only.ts'
import { programs } from '../../test/workloads/compile.ts'
import { realFiles } from './real-files.ts'

let folder: string
let path: (name: string) => string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-whole-'))
  path = (name) => join(folder, name)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const text = (content: string) => [new TextEncoder().encode(content)]
const modeOf = (file: string) => statSync(file).mode & 0o7777

describe('a file saved whole', () => {
  it.each([
    ['page', 0o000, 0o644],
    ['page', 0o027, 0o640],
    ['page', 0o077, 0o600],
    ['own', 0o000, 0o600],
    ['own', 0o022, 0o600],
  ] as const)('as %s under umask %o has the mode %o', (kind, umask, mode) => {
    const before = process.umask(umask)
    try {
      expect(realFiles.save(path('new'), text('x'), kind).kind).toBe('ok')
    } finally {
      process.umask(before)
    }
    expect(modeOf(path('new'))).toBe(mode)
  })

  it('makes directories that others cannot write to, and leaves those that are there', () => {
    const before = process.umask(0)
    try {
      mkdirSync(path('mine'), 0o777)
      expect(realFiles.makeDirectories(path('mine/out/plots')).kind).toBe('ok')
    } finally {
      process.umask(before)
    }
    expect(['mine', 'mine/out', 'mine/out/plots'].map((name) => modeOf(path(name)))).toEqual([
      0o777, 0o755, 0o755,
    ])
  })

  it('keeps the mode that its file had', () => {
    writeFileSync(path('old'), 'old and longer')
    for (const mode of [0o600, 0o664, 0o755]) {
      chmodSync(path('old'), mode)
      expect(realFiles.save(path('old'), text(`${mode}`), 'page').kind).toBe('ok')
      expect(readFileSync(path('old'), 'utf8')).toBe(`${mode}`)
      expect(modeOf(path('old'))).toBe(mode)
    }
  })

  it('goes through a link of ours, which stays', () => {
    mkdirSync(path('real'))
    symlinkSync('real', path('folder'))
    symlinkSync('../second', path('real/first'))
    symlinkSync('real/file', path('second'))
    expect(realFiles.save(path('folder/first'), text('new'), 'source').kind).toBe('ok')
    expect(readFileSync(path('real/file'), 'utf8')).toBe('new')
    expect(lstatSync(path('real/first')).isSymbolicLink()).toBe(true)
    expect(lstatSync(path('second')).isSymbolicLink()).toBe(true)
    // `..` of a link is the directory around what it leads to.
    mkdirSync(path('real/deep'))
    symlinkSync('real/deep', path('deep'))
    expect(realFiles.save(path('deep') + '/../beside', text('b'), 'page').kind).toBe('ok')
    expect(readFileSync(path('real/beside'), 'utf8')).toBe('b')
  })

  it('keeps the other names of its file', () => {
    writeFileSync(path('one'), 'older and longer')
    linkSync(path('one'), path('two'))
    expect(realFiles.save(path('one'), text('new'), 'source').kind).toBe('ok')
    expect(readFileSync(path('two'), 'utf8')).toBe('new')
    expect(statSync(path('one')).ino).toBe(statSync(path('two')).ino)
    expect(readdirSync(folder).toSorted()).toEqual(['one', 'two'])
  })

  it('refuses a read-only file, a circle of links and a directory', () => {
    writeFileSync(path('protected'), 'old', { mode: 0o444 })
    expect(realFiles.save(path('protected'), text('new'), 'source')).toEqual({
      kind: 'failed',
      error: `${path('protected')} is read-only; chmod u+w lets it be written`,
    })
    expect(readFileSync(path('protected'), 'utf8')).toBe('old')
    symlinkSync('b', path('a'))
    symlinkSync('a', path('b'))
    expect(realFiles.save(path('a'), text('x'), 'page')).toMatchObject({
      error: expect.stringContaining('circle'),
    })
    expect(realFiles.save(folder, text('x'), 'page')).toMatchObject({
      error: `${folder} is a directory`,
    })
    expect(readdirSync(folder).toSorted()).toEqual(['a', 'b', 'protected'])
  })

  it('goes into a pipe or a descriptor, and does not take its place', () => {
    const made = spawnSync('mkfifo', [path('pipe')])
    expect(made.status).toBe(0)
    const script = `
      import { realFiles } from '${import.meta.dirname}/real-files.ts'
      for (const path of process.argv.slice(1))
        console.log(JSON.stringify(realFiles.save(path, [Buffer.from('page\\n')], 'page')))`
    const save = (paths: string, shell: string) =>
      spawnSync(
        'bash',
        ['-c', `"$0" --input-type=module -e "$1" ${paths} ${shell}`, process.execPath, script],
        {
          encoding: 'utf8',
          cwd: folder,
          timeout: 90_000,
        },
      )
    const ok = '{"kind":"ok","value":true}\n'
    expect(save('pipe & cat pipe; wait', '').stdout).toContain('page\n')
    expect(lstatSync(path('pipe')).isFIFO()).toBe(true)
    expect(save('/dev/stdout', '').stdout).toBe(`page\n${ok}`)
    save('/dev/stdout', '> file')
    expect(readFileSync(path('file'), 'utf8')).toBe(`page\n${ok}`)
  })
})

describe('a page saved into a pipe', () => {
  it('arrives whole, though it is larger than the pipe and its reader is slow', async () => {
    spawnSync('mkfifo', [path('pipe')])
    const script = 'exec 3<>"$0"; echo; exec head -c 400000 <&3 >"$1"'
    const reader = spawn('sh', ['-c', script, path('pipe'), path('read')])
    const ended = once(reader, 'exit')
    await once(reader.stdout, 'data')
    expect(realFiles.save(path('pipe'), text('x'.repeat(300_000)), 'page').kind).toBe('ok')
    expect(realFiles.save(path('pipe'), text('y'.repeat(100_000)), 'page').kind).toBe('ok')
    await ended
    const content = readFileSync(path('read'), 'utf8')
    expect(content).toBe('x'.repeat(300_000) + 'y'.repeat(100_000))
  })

  it('does not wait for a reader that is not there', () => {
    spawnSync('mkfifo', [path('pipe')])
    expect(realFiles.save(path('pipe'), text('x'), 'page')).toMatchObject({
      error: `${path('pipe')} is a pipe or socket that nobody reads`,
    })
  })
})

describe.skipIf(asRootOnly.isSkipped)(`a file saved by root${asRootOnly.why}`, () => {
  it('goes into no pipe of somebody else', async () => {
    spawnSync('mkfifo', [path('pipe')])
    chownSync(path('pipe'), stranger.uid, stranger.gid)
    const reader = spawn('sh', ['-c', 'exec 3<>"$0"; echo; exec head -c 1 <&3', path('pipe')])
    await once(reader.stdout, 'data')
    expect(realFiles.save(path('pipe'), text('x'), 'page')).toMatchObject({
      error: `${path('pipe')} is a pipe that somebody else created`,
    })
    reader.kill()
  })

  it('goes into no file that takes the place of a pipe meanwhile', async () => {
    writeFileSync(path('victim'), 'precious')
    spawnSync('mkfifo', [path('page.html')])
    symlinkSync(path('victim'), path('link'))
    spawnSync('chown', ['-h', `${stranger.uid}`, path('link')])
    const reader = spawn('sh', ['-c', 'exec 3<>"$0"; exec cat <&3 >/dev/null', path('page.html')])
    const swap = spawn(join(programs, 'swap'), [path('page.html'), path('link')])
    await once(swap.stdout, 'data')
    const until = Date.now() + 1000
    while (Date.now() < until) realFiles.save(path('page.html'), text('x'), 'page')
    swap.kill()
    reader.kill()
    expect(readFileSync(path('victim'), 'utf8')).toBe('precious')
  })

  it('goes into a device', () => {
    // One of our own: a fault must not cost the machine its /dev/null.
    expect(spawnSync('mknod', [path('null'), 'c', '1', '3']).status).toBe(0)
    expect(realFiles.save(path('null'), text('x'), 'page').kind).toBe('ok')
    expect(lstatSync(path('null')).isCharacterDevice()).toBe(true)
  })

  it('keeps its owner', () => {
    writeFileSync(path('theirs'), 'old')
    chownSync(path('theirs'), stranger.uid, stranger.gid)
    chmodSync(path('theirs'), 0o640)
    expect(realFiles.save(path('theirs'), text('new'), 'source').kind).toBe('ok')
    const { uid, gid } = statSync(path('theirs'))
    expect({ uid, gid, mode: modeOf(path('theirs')) }).toEqual({ ...stranger, mode: 0o640 })
  })

  it('never goes through the link of somebody else', () => {
    writeFileSync(path('victim'), 'precious')
    mkdirSync(path('other'))
    for (const [link, target] of [
      ['report.html', 'victim'],
      ['away', 'other'],
    ] as const) {
      symlinkSync(path(target), path(link))
      spawnSync('chown', ['-h', `${stranger.uid}`, path(link)])
    }
    chmodSync(folder, 0o1777)
    for (const name of ['report.html', 'away/report.html'])
      expect(realFiles.save(path(name), text('x'), 'page')).toMatchObject({
        error: expect.stringContaining('is a link that somebody else created'),
      })
    expect(readFileSync(path('victim'), 'utf8')).toBe('precious')
    expect(readdirSync(path('other'))).toEqual([])
  })

  it('and put anew takes the place of theirs, which stays as it was', () => {
    writeFileSync(path('victim'), 'precious')
    symlinkSync(path('victim'), path('link.js'))
    writeFileSync(path('planted.js'), 'alert(1)', { mode: 0o666 })
    for (const name of ['link.js', 'planted.js'])
      spawnSync('chown', ['-h', `${stranger.uid}`, path(name)])
    for (const name of ['link.js', 'planted.js']) {
      expect(realFiles.saveAnew(path(name), text('ours'), 'page').kind).toBe('ok')
      expect(lstatSync(path(name)).isFile()).toBe(true)
      expect(statSync(path(name)).uid).toBe(process.geteuid?.())
      expect(readFileSync(path(name), 'utf8')).toBe('ours')
    }
    expect(readFileSync(path('victim'), 'utf8')).toBe('precious')
  })

  it('makes no directory by the link of somebody else', () => {
    mkdirSync(path('victim'))
    mkdirSync(path('common'))
    chmodSync(path('common'), 0o1777)
    symlinkSync(path('victim'), path('common/link'))
    spawnSync('chown', ['-h', `${stranger.uid}`, path('common/link')])
    expect(realFiles.makeDirectories(path('common/link/plots'))).toMatchObject({
      error: expect.stringContaining('is a link that somebody else created'),
    })
    expect(readdirSync(path('victim'))).toEqual([])
    symlinkSync(path('victim'), path('common/ours'))
    expect(realFiles.makeDirectories(path('common/ours/a/b')).kind).toBe('ok')
    expect(readdirSync(path('victim'))).toEqual(['a'])
  })
})
