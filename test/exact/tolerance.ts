import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { HistoryRecord } from '../program.ts'

/** What every exactness test allows: CPU within 2 % or 20 ms, memory within 5 %. */

export const cpuTolerance = (trueSeconds: number): number => Math.max(0.02 * trueSeconds, 0.02)

export function expectCpu(record: HistoryRecord, trueSeconds: number): void {
  const told = record.resource_usage.cpu_total_seconds
  expect(told, 'CPU seconds').not.toBeNull()
  const apart = Math.abs((told ?? 0) - trueSeconds)
  expect(apart, `${told} s told, ${trueSeconds} s used`).toBeLessThanOrEqual(
    cpuTolerance(trueSeconds),
  )
}

export function expectMemoryPeak(record: HistoryRecord, trueBytes: number): void {
  const told = record.resource_usage.memory_peak_mb
  expect(told, 'memory peak').not.toBeNull()
  const apart = Math.abs((told ?? 0) * 2 ** 20 - trueBytes)
  const trueMebibytes = trueBytes / 2 ** 20
  expect(apart, `${told} MB told, ${trueMebibytes} MB used`).toBeLessThanOrEqual(0.05 * trueBytes)
}

/** Within so many percent. */
export function near(value: number | null | undefined, expected: number, percent: number): void {
  expect(value).toBeGreaterThan(expected * (1 - percent / 100))
  expect(value).toBeLessThan(expected * (1 + percent / 100))
}

/** Whether a process still runs; one that is dead but not yet reaped does not. */
export function runs(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
