import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sandbox, users, type Sandbox } from '../program.ts'
import { repository } from '../workloads/compile.ts'
import { dump, nowSeconds } from './import-made.ts'
import { madeSamples, sampleJson } from './made-samples.ts'

const fixtures = join(repository, 'test/fixtures')
/** The clock of the made-up cluster. */
const env = { TZ: 'Europe/Oslo' }

/** The fixtures, where the user of a sandbox can read them. */
function fixturesIn(box: Sandbox): string {
  cpSync(fixtures, box.path('fixtures'), { recursive: true })
  execFileSync('chmod', ['-R', 'a+rX', box.path('fixtures')])
  return box.path('fixtures')
}

interface Summary {
  readonly records: number
  readonly accepted: number
  readonly added: number
  readonly already_there: number
  readonly refused: number
  readonly refusals: readonly { readonly fault: string; readonly count: number }[]
}

const summaryOf = (stdout: string): Summary => JSON.parse(stdout) as Summary

interface UsageRow {
  readonly user: string
  readonly account: string
  readonly core_seconds: number | null
}

async function usageIn(box: Sandbox, db: string): Promise<UsageRow[]> {
  const words = ['usage', '--by', 'user,account', '--from', '2020-01-01', '--format', 'json']
  const { stdout } = await box.jobmeter([...words, '--db', db], { env })
  return (JSON.parse(stdout) as { rows: UsageRow[] }).rows
}

