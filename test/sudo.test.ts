import { spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asRootOnly, stranger } from './root-only.ts'
import { programCommand } from './program.ts'

/** Everything below a directory that is not the stranger's. */
function notTheirs(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (name) => lstatSync(join(directory, name)).uid !== stranger.uid,
  )
}

describe.skipIf(asRootOnly.isSkipped)(`root with the HOME of another${asRootOnly.why}`, () => {
  let folder: string
  let home: string
  let rootHome: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jobmeter-sudo-'))
    home = join(folder, 'home')
    rootHome = join(folder, 'root')
    spawnSync('chmod', ['755', folder])
    mkdirSync(home)
    chownSync(home, stranger.uid, stranger.gid)
    mkdirSync(rootHome)
    const users = readFileSync('/etc/passwd', 'utf8')
    const moved = users.replace(/^root:([^:]*):0:0:([^:]*):[^:]*:/m, `root:$1:0:0:$2:${rootHome}:`)
    writeFileSync(join(folder, 'passwd'), moved)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** In a mount namespace where root's home is one of ours. */
  const sudo = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawnSync(
      'unshare',
      [
        '-m',
        'sh',
        '-c',
        `mount --bind '${join(folder, 'passwd')}' /etc/passwd && exec "$@"`,
        'sh',
        ...programCommand,
        ...args,
      ],
      {
        encoding: 'utf8',
        cwd: folder,
        env: { PATH: '/usr/bin:/bin', HOME: home, ...env },
        timeout: 150_000,
      },
    )
  /** As themselves. */
  const theirs = (args: readonly string[]) =>
    spawnSync(programCommand[0] ?? '', [...programCommand.slice(1), ...args], {
      encoding: 'utf8',
      cwd: home,
      env: { PATH: '/usr/bin:/bin', HOME: home },
      timeout: 150_000,
      ...stranger,
    })

  it('follows none of their settings: not to their files, and not with root’s secrets', () => {
    const config = join(home, '.config/jobmeter')
    mkdirSync(config, { recursive: true })
    const planted = join(folder, 'written-by-root')
    const rule = '{ name: job-failed, says: planted }'
    const channel = `{ name: log, type: file, path: ${planted}, group_wait: 0s }`
    writeFileSync(join(config, 'alerts.yaml'), `rules: [${rule}]\nchannels: [${channel}]\n`)
    spawnSync('chown', ['-R', `${stranger.uid}:${stranger.gid}`, join(home, '.config')])
    expect(sudo(['run', '-q', '--', 'false']).status).toBe(1)
    expect(sudo(['alerts', 'deliver', '--for', '2s']).stderr).not.toContain('planted')
    expect(existsSync(planted)).toBe(false)
    // Their own runs do follow them.
    theirs(['run', '-q', '--', 'false'])
    expect(theirs(['alerts', 'list']).stdout).toContain('job-failed')
  })

  it('keeps its own ledger, says so, and leaves nothing in their home', () => {
    const ran = sudo(['run', '--', 'true'])
    expect(ran).toMatchObject({ status: 0 })
    const ledger = join(rootHome, '.local/state/jobmeter/ledger.db')
    expect(ran.stderr).toContain(
      `jobmeter: using root's ledger ${ledger}, because others can change ${home}`,
    )
    expect(existsSync(ledger) || existsSync(`${ledger}.spool`)).toBe(true)
    expect(readdirSync(home)).toEqual([])
    const listed = sudo(['history'])
    expect(listed.stdout).toContain('true')
    expect(listed.stderr).toContain("using root's ledger")
    expect(sudo(['run', '--quiet', '--', 'true']).stderr).toBe('')
    expect(theirs(['run', '--quiet', '--', 'true'])).toMatchObject({ status: 0, stderr: '' })
    expect(theirs(['history'])).toMatchObject({ status: 0, stderr: '' })
    expect(notTheirs(home)).toEqual([])
  })

  it('is not led through their links, nor to their XDG_STATE_HOME', () => {
    mkdirSync(join(folder, 'victim'))
    mkdirSync(join(home, '.local'))
    symlinkSync(join(folder, 'victim'), join(home, '.local/state'))
    spawnSync('chown', ['-Rh', `${stranger.uid}:${stranger.gid}`, join(home, '.local')])
    for (const env of [
      {},
      { XDG_STATE_HOME: join(home, 'state') },
      { HOME: join(home, 'not/there') },
    ])
      expect(sudo(['run', '--quiet', '--', 'true'], env)).toMatchObject({ status: 0 })
    expect(readdirSync(join(folder, 'victim'))).toEqual([])
    expect(readdirSync(home)).toEqual(['.local'])
  })

  it('keeps its own ledger where it was told to use theirs, and leaves theirs to them', () => {
    const db = join(home, 'kept/mine.db')
    expect(theirs(['--db', db, 'run', '--quiet', '--name', 'theirs', '--', 'true'])).toMatchObject({
      status: 0,
    })
    const before = readdirSync(home, { recursive: true })
    const ran = sudo(['--db', db, 'run', '--name', 'roots', '--', 'true'])
    expect(ran.status).toBe(0)
    const ledger = join(rootHome, '.local/state/jobmeter/ledger.db')
    expect(ran.stderr).toContain(`using root's ledger ${ledger}, because others can change ${db}`)
    expect(readdirSync(home, { recursive: true })).toEqual(before)
    expect(sudo(['history']).stdout).toContain('roots')
    const read = sudo(['--db', db, 'history'])
    expect(read, read.stderr).toMatchObject({ status: 0 })
    expect(read.stdout).toContain('theirs')
    expect(read.stdout).not.toContain('roots')
    expect(read.stderr).toContain(`with the permissions of its owner, user ${stranger.uid}`)
    expect(notTheirs(home)).toEqual([])
    expect(theirs(['--db', db, 'history'])).toMatchObject({ status: 0, stderr: '' })
  })
})
