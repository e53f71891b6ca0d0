import { readdirSync, readFileSync } from 'node:fs'

/** The process that watches the worker with this pid. */
export function guardOf(pid: number): number | undefined {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((each) => {
      try {
        const words = readFileSync(`/proc/${each}/cmdline`, 'utf8').split('\0')
        return words.includes('worker-guard') && words.includes(String(pid))
      } catch {
        return false
      }
    })
}
