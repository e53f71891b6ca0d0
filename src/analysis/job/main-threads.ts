import type { DeviceSeries } from '../../model/series.ts'
import { cpuSecondsAtEnd } from '../series/thread-cpu.ts'

export interface MainThread {
  readonly pid: number
  readonly tid: number
  readonly name: string
  readonly cpuSeconds: number
}

/** The threads of a job that used most CPU time, where threads were measured (`--metrics threads`). */
export function mainThreads(devices: readonly DeviceSeries[], most: number): MainThread[] {
  return devices
    .filter(({ kind }) => kind === 'thread')
    .flatMap((thread) => {
      const [, pid, tid, name = ''] = /^(\d+)\/(\d+) (.*)$/s.exec(thread.id) ?? []
      if (pid === undefined || tid === undefined) return []
      const cpuSeconds = cpuSecondsAtEnd(thread)
      return [{ pid: Number(pid), tid: Number(tid), name, cpuSeconds }]
    })
    .toSorted((one, other) => other.cpuSeconds - one.cpuSeconds)
    .slice(0, most)
}