describe('jobmeter import', () => {
  it.each(users)('takes over a tree of Sonar and an account of Slurm, as $name', async (user) => {
    using box = sandbox(user)
    const from = fixturesIn(box)
    const sonar = ['import', 'sonar', join(from, 'sonar/tree'), '--format', 'json']
    const first = await box.jobmeter(sonar, { env: { ...env, JOBMETER_NODE_DB: box.path('n.db') } })
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(summaryOf(first.stdout)).toMatchObject({ records: 6, added: 5, refused: 0 })
    const sacct = ['import', 'sacct', join(from, 'sacct/jobs.txt'), '--db', box.path('n.db')]
    expect((await box.jobmeter(sacct, { env })).stdout).toContain('6 records: 6 added')
    const rows = await usageIn(box, box.path('n.db'))
    const used = (name: string, account: string): number | null | undefined =>
      rows.find((row) => row.user === name && row.account === account)?.core_seconds
    // 290 s of python3, and 20 s that bash has besides what it took over from python3 at its end.
    expect(used('ada', 'physics')).toBeCloseTo(310, 6)
    expect(used('ada', '(none)')).toBeUndefined()
    expect(used('bob', '(none)')).toBeCloseTo(2, 6)
    // The node's own counters say 325.
    expect(used('unattributed', '(none)')).toBeCloseTo(325 - 312, 6)
    expect(used('bob', 'bio')).toBeCloseTo(86_401.5, 6)
  })

  it('goes by default to the database of whoever calls', async () => {
    const [user] = users.slice(-1)
    using box = sandbox(user)
    const from = fixturesIn(box)
    const done = await box.jobmeter(['import', 'sonar', join(from, 'sonar')], { env })
    expect(done.stdout).toContain(`into ${box.path('state/jobmeter/node.db')}`)
    const seen = await box.jobmeter(['ps', '--from', '2020-01-01', '--user', 'ada'], { env })
    expect(seen.stdout).toContain('slurm:4711')
  })

  it('changes nothing the second time, however the files overlap, and in any order of accounts', async () => {
    using box = sandbox()
    const from = fixturesIn(box)
    const [db, other] = [box.path('a.db'), box.path('b.db')]
    const sonar = join(from, 'sonar/tree')
    const slurm = join(from, 'sacct/jobs.txt')
    const run = async (...words: string[]) => {
      const ended = await box.jobmeter(['import', ...words], { env })
      expect(ended).toMatchObject({ code: 0 })
    }
    await run('sonar', sonar, '--db', db)
    await run('sacct', slurm, '--db', db)
    const before = dump(db)
    await run('sonar', sonar, join(sonar, 'mlx.example.org'), '--db', db)
    await run('sacct', slurm, slurm, '--db', db)
    expect(dump(db)).toEqual(before)
    // What Slurm's account counts of a job gives way to samples of it.
    await run('sacct', slurm, '--db', other)
    await run('sonar', sonar, '--db', other)
    expect(await usageIn(box, other)).toEqual(expect.arrayContaining(await usageIn(box, db)))
    expect(await usageIn(box, db)).toHaveLength((await usageIn(box, other)).length)
  })

  it('says the same of a file at once and of its halves, compressed, one after the other', async () => {
    using box = sandbox()
    const path = 'sonar/csv-0.12.csv'
    const lines = readFileSync(join(fixtures, path), 'utf8').trimEnd().split('\n')
    writeFileSync(box.path('whole.csv'), `${lines.join('\n')}\n`)
    mkdirSync(box.path('halves'))
    writeFileSync(box.path('halves/1.csv.gz'), gzipSync(`${lines.slice(0, 6).join('\n')}\n`))
    writeFileSync(box.path('halves/2.csv.gz'), gzipSync(`${lines.slice(3).join('\n')}\n`))
    const [one, two] = [box.path('one.db'), box.path('two.db')]
    await box.jobmeter(['import', 'sonar', box.path('whole.csv'), '--db', one])
    for (const half of ['1', '2'])
      await box.jobmeter(['import', 'sonar', box.path(`halves/${half}.csv.gz`), '--db', two])
    expect(dump(two)).toEqual(dump(one))
  })

  it('names bad records with file and line, and counts all of them', async () => {
    using box = sandbox()
    const from = fixturesIn(box)
    const file = join(from, 'sonar/tree/mlx.example.org/2026/03/02/0+sample-gpu1.json')
    const good = readFileSync(file, 'utf8').split('\n')[0] ?? ''
    appendFileSync(file, `${good.replace('"cpu_time": 300', '"cpu_time": -300')}\n`.repeat(7))
    appendFileSync(file, `not json\n${good.slice(0, 100)}\n${good}`)
    const ended = await box.jobmeter(['import', 'sonar', file, '--db', box.path('n.db')])
    expect(ended.code).toBe(0)
    expect(ended.stdout).toContain('13 records: 3 added, 1 already there, 9 refused')
    expect(ended.stdout).toContain('refused 7: a field has an invalid value')
    const place = 'jobs[0].processes[1].cpu_time: expected a whole number, found -300'
    expect(ended.stdout).toMatch(
      new RegExp(`0\\+sample-gpu1.json:\\d+: ${place.replaceAll(/[[\].]/g, '\\$&')}`),
    )
    expect(ended.stdout).toContain('and 2 more')
    expect(ended.stdout).toContain('it is cut off: the next record begins before it ends')
  })

  it('does not follow links in a tree, and names them', async () => {
    using box = sandbox()
    const from = fixturesIn(box)
    writeFileSync(box.path('secret'), 'root:$6$salt$hash:1::\n')
    symlinkSync(box.path('secret'), join(from, 'sonar/tree/planted.csv'))
    symlinkSync('/etc', join(from, 'sonar/tree/folder.json'))
    const words = ['import', 'sonar', join(from, 'sonar/tree'), '--db', box.path('n.db')]
    const ended = await box.jobmeter(words)
    expect(ended.code).toBe(0)
    expect(ended.stdout).toContain('4 files into')
    expect(ended.stderr).toContain('2 links are not followed: ')
    expect(ended.stderr).toContain(join(from, 'sonar/tree/planted.csv'))
    // What somebody names is read, but little of it is shown.
    symlinkSync(box.path('secret'), box.path('named.csv'))
    const named = await box.jobmeter(['import', 'sonar', box.path('named.csv'), '--db', 'n.db'])
    expect(named.stdout).toContain('1 record: 0 added, 0 already there, 1 refused')
    expect(named.stdout).not.toContain('salt')
  })

  it('refuses a file that is not of sacct once', async () => {
    using box = sandbox()
    writeFileSync(box.path('passwd'), 'root:x:0:0::/root:/bin/sh\n'.repeat(34))
    const ended = await box.jobmeter(['import', 'sacct', box.path('passwd'), '--db', 'n.db'])
    expect(ended.code).toBe(1)
    expect(ended.stdout).toContain('1 record: 0 added, 0 already there, 1 refused')
    expect(ended.stdout).toContain('refused 1: the first line is not a header of sacct -P')
  })

  it.each([
    [['sonar', '/nowhere/at/all'], '/nowhere/at/all does not exist'],
    [['sonar', '.'], 'it contains no Sonar files'],
    [['sacct', '.'], 'expected a file, found a directory'],
    [['sonar', 'x', '--max-gop', '1h'], 'Did you mean --max-gap?'],
    [['soner'], 'Did you mean sonar?'],
  ])('refuses %j', async (words, message) => {
    using box = sandbox()
    mkdirSync(box.path('empty'))
    const ended = await box.jobmeter(['import', ...words], { cwd: box.path('empty') })
    expect(ended).toMatchObject({ code: 2 })
    expect(ended.stderr).toContain(message)
  })

  it('tells a damaged archive, and keeps what came before', async () => {
    using box = sandbox()
    const whole = gzipSync(readFileSync(join(fixtures, 'sonar/csv-0.12.csv')))
    writeFileSync(box.path('cut.csv.gz'), whole.subarray(0, whole.length - 60))
    const ended = await box.jobmeter(['import', 'sonar', box.path('cut.csv.gz'), '--db', 'n.db'])
    expect(ended.code).toBe(1)
    expect(ended.stdout).toContain('the compressed data is damaged or cut off')
  })

  it('keeps what is committed when it is ended, and goes on from there', async () => {
    using box = sandbox()
    const made = {
      hosts: 1,
      users: ['ada', 'bob'],
      commands: ['python3'],
      startSeconds: nowSeconds - 300 * 86_400,
      intervalSeconds: 300,
      samples: 6000,
      jobs: 3,
      seed: 5,
    }
    const lines = [...madeSamples(made, 0)].map(sampleJson)
    writeFileSync(box.path('all.json'), `${lines.join('\n')}\n`)
    // A pipe that does not end after most of them: the import cannot be over when it is ended.
    execFileSync('mkfifo', [box.path('pipe')])
    const held = openSync(box.path('pipe'), 'r+')
    const db = box.path('n.db')
    const importing = box.start(['import', 'sonar', box.path('pipe'), '--db', db])
    const feeding = box.shell('head -n 5500 all.json > pipe')
    await expect.poll(() => stretchesIn(db), { timeout: 20_000, interval: 20 }).toBeGreaterThan(0)
    importing.signal('SIGINT')
    const ended = await importing.ended
    closeSync(held)
    await feeding
    expect(ended.code).toBe(130)
    expect(ended.stdout).toContain('Ended before all was read')
    const rest = await box.jobmeter(['import', 'sonar', box.path('all.json'), '--db', db])
    expect(rest.stdout).toMatch(/6,000 records: [\d,]+ added, [\d,]+ already there, 0 refused/)
    const whole = box.path('whole.db')
    await box.jobmeter(['import', 'sonar', box.path('all.json'), '--db', whole])
    expect(await usageIn(box, db)).toEqual(await usageIn(box, whole))
  })

  it('needs little memory for a large file', async () => {
    using box = sandbox()
    const made = {
      hosts: 1,
      users: ['ada', 'bob'],
      commands: ['python3'],
      startSeconds: nowSeconds - 300 * 86_400,
      intervalSeconds: 300,
      samples: 700,
      jobs: 150,
      seed: 6,
    }
    const text = [...madeSamples(made, 0)].map(sampleJson).join('\n')
    expect(text.length).toBeGreaterThan(18e6)
    writeFileSync(box.path('large.json'), text)
    const tell = `data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))`
    const ended = await box.jobmeter(['import', 'sonar', 'large.json', '--db', 'n.db'], {
      env: { NODE_OPTIONS: `--import=${tell}` },
    })
    expect(ended.stdout).toContain('700 records: 700 added')
    expect(Number(ended.stderr) / 1024).toBeLessThan(200)
  })
})

function stretchesIn(db: string): number {
  try {
    return dump(db)['imported_stretch']?.length ?? 0
  } catch {
    return 0
  }
}
