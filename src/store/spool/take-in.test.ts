import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someEnd, someSamples, someStart } from '../../../test/contracts/attempts.ts'
import { sampleWidth } from '../../../test/synthetic/sample-width.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { openSqliteLedger } from '../ledger/open.ts'
import { checksum } from './checksum.ts'
import { SpoolFile } from './spool-file.ts'
import { takeIn } from './take-in.ts'

let folder: string
let ledger: string
let opened: Ledger
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-spool-'))
  ledger = join(folder, 'state', 'ledger.db')
})
afterEach(() => {
  opened.close()
  rmSync(folder, { recursive: true })
})

/** Writes the start of an attempt; answers where. */
function begun(taskId: string): { file: SpoolFile; path: string } {
  const file = new SpoolFile(ledger, someStart(taskId))
  if (file.path === undefined) throw file.trouble ?? new Error('it is nowhere')
  return { file, path: file.path }
}

const nobodyIsDead = () => false
const everybodyIsDead = () => true
const take = (isDead = nobodyIsDead) => takeIn(opened, ledger, { isDead, isHeld: () => false })
const waiting = () => readdirSync(`${ledger}.spool`)
const status = () =>
  opened.jobs
    .find({})
    .map((record) => `${record.taskId} ${record.status}`)
    .toSorted()

