import { spawn, spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ordinaryUser, sandbox, users } from '../program.ts'

const bytes = 50_000_000

/** Sends so much to itself over loopback, and keeps the connection open until it has been seen. */
const transfer = `
const { createServer, connect } = require('node:net')
let received = 0
const server = createServer((socket) =>
  socket.on('data', (part) => {
    received += part.length
    if (received === ${bytes}) setTimeout(() => process.exit(0), 2200)
  }),
).listen(0, '127.0.0.1', () => connect(server.address().port, '127.0.0.1').write(Buffer.alloc(${bytes})))
`

describe.each(users)('what a job sends and receives, measured as $name', (user) => {
  it('is told by its TCP sockets, and said to be a lower bound', async () => {
    using box = sandbox(user)
    const job = ['--metrics', 'network', '--', process.execPath, '-e', transfer]
    const { ended, record } = await box.run(job)
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    for (const name of ['net_received_bytes', 'net_sent_bytes']) {
      expect(record.basis[name]).toMatch(/^at least: TCP sockets/)
      const told = record.usage[name] ?? 0
      expect(told).toBeLessThanOrEqual(bytes)
      expect(told).toBeGreaterThanOrEqual(bytes * 0.999)
    }
  })

  it('is not told where the kernel cannot be asked, and says why', async () => {
    using box = sandbox(user)
    const env = { JOBMETER_NO_FFI: '1' }
    const { record } = await box.run(['--metrics', 'network', '--', 'sleep', '0.3'], { env })
    expect(record.usage['net_sent_bytes']).toBeNull()
    expect(record).toHaveProperty('unmeasured.net_sent_bytes', 'JOBMETER_NO_FFI is set')
  })
})

/** A namespace with an interface whose other end is ours needs rights that few have; one without any can be told apart too. */
const canUnshare = spawnSync('unshare', ['-n', 'true']).status === 0

/** Runs a command where /proc hides the processes of others. Root has such a /proc made before it becomes the user. */
const hidingOthers = 'mount -t proc -o hidepid=2 proc /proc && exec "$@"'
const hiddenFromOthers = ['unshare', '-m', 'sh', '-c', hidingOthers, 'sh'] as const
const whyNotHidden = canUnshare ? whyNoHiddenProc() : undefined
if (whyNotHidden !== undefined && process.env['CI'] === 'true') throw new Error(whyNotHidden)
const skipped = whyNotHidden === undefined ? '' : ` (skipped: ${whyNotHidden})`

function whyNoHiddenProc(): string | undefined {
  const [file, ...words] = [...hiddenFromOthers, 'true']
  const { status, stderr } = spawnSync(file, words)
  return status === 0 ? undefined : `no /proc can be mounted: ${String(stderr).trim()}`
}

describe.skipIf(!canUnshare)('a job in a network namespace of its own', () => {
  it('is told by the interfaces of that, without loopback', async () => {
    using box = sandbox()
    const inside = `exec ${process.execPath} -e "setTimeout(() => {}, 1300)"`
    const { record } = await box.run([
      '--metrics',
      'network',
      '--',
      'unshare',
      '-n',
      'sh',
      '-c',
      inside,
    ])
    expect(record.usage['net_received_bytes']).toBe(0)
    // In a container there is more to say: who is outside of it is not seen.
    expect(record.basis['net_received_bytes']).toMatch(
      /^at least: \/proc\/PID\/net\/dev of its network namespace, without loopback, until the last look/,
    )
  })

  it('is not told of one that others are in too', async () => {
    using box = sandbox()
    const other = spawn('unshare', ['-n', 'sh', '-c', 'echo ready; exec sleep 1000'])
    try {
      await once(other.stdout, 'data')
      // Long enough to be looked at more than once there, though a busy machine makes looks late.
      const inside = ['nsenter', '-n', '-t', String(other.pid), 'sleep', '3']
      const { record } = await box.run(['--metrics', 'network', '--', ...inside])
      expect(record.usage['net_received_bytes']).toBeNull()
      expect(record).toHaveProperty(
        'unmeasured.net_received_bytes',
        expect.stringMatching(/^its network namespace is also that of processes/),
      )
    } finally {
      other.kill('SIGKILL')
    }
  })

  it('is not told to a user of one that root is in too', async () => {
    const why = await whyNotToldOfNamespaceOfRoot()
    expect(why).toMatch(/^its network namespace is also that of processes/)
  })

  it.skipIf(whyNotHidden !== undefined)(
    `is not told to a user from whom /proc hides who is in it too${skipped}`,
    async () => {
      const why = await whyNotToldOfNamespaceOfRoot(hiddenFromOthers)
      expect(why).toMatch(
        /^whether its network namespace is also that of processes .*cannot be told/,
      )
    },
  )

  it('is told by its TCP sockets if only a child is in that', async () => {
    using box = sandbox()
    const withChild = `
const child = require('node:child_process').spawn('unshare', ['-n', 'sleep', '1000'])
process.on('exit', () => child.kill())
${transfer}`
    const job = ['--metrics', 'network', '--', process.execPath, '-e', withChild]
    const { record } = await box.run(job)
    for (const name of ['net_received_bytes', 'net_sent_bytes']) {
      expect(record.basis[name]).toMatch(/^at least: TCP sockets/)
      expect(record.usage[name]).toBeGreaterThanOrEqual(bytes * 0.999)
      expect(record.usage[name]).toBeLessThanOrEqual(bytes)
    }
  })
})

/** Has an ordinary user watch a process of theirs that root put in a namespace; answers why it is not told what it sent. */
async function whyNotToldOfNamespaceOfRoot(within: readonly string[] = []): Promise<unknown> {
  using box = sandbox()
  const { uid, gid } = ordinaryUser
  chownSync(box.directory, uid, gid)
  const asUser = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const other = spawn('unshare', ['-n', 'sh', '-c', 'echo ready; exec sleep 1000'])
  let job: ReturnType<typeof spawn> | undefined
  try {
    await once(other.stdout, 'data')
    // Times of start are told in hundredths of a second, and the other one is to be older.
    await setTimeout(50)
    const intoNamespace = ['-n', '-t', String(other.pid), ...asUser]
    const ours = spawn('nsenter', [...intoNamespace, 'sh', '-c', 'echo ready; exec sleep 1000'])
    job = ours
    await once(ours.stdout, 'data')
    const words = ['watch', '--quiet', '--pid', String(ours.pid), '--metrics', 'network']
    const watch = box.start(words, { within: [...within, ...asUser], timeoutMs: 60_000 })
    // However long a busy machine takes to start it: two looks are enough.
    const isSeen = async () => {
      const series = ['series', 'last', '--format', 'json']
      const { code, stdout } = await box.jobmeter(series, { within: asUser })
      if (code !== 0) return false
      return (JSON.parse(stdout) as { samples: unknown[] }).samples.length > 1
    }
    for (let tries = 0; tries < 150 && !(await isSeen()); tries++) await setTimeout(100)
    ours.kill('SIGKILL')
    expect(await watch.ended).toMatchObject({ code: 0, stderr: '' })
    const listed = await box.jobmeter(['job-history', '--all', '--format', 'json'], {
      within: asUser,
    })
    const [record] = JSON.parse(listed.stdout) as { unmeasured?: Record<string, string> }[]
    return record?.unmeasured?.['net_sent_bytes']
  } finally {
    job?.kill('SIGKILL')
    other.kill('SIGKILL')
  }
}
