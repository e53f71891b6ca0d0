import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startEngine } from './container-engine.ts'

/** A daemon and a client that are scripts. */
function scripted(daemon: string, client: string) {
  const directory = mkdtempSync(join(tmpdir(), 'jm-engine-'))
  const bin = `${directory}/client`
  mkdirSync(bin)
  writeFileSync(join(bin, 'docker'), `#!/bin/sh\n${client}\n`)
  chmodSync(join(bin, 'docker'), 0o755)
  const started = startEngine({
    directory,
    daemon: ['sh', '-c', daemon, 'daemon', `${directory}/data`],
    client: 'docker',
    clientEnvironment: { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    workloads: [],
  })
  return { started, directory }
}

const processesWith = (text: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
    } catch {
      return false
    }
  })

describe('a daemon that does not start', () => {
  it('is told of by the end of its log, though its client never returns', async () => {
    const { started, directory } = scripted('echo no such driver >&2; exit 1', 'exec sleep 1000')
    await expect(started).rejects.toThrow(/did not start .*no such driver/s)
    expect(existsSync(directory)).toBe(false)
  })

  it('leaves nothing of what it had started', async () => {
    // What it leaves has its own session, and its folder among its words, as containerd has.
    const child = `setsid sh -c 'kill -STOP $$' containerd "$1/containerd" & echo failed >&2; exit 1`
    const { started, directory } = scripted(child, 'exit 1')
    await expect(started).rejects.toThrow(/failed/)
    expect(processesWith(directory)).toEqual([])
  })

  it('writes as much as it likes while a client is waited for', async () => {
    // More than a pipe holds; then it fails, which must be seen.
    const { started } = scripted(
      `i=0; while [ $i -lt 3000 ]; do echo "line $i of what a daemon tells while it starts" >&2; i=$((i+1)); done; exit 1`,
      'exec sleep 1000',
    )
    await expect(started).rejects.toThrow(/line 2999/)
  })
})
