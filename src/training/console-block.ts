import { alertSign } from './alerts.ts'
import { gpusIn, type Metrics } from './metric-names.ts'

/**
 * What is printed at every so many batches:
 *
 *     [Resources] Batch 50:
 *       GPU 0: 87.3% util, 8192/16384 MB (50%), 72°C
 *
 * What was not measured is left out.
 */
export function consoleBlock(batch: number, metrics: Metrics, alerts: readonly string[]): string {
  const lines = [
    ...gpusIn(metrics).map((gpu) => gpuLine(gpu, metrics)),
    cpuLine(metrics),
    memoryLine(metrics),
    ioLine(metrics),
    timeLine(metrics),
  ]
  const shown = lines.filter((line) => line !== undefined).map((line) => `  ${line}\n`)
  return `[Resources] Batch ${batch}:\n${shown.join('')}${alertBlock(alerts)}`
}

function alertBlock(alerts: readonly string[]): string {
  if (alerts.length === 0) return ''
  const items = alerts.map((alert) => `  - ${alert.replace(alertSign, '')}\n`)
  return `\n[Resources] ${alertSign}ALERTS:\n${items.join('')}`
}

function gpuLine(gpu: number, metrics: Metrics): string | undefined {
  const of = (figure: string): number | undefined => metrics[`gpu_${gpu}_${figure}`]
  const used = of('memory_used_mb')
  const total = of('memory_total_mb')
  return listed(`GPU ${gpu}`, [
    worded(of('util'), (util) => `${util.toFixed(1)}% util`),
    used === undefined || total === undefined
      ? undefined
      : `${whole(used)}/${whole(total)} MB${inBrackets(of('memory_pct'))}`,
    worded(of('temp_c'), (celsius) => `${whole(celsius)}°C`),
  ])
}

function cpuLine({ cpu_percent: machine, cpu_process_percent: own }: Metrics): string | undefined {
  if (machine === undefined) return worded(own, (percent) => `CPU: process ${percent.toFixed(1)}%`)
  const process = worded(own, (percent) => ` (process: ${percent.toFixed(1)}%)`) ?? ''
  return `CPU: ${machine.toFixed(1)}%${process}`
}

function memoryLine(metrics: Metrics): string | undefined {
  const { memory_available_mb: available, memory_system_mb: total, memory_percent } = metrics
  if (available === undefined || total === undefined) return undefined
  return `Memory: ${whole(available)}/${whole(total)} MB available${inBrackets(memory_percent)}`
}

function ioLine(metrics: Metrics): string | undefined {
  const { io_read_rate_mbps: read, io_write_rate_mbps: write, io_wait_pct: wait } = metrics
  return listed('I/O', [
    worded(read, (rate) => `Read ${rate.toFixed(1)} MB/s`),
    worded(write, (rate) => `Write ${rate.toFixed(1)} MB/s`),
    worded(wait, (percent) => `Wait ${percent.toFixed(1)}%`),
  ])
}

function timeLine(metrics: Metrics): string | undefined {
  const { batch_time_mean_ms: mean, batch_time_p95_ms: p95 } = metrics
  const { data_time_mean_ms: dataMean, data_time_p95_ms: dataP95 } = metrics
  return listed('Time', [timePart('batch', mean, p95), timePart('data loading', dataMean, dataP95)])
}

const timePart = (
  what: string,
  mean: number | undefined,
  p95: number | undefined,
): string | undefined =>
  mean === undefined || p95 === undefined
    ? undefined
    : `${what} ${mean.toFixed(1)} ms (p95 ${p95.toFixed(1)})`

const listed = (title: string, parts: readonly (string | undefined)[]): string | undefined => {
  const known = parts.filter((part) => part !== undefined)
  return known.length === 0 ? undefined : `${title}: ${known.join(', ')}`
}

const worded = (
  figure: number | undefined,
  words: (figure: number) => string,
): string | undefined => (figure === undefined ? undefined : words(figure))

const whole = (figure: number): string => String(Math.round(figure))

const inBrackets = (percent: number | undefined): string =>
  worded(percent, (share) => ` (${whole(share)}%)`) ?? ''
