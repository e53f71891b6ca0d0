import { describe, expect, it } from 'vitest'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { sandbox } from '../program.ts'

describe('the job’s own streams', () => {
  it('pass stdin, stdout and stderr through untouched', async () => {
    using box = sandbox()
    const ended = await box.jobmeter(['run', '--quiet', '--', 'sh', '-c', 'cat; echo oops >&2'], {
      input: 'hi\n',
    })
    expect(ended).toEqual({ code: 0, signal: null, stdout: 'hi\n', stderr: 'oops\n' })
  })

  it('carry much output whole', async () => {
    using box = sandbox()
    const ended = await box.jobmeter(['run', '--quiet', '--', 'seq', '300000'])
    expect(ended.stdout.length).toBe(1_988_895)
  })

  it('keep the summary off stdout', async () => {
    using box = sandbox()
    const ended = await box.jobmeter(['run', '--', 'echo', 'data'])
    expect(ended.stdout).toBe('data\n')
    expect(ended.stderr).toMatch(/CPU/i)
  })

  it('let a broken pipe end a writer, as everywhere', async () => {
    using box = sandbox()
    const ended = await box.jobmeter(['run', '--quiet', '--', 'sh', '-c', 'yes | head -1'])
    expect(ended).toEqual({ code: 0, signal: null, stdout: 'y\n', stderr: '' })
  })

  it('come with the signal dispositions of a plain start', async () => {
    using box = sandbox()
    const look = ['grep', '-E', '^Sig(Blk|Ign|Cgt)', '/proc/self/status']
    const plain = spawnSync('env', look, { encoding: 'utf8' })
    const ended = await box.jobmeter(['run', '--quiet', '--', 'env', ...look])
    expect(dispositions(ended.stdout)).toEqual(dispositions(plain.stdout))
  })

  it('come with all descriptors that a plain start has', async () => {
    using box = sandbox()
    const files = [3, 7, 15, 20].map((descriptor) => `${descriptor}>${box.path(`f${descriptor}`)}`)
    const writes = [3, 7, 15, 20].map((descriptor) => `echo ${descriptor} >&${descriptor}`)
    const job = `bash -c '${writes.join('; ')}; cat <(echo substituted)'`
    const { ended } = box.terminal(`bash -c "$JOBMETER run --quiet -- ${job}" ${files.join(' ')}`)
    expect((await ended).stdout).toContain('substituted')
    for (const descriptor of [3, 7, 15, 20])
      expect(readFileSync(box.path(`f${descriptor}`), 'utf8')).toBe(`${descriptor}\n`)
  })

  it('come with no descriptor more than a plain start has', async () => {
    using box = sandbox()
    const plain = spawnSync('ls', ['/proc/self/fd'], { encoding: 'utf8' })
    const ended = await box.jobmeter(['run', '--quiet', '--', 'ls', '/proc/self/fd'])
    const usual = plain.stdout.trim().split('\n')
    const open = ended.stdout.trim().split('\n')
    expect(open).toEqual(expect.arrayContaining(['0', '1', '2']))
    expect(open.filter((descriptor) => !usual.includes(descriptor))).toEqual([])
  })
})

/** Blocked, ignored and caught signals, less 32 and 33: those are glibc's own, ignored after posix_spawn. */
function dispositions(status: string): bigint[] {
  const masks = status.match(/[0-9a-f]{16}/g) ?? []
  return masks.map((mask) => BigInt(`0x${mask}`) & ~0x1_8000_0000n)
}