describe('the spool', () => {
  beforeEach(() => {
    opened = openSqliteLedger(ledger)
  })

  it('is for its owner only, and so is what waits in it', () => {
    const { path } = begun('a')
    expect(statSync(`${ledger}.spool`).mode & 0o777).toBe(0o700)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toContain('python3')
  })

  it('hands finished attempts on to the ledger, once', () => {
    for (const taskId of ['a', 'b']) {
      const file = new SpoolFile(ledger, someStart(taskId))
      file.add(someSamples(2), 2)
      file.finish(someEnd())
    }
    expect(take()).toEqual([])
    expect(status()).toEqual(['a success', 'b success'])
    expect(opened.jobs.series('a').read().rows).toHaveLength(2)
    expect(waiting()).toEqual([])
    expect(take()).toEqual([])
    expect(status()).toHaveLength(2)
  })

  it('hands on more than fits one commit', () => {
    const names = Array.from({ length: 450 }, (_, index) => `task-${index}`)
    for (const name of names) new SpoolFile(ledger, someStart(name)).finish(someEnd())
    expect(take()).toEqual([])
    expect(waiting()).toEqual([])
    expect(opened.jobs.find({ status: 'success' })).toHaveLength(450)
  })

  it('shows a running attempt, and leaves it its file', () => {
    const file = new SpoolFile(ledger, someStart('a'))
    take()
    expect(status()).toEqual(['a running'])
    file.add(someSamples(3), 3)
    take()
    expect(opened.jobs.series('a').read().rows).toHaveLength(3)
    file.finish(someEnd())
    take()
    expect(status()).toEqual(['a success'])
    expect(waiting()).toEqual([])
  })

  it('gives up the file of an owner who is dead, with all it held', () => {
    const file = new SpoolFile(ledger, someStart('a'))
    file.add(someSamples(3), 3)
    take(everybodyIsDead)
    expect(status()).toEqual(['a interrupted'])
    expect(opened.jobs.series('a').read().rows).toHaveLength(3)
    expect(waiting()).toEqual([])
  })

  it('hears an owner who told the end and died while we looked', () => {
    const file = new SpoolFile(ledger, someStart('a'))
    take(() => {
      file.finish(someEnd())
      return true
    })
    expect(status()).toEqual(['a success'])
    expect(waiting()).toEqual([])
  })

  it('takes in what a look that was killed had taken away', () => {
    const { path } = begun('a')
    renameSync(path, `${path}.left`)
    take()
    expect(status()).toEqual(['a interrupted'])
    expect(waiting()).toEqual([])
  })

  it('believes an owner who tells the end though it was taken for dead', () => {
    const file = new SpoolFile(ledger, someStart('a'))
    file.add(someSamples(2), 2)
    take(everybodyIsDead)
    expect(status()).toEqual(['a interrupted'])
    file.add(someSamples(3).subarray(2 * sampleWidth), 1)
    file.finish(someEnd())
    take()
    expect(status()).toEqual(['a success'])
    expect(opened.jobs.series('a').read().rows).toHaveLength(3)
    expect(waiting()).toEqual([])
  })

  it('removes what was never begun, when nobody will finish it any more', () => {
    const { path } = begun('a')
    writeFileSync(path, '{"spool":1,"sta')
    take(everybodyIsDead)
    expect(existsSync(path)).toBe(true)
    const hourAgo = Date.now() / 1000 - 3600
    utimesSync(path, hourAgo, hourAgo)
    expect(take(everybodyIsDead)).toEqual([])
    expect(existsSync(path)).toBe(false)
    expect(status()).toEqual([])
  })

  it('keeps what it cannot read, and says so once', () => {
    const { path } = begun('a')
    writeFileSync(path, 'garbage\n')
    expect(take()).toEqual([
      `a record cannot be read (its first line is damaged); it is kept as ${path}.broken`,
    ])
    expect(take()).toEqual([])
    expect(readFileSync(`${path}.broken`, 'utf8')).toBe('garbage\n')
  })

  it('leaves alone what it cannot read while somebody has it locked', () => {
    const { path } = begun('a')
    writeFileSync(path, 'garbage\n')
    const isHeld = (task: string) => task === 'a'
    expect(takeIn(opened, ledger, { isDead: nobodyIsDead, isHeld })).toEqual([])
    expect(waiting()).toEqual(['a.jsonl'])
  })

  it('calls interrupted what it has of a damaged record whose owner is dead', () => {
    const { path } = begun('a')
    take()
    appendFileSync(path, 'garbage\n')
    expect(take(everybodyIsDead)).toEqual([expect.stringContaining('line 2 is damaged')])
    expect(status()).toEqual(['a interrupted'])
    expect(waiting()).toEqual(['a.jsonl.broken'])
  })

  it('takes in what a dead owner left though something is in the way', () => {
    const { path } = begun('a')
    mkdirSync(`${path}.left`)
    const [stuck, aside] = take(everybodyIsDead).toSorted()
    expect(stuck).toContain(`${path} cannot be set aside: EISDIR`)
    expect(aside).toContain('it is not a file')
    expect(status()).toEqual(['a interrupted'])
    expect(take(everybodyIsDead)).toEqual([])
    expect(waiting()).toEqual(['a.jsonl.broken'])
  })

  it('is not for signs of life', () => {
    begun('a').file.handOver()
    expect(take(everybodyIsDead)).toEqual([])
    expect(waiting()).toEqual(['a.alive'])
  })

  it('keeps a second one of the same name beside it', () => {
    const { path } = begun('a')
    for (const name of [`${path}.broken`, `${path}.2.broken`]) {
      writeFileSync(path, 'garbage\n')
      expect(take()).toEqual([expect.stringContaining(`kept as ${name}`)])
    }
    expect(waiting().toSorted()).toEqual(['a.jsonl.2.broken', 'a.jsonl.broken'])
  })

  it('leaves what a newer build wrote to that, and counts it', () => {
    const body = '{"spool":4,"start":"told otherwise"'
    for (const name of ['a', 'b'])
      writeFileSync(begun(name).path, `${body},"sum":"${checksum(body)}"}\n`)
    expect(take()).toEqual([`2 records of a newer jobmeter in ${ledger}.spool: left there for it`])
    expect(waiting()).toHaveLength(2)
  })

  const strange: readonly [string, (path: string) => void][] = [
    ['a directory', (path) => mkdirSync(path)],
    ['a pipe that never answers', (path) => spawnSync('mkfifo', [path])],
    ['a link to a file', (path) => symlinkSync('/etc/passwd', path)],
    ['a link to nowhere', (path) => symlinkSync('/nowhere', path)],
    ['a device', (path) => spawnSync('mknod', [path, 'c', '1', '5'])],
    ['a socket', (path) => spawnSync('python3', ['-c', listen, path])],
    ['an endless file', (path) => (writeFileSync(path, ''), truncateSync(path, 2 ** 40))],
    ['nothing but zeros', (path) => writeFileSync(path, `${'\0'.repeat(5000)}\n`)],
    ['the record of another', (path) => copyFileSync(begun('other').path, path)],
  ]
  const listen = 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])'
  it.each(strange)('sets %s aside, and takes in the rest', (_, make) => {
    begun('a').file.finish(someEnd())
    const path = `${ledger}.spool/b.jsonl`
    make(path)
    begun('c').file.finish(someEnd())
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return
    const [problem, ...more] = take()
    expect(problem).toContain(`it is kept as ${path}.broken`)
    expect(more).toEqual([])
    expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined()
    expect(status()).toEqual(expect.arrayContaining(['a success', 'c success']))
    expect(take()).toEqual([])
  })

  it('does not call a line broken whose writer lives', () => {
    const { file, path } = begun('a')
    file.add(someSamples(1), 1)
    const whole = readFileSync(path)
    writeFileSync(path, Buffer.concat([whole, Buffer.alloc(9), Buffer.from('\n')]))
    expect(take()).toEqual([])
    expect(status()).toEqual(['a running'])
    expect(take(everybodyIsDead)).toEqual([
      `a record cannot be read (line 3 is damaged); it is kept as ${path}.broken`,
    ])
  })

  it('leaves records of others to them, though root could read them', ({ skip }) => {
    if (process.getuid?.() !== 0) return skip('only root can read what others keep private')
    const { file, path } = begun('a')
    file.finish(someEnd())
    chownSync(path, 1234, 1234)
    expect(take()).toEqual([`a record of other users in ${ledger}.spool: left there for them`])
    expect(existsSync(path)).toBe(true)
    chownSync(`${ledger}.spool`, 1234, 1234)
    expect(take()).toEqual([
      `${ledger}.spool is not private to you: the records in it are not used`,
    ])
    expect(existsSync(path)).toBe(true)
    expect(status()).toEqual([])
  })

  it('that is a file itself is told, and no reason to stop', () => {
    writeFileSync(`${ledger}.spool`, '')
    expect(take()).toEqual([expect.stringContaining(`${ledger}.spool cannot be read: ENOTDIR`)])
  })
})

describe('a spool that is not there', () => {
  it('has nothing to take in', () => {
    opened = openSqliteLedger(ledger)
    expect(take()).toEqual([])
  })

  it('is made, with all above it', () => {
    new SpoolFile(ledger, someStart('a')).finish(someEnd())
    opened = openSqliteLedger(ledger)
    expect(waiting()).toEqual(['a.jsonl'])
    expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700)
  })

  it('goes to a place that all processes of this user find, where it cannot be made', () => {
    writeFileSync(join(folder, 'state'), 'a file')
    const file = new SpoolFile(ledger, someStart('a'))
    file.finish(someEnd())
    expect(file.trouble?.message).toContain(`${ledger}: the ledger cannot be`)
    const path = file.path ?? ''
    expect(path).toMatch(/^\/var\/tmp\/jobmeter-\d+\/\w{8}\.spool\/a\.jsonl$/)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(dirname(path))).mode & 0o777).toBe(0o700)
    rmSync(join(folder, 'state'))
    opened = openSqliteLedger(ledger)
    expect(take()).toEqual([])
    expect(status()).toEqual(['a success'])
    expect(existsSync(dirname(path))).toBe(false)
  })
})
