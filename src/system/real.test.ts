import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { kernelBootSeconds } from './boot-clock.ts'
import { loadLibc } from './libc.ts'
import { realClock } from './real-clock.ts'
import { randomId } from './random-id.ts'
import { realHost } from './real-host.ts'

describe('the real clock', () => {
  it('tells the time of day, and follows when it is set', () => {
    const before = Date.now() / 1000
    const told = realClock.wallSeconds()
    expect(told).toBeGreaterThan(before - 0.05)
    expect(told).toBeLessThan(Date.now() / 1000 + 0.05)
    const setBack = Date.now() - 86_400_000
    const now = vi.spyOn(Date, 'now').mockReturnValue(setBack)
    expect(Math.abs(realClock.wallSeconds() - setBack / 1000)).toBeLessThan(60)
    now.mockRestore()
  })

  it('counts on by itself when the time of day is set', () => {
    const before = realClock.monotonicSeconds()
    const now = vi.spyOn(Date, 'now').mockReturnValue(0)
    const after = realClock.monotonicSeconds()
    now.mockRestore()
    expect(after).toBeGreaterThanOrEqual(before)
    expect(after - before).toBeLessThan(60)
  })

  it('calls back once, and not when it was told not to', async () => {
    const called: string[] = []
    const cancel = realClock.after(0.001, () => called.push('cancelled'))
    cancel()
    await new Promise<void>((resolve) => {
      realClock.after(0.005, () => {
        called.push('called')
        resolve()
      })
    })
    expect(called).toEqual(['called'])
  })
})

const libc = loadLibc()

describe.skipIf(libc.kind !== 'ok')('the clock of the kernel', () => {
  it('is the one that start times of processes count in', () => {
    if (libc.kind !== 'ok') return
    const now = kernelBootSeconds(libc.value)
    const before = Math.floor(now() * 100)
    const stat = execFileSync('cat', ['/proc/self/stat'], { encoding: 'utf8' })
    const startTicks = Number(stat.slice(stat.lastIndexOf(')')).split(' ')[20])
    expect(startTicks).toBeGreaterThanOrEqual(before)
    expect(startTicks).toBeLessThanOrEqual(now() * 100)
  })
})

describe('the real host', () => {
  const host = realHost(libc.kind === 'ok' ? libc.value : undefined)

  it('knows its cores, as /proc/stat lists them', () => {
    const listed = readFileSync('/proc/stat', 'utf8').match(/^cpu\d+ /gm)?.length
    expect(host.onlineCores).toBe(listed)
    expect(host.cores).toBeLessThanOrEqual(host.onlineCores)
  })

  it('has the same units with libc and without', () => {
    const { ticksPerSecond, pageBytes } = realHost(undefined)
    expect(host).toMatchObject({ ticksPerSecond, pageBytes })
    expect(host.keptDescriptors).toBeGreaterThan(100)
  })

  it('gives ids of 32 hexadecimal digits that never repeat', () => {
    const ids = Array.from({ length: 1000 }, () => randomId())
    expect(new Set(ids).size).toBe(1000)
    expect(ids.every((id) => /^[\da-f]{32}$/.test(id))).toBe(true)
  })

  it('gives them where there is no /dev/urandom too, as in a bare chroot', () => {
    const ids = Array.from({ length: 100 }, () => randomId('/nonexistent/urandom'))
    expect(new Set(ids).size).toBe(100)
    expect(ids.every((id) => /^[\da-f]{32}$/.test(id))).toBe(true)
  })
})
