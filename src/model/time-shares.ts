/** In percent, at most 100; NaN where there is no whole to take a part of. */
export const sharePercent = (part: number, whole: number): number =>
  whole > 0 ? Math.min(100, (100 * part) / whole) : Number.NaN

/** 100 is one core. What comes late, such as the account of children that were never seen, is no more than all cores can do. */
export const coresPercent = (cpuSeconds: number, seconds: number, cores: number): number =>
  100 * Math.min(cpuSeconds / seconds, cores)

/**
 * The share of the time in which processes were at work or waited that they waited for disks. Both are sums over processes: eight
 * that compute and each wait for a tenth of the time do not wait for eight tenths of it. One that mostly sleeps has waited for a
 * small part of the whole span. CPU time that is not known (NaN) counts as none.
 */
export function diskWaitPercent(delaySeconds: number, cpuSeconds: number, seconds: number): number {
  const atWork = delaySeconds + (Number.isNaN(cpuSeconds) ? 0 : cpuSeconds)
  return sharePercent(delaySeconds, Math.max(seconds, atWork))
}
