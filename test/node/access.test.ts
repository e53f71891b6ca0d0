import { spawn, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lchownSync,
  mkdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeRootPath } from '../../src/store/node/node-path.ts'
import { unpacked } from '../../src/system/packed-value.ts'
import { programCommand, sandbox, type Ended, type Running, type Sandbox } from '../program.ts'
import { canMakeUsers, makeUsers, type MadeUsers } from './made-users.ts'

interface Job {
  readonly kind: string
  readonly id: string
  readonly user: string
  readonly command: string
  readonly pid: number | null
}

/** A process may call itself whatever it likes: here, what clears a terminal, and what is no text. */
const renameAndWait = String.raw`printf '\033[2J\377) R\n' > /proc/$$/comm; echo ready; read; :`

/** Root would read what the machine's own agent keeps, and ask nobody. */
const hasOwnAgent = existsSync(nodeRootPath)

const shownMode = (mode: number): string => (mode & 0o777).toString(8)

describe.skipIf(!canMakeUsers)('who sees what on a node', () => {
  let made: MadeUsers
  let box: Sandbox
  let agent: Running
  const jobs: ChildProcess[] = []
  const socket = (): string => box.path('run/agent.sock')
  const db = (): string => box.path('data/node.db')

  /** As the user would log in, with all groups of theirs. */
  const as = async (name: string, args: readonly string[]): Promise<Ended> =>
    box.jobmeter(args, {
      within: [
        'setpriv',
        `--reuid=${made.user(name).name}`,
        `--regid=${made.user(name).gid}`,
        '--init-groups',
      ],
      env: { JOBMETER_AGENT_SOCKET: socket(), HOME: '/nowhere', XDG_STATE_HOME: '/nowhere' },
      cwd: '/',
    })
  const listed = async (name: string, ...args: readonly string[]): Promise<Job[]> => {
    const ended = await as(name, ['ps', '--format', 'json', ...args])
    expect(ended).toMatchObject({ code: 0 })
    return JSON.parse(ended.stdout) as Job[]
  }
  const configure = (...lines: readonly string[]): void =>
    writeFileSync(box.path('agent.yaml'), [`database: ${db()}`, ...lines, ''].join('\n'))
  const work = (name: string, program: string, env: Record<string, string>): number => {
    const { uid, gid } = made.user(name)
    copyFileSync('/bin/sleep', box.path(program))
    chmodSync(box.path(program), 0o755)
    const job = spawn(box.path(program), ['600'], { uid, gid, env, cwd: '/', stdio: 'ignore' })
    jobs.push(job)
    return job.pid ?? 0
  }
  let pidOfBob = 0
  let pidOfAda = 0

  beforeAll(async () => {
    made = makeUsers(['ada', 'bob', 'adm'], ['adm'])
    box = sandbox()
    chmodSync(box.directory, 0o755)
    // Ada's job says that it is Bob's.
    pidOfBob = work('bob', 'bobs-program', { SLURM_JOB_ID: '4242' })
    pidOfAda = work('ada', 'adas-program', { SLURM_JOB_ID: '4242' })
    const { uid, gid } = made.user('bob')
    const odd = spawn('/bin/bash', ['-c', renameAndWait], { uid, gid, env: {}, cwd: '/' })
    jobs.push(odd)
    await new Promise((resolve) => odd.stdout.once('data', resolve))
    configure('interval: 0.3s', `administrators: ${made.group}`)
    agent = box.start(['agent', '--verbose', '--config', box.path('agent.yaml')], {
      env: { JOBMETER_AGENT_SOCKET: socket() },
    })
    await agent.saw('round 2:')
  })
  afterAll(async () => {
    for (const job of jobs) job.kill('SIGKILL')
    agent?.signal('SIGTERM')
    await agent?.ended
    box?.[Symbol.dispose]()
    made?.[Symbol.dispose]()
  })

  it('shows users what is theirs', async () => {
    const [seen, ...others] = (await listed('ada')).filter(({ kind }) => kind === 'slurm')
    expect(seen).toMatchObject({ id: '4242', user: made.user('ada').name, pid: pidOfAda })
    expect(others).toEqual([])
    const { stdout } = await as('ada', ['ps', '--user', made.user('bob').name])
    expect(stdout).toMatch(/^You see only your own jobs here\./)
    const ofBob = (await listed('bob')).filter(({ kind }) => kind === 'slurm')
    expect(ofBob).toMatchObject([{ id: '4242', command: 'bobs-program', pid: pidOfBob }])
  })

  it.each([
    'ps',
    'ps --format csv',
    'ps --format json --running',
    'ps --user $bob --format csv',
    'ps --pid $pid --format csv',
    'ps --command bobs --format csv',
    'usage --by user,command,account,host',
    'usage --by user --user $bob --format json',
    'usage --by command --format csv --metric memory',
    'uptime --format json',
  ])('tells nobody of others: %s', async (line) => {
    const { name } = made.user('bob')
    const given = line.replace('$bob', name).replace('$pid', String(pidOfBob)).split(' ')
    const { stdout, stderr, code } = await as('ada', given)
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'jobmeter: your own jobs only; of the others, sums\n',
    })
    expect(stdout).not.toContain(name)
    expect(stdout).not.toContain('bobs')
    expect(stdout).not.toMatch(new RegExp(`\\b${pidOfBob}\\b|\\b${made.user('bob').uid}\\b`))
  })

  it('shows all to a member of the administrators’ group, and to nobody else by the file', async () => {
    const users = new Set((await listed('adm', '--db', db())).map(({ user }) => user))
    for (const name of ['ada', 'bob']) expect(users).toContain(made.user(name).name)
    const refused = await as('ada', ['ps', '--db', db()])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('no node database here that you may read')
    expect(shownMode(statSync(box.path('data')).mode)).toBe('750')
    for (const file of [db(), `${db()}-wal`, `${db()}-shm`]) {
      const { mode, uid, gid } = statSync(file)
      expect({ mode: shownMode(mode), uid, gid }).toEqual({ mode: '640', uid: 0, gid: made.gid })
    }
  })

  it.each(['table', 'csv', 'json'])(
    'prints nothing that takes over a terminal, as %s',
    async (format) => {
      const { stdout } = await as('adm', ['ps', '--db', db(), '--format', format])
      expect(stdout).toMatch(/\\x1b\[2J|\\u001b\[2J/)
      // eslint-disable-next-line no-control-regex -- that is what it looks for
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    },
  )

  it('hears hostile requests, and goes on', async () => {
    const long = `{"ask":"jobs","with":[{"users":["${'x'.repeat(70_000)}"]}]}\n`
    const hostile = [
      '\n',
      '{}\n',
      'null\n',
      `${'\0'.repeat(100)}\n`,
      `${'['.repeat(9000)}\n`,
      long,
      '{"ask":"close","with":[]}\n',
      '{"ask":"__proto__","with":[]}\n',
      '{"ask":"jobs","with":[{"limit":"1; DROP TABLE job"}]}\n',
      '{"ask":"stretches","with":[0,1e999]}\n',
    ]
    for (const text of hostile)
      expect(await say(socket(), text)).toEqual({
        error: expect.stringContaining('the agent does not know this question') as string,
      })
    expect(await listed('ada')).not.toEqual([])
  })

  it('lets nobody be kept waiting by who opens many connections and says nothing', async () => {
    const { uid, gid } = made.user('ada')
    const script = `const net = require('net'); let left = 400
      for (let at = 0; at < 400; at++) net.connect(${JSON.stringify(socket())}).on('error', () => {})
        .on('connect', function () { this.write('x'); if (--left === 0) console.log('all') }).on('close', () => { if (--left === 0) console.log('all') })
      setInterval(() => {}, 1000)`
    const flood = spawn(programCommand[0] ?? '', ['-e', script], { uid, gid, cwd: '/' })
    jobs.push(flood)
    await new Promise((resolve) => flood.stdout.once('data', resolve))
    const round = Number(/round (\d+):(?![^]*round)/.exec(await agent.saw('round'))?.[1])
    expect(await listed('bob')).not.toEqual([])
    await agent.saw(`round ${round + 3}:`)
    flood.kill('SIGKILL')
  })

  it('does not believe a socket that somebody else listens on', async () => {
    const planted = box.path('open/agent.sock')
    const { uid, gid } = made.user('bob')
    openToAll(box, 'open')
    const script = `require('net')
      .createServer((socket) => socket.on('error', () => {}).end(require('v8').serialize({ ok: [] })))
      .listen(${JSON.stringify(planted)}, () => console.log('listens'))`
    const server = spawn(programCommand[0] ?? '', ['-e', script], { uid, gid, cwd: '/' })
    jobs.push(server)
    await new Promise((resolve) => server.stdout.once('data', resolve))
    chmodSync(planted, 0o777)
    for (const name of hasOwnAgent ? ['ada'] : ['root', 'ada']) {
      const within =
        name === 'root' ? [] : ['setpriv', `--reuid=${made.user(name).uid}`, '--clear-groups']
      const env = { JOBMETER_AGENT_SOCKET: planted, HOME: '/nowhere', XDG_STATE_HOME: '/nowhere' }
      const ended = await box.jobmeter(['ps'], { env, within, cwd: '/' })
      expect(ended).toMatchObject({ code: 1, stdout: '' })
      expect(ended.stderr).toContain('somebody else listens there')
    }
  })

  it('keeps root’s agent from writing where others could change what it writes to', async () => {
    const { uid, gid } = made.user('bob')
    openToAll(box, 'shared')
    symlinkSync('/etc/jobmeter-planted.db', box.path('shared/link.db'))
    const theirs = box.path('theirs')
    openToAll(box, 'theirs')
    chownSync(theirs, uid, gid)
    for (const path of ['shared/node.db', 'shared/link.db', 'theirs/node.db']) {
      const ended = await box.jobmeter([
        'agent',
        '--once',
        '--interval',
        '0.1s',
        '--db',
        box.path(path),
      ])
      expect(ended).toMatchObject({ code: 1, stdout: '' })
      expect(ended.stderr).toContain('does not write to')
    }
  })

  it('uses no database that somebody else put where everybody can', async () => {
    openToAll(box, 'everybodys')
    const planted = box.path('everybodys/node.db')
    writeFileSync(planted, 'not even a database')
    chownSync(planted, made.user('bob').uid, made.user('bob').gid)
    chmodSync(planted, 0o644)
    const asRoot = await box.jobmeter(['ps', '--db', planted])
    expect(asRoot.stderr).toMatch(/so root does not use it|permissions of its owner/)
    expect(asRoot.code).toBe(1)
    const asAda = await as('ada', ['ps', '--db', planted])
    expect(asAda.stderr).toContain('somebody else created this file')
    symlinkSync(db(), box.path('everybodys/link.db'))
    lchownSync(box.path('everybodys/link.db'), made.user('bob').uid, made.user('bob').gid)
    const byLink = await as('adm', ['ps', '--db', box.path('everybodys/link.db')])
    expect(byLink.stderr).toContain('a link that somebody else created')
    expect(byLink).toMatchObject({ code: 1, stdout: '' })
  })

  it('does as its configuration says after SIGHUP', async () => {
    configure('interval: 0.3s')
    agent.signal('SIGHUP')
    await agent.saw('the configuration was read again')
    expect(shownMode(statSync(db()).mode)).toBe('600')
    expect(shownMode(statSync(`${db()}-wal`).mode)).toBe('600')
    expect(shownMode(statSync(box.path('data')).mode)).toBe('700')
    expect(await as('adm', ['ps', '--db', db()])).toMatchObject({ code: 1, stdout: '' })
    configure('interval: 0.3s', 'administrators: no-such-group')
    agent.signal('SIGHUP')
    expect(await agent.saw('stays in force')).toMatch(
      /agent\.yaml:3:17 administrators: there is no group/,
    )
  })
})

function openToAll(box: Sandbox, name: string): void {
  mkdirSync(box.path(name))
  chmodSync(box.path(name), 0o1777)
}

/** What the other end of a socket answers to a text, until it hangs up. */
async function say(path: string, text: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const parts: Buffer[] = []
  const socket = connect(path, () => socket.write(text))
  socket.on('data', (part: Buffer) => parts.push(part))
  socket.on('close', () => resolve(unpacked(Buffer.concat(parts))))
  socket.on('error', (error: NodeJS.ErrnoException) => {
    // Refused before all was sent: what it said first is there all the same.
    if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error)
  })
  return promise
}
