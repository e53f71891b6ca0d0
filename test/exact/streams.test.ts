import { describe, expect, it } from 'vitest'
import { spawnSync } from 'node:child_process'
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
    expect(ended.stdout).toBe(plain.stdout)
  })

  it('come with no descriptors of jobmeter’s', async () => {
    using box = sandbox()
    const ended = await box.jobmeter(['run', '--quiet', '--', 'sh', '-c', 'echo /proc/self/fd/*'])
    const open = ended.stdout.match(/\/fd\/\d+/g) ?? []
    // The shell's own descriptor for the listing is the fourth.
    expect(open.length).toBeLessThanOrEqual(4)
  })
})
