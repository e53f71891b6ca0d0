/** Figures by name, such as `cpu_percent`. What was not measured is absent. */
export type Metrics = Readonly<Record<string, number>>

/** Names that begin so belong together, in the order of the columns of a CSV file. */
const prefixes = ['gpu_', 'cpu_', 'memory_', 'disk_', 'io_'] as const

/** The metrics whose names begin with one of these. */
export function metricsNamed(
  metrics: Metrics,
  ...starts: readonly (typeof prefixes)[number][]
): Metrics {
  const isNamed = ([name]: [string, number]): boolean =>
    starts.some((start) => name.startsWith(start))
  return Object.fromEntries(Object.entries(metrics).filter(isNamed))
}

/** GPUs, CPU, memory and I/O in this order, and then the rest; within a group as they came, GPUs by their number. */
export function inColumnOrder(names: readonly string[]): string[] {
  return names
    .map((name) => ({ name, group: groupOf(name), gpu: gpuOf(name) ?? 0 }))
    .sort((a, b) => a.group - b.group || a.gpu - b.gpu)
    .map(({ name }) => name)
}

function groupOf(name: string): number {
  const at = prefixes.findIndex((start) => name.startsWith(start))
  return at < 0 ? prefixes.length : at
}

/** The numbers of the GPUs that have figures, in order. */
export function gpusIn(metrics: Metrics): number[] {
  const found = new Set(Object.keys(metrics).flatMap((name) => gpuOf(name) ?? []))
  return [...found].sort((a, b) => a - b)
}

function gpuOf(name: string): number | undefined {
  const digits = /^gpu_(\d+)_/.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
