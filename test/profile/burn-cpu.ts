/** Computes for so long by the CPU time of this process. */
export function burnCpu(cpuSeconds: number): void {
  const begun = process.cpuUsage()
  for (;;) {
    const { user, system } = process.cpuUsage(begun)
    if (user + system >= cpuSeconds * 1e6) return
  }
}
