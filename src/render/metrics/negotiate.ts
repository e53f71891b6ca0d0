/** OpenMetrics 1.0, or the text format 0.0.4 that older scrapers read. */
export type MetricsFormat = 'openmetrics' | 'text'

export const metricsContentType: Readonly<Record<MetricsFormat, string>> = {
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  text: 'text/plain; version=0.0.4; charset=utf-8',
}

const openMetricsType = 'application/openmetrics-text'
const versions: ReadonlySet<string | undefined> = new Set([undefined, '1.0.0'])

/**
 * What an `Accept` header asks for: OpenMetrics if it names that, in the version that we write, and wants nothing else
 * more. People with a browser or `curl`, who name neither, get the older format: all programs read that one.
 */
export function metricsFormat(accept: string | null | undefined): MetricsFormat {
  const wishes = (accept ?? '').split(',').map(wishOf)
  const open = bestOf(
    wishes,
    ({ type, version }) => type === openMetricsType && versions.has(version),
  )
  const text = bestOf(wishes, ({ type }) => type === 'text/plain' || type === 'text/*')
  return open > 0 && open >= text ? 'openmetrics' : 'text'
}

interface Wish {
  readonly type: string
  readonly version: string | undefined
  /** From 0, not at all, to 1. */
  readonly weight: number
}

function wishOf(text: string): Wish {
  const [type = '', ...words] = text.split(';').map((word) => word.trim().toLowerCase())
  const parameter = (name: string): string | undefined =>
    words
      .find((word) => word.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .replaceAll('"', '')
  const weight = Number(parameter('q') ?? 1)
  const isWeight = weight >= 0 && weight <= 1
  return { type, version: parameter('version'), weight: isWeight ? weight : 0 }
}

const bestOf = (wishes: readonly Wish[], fits: (wish: Wish) => boolean): number =>
  Math.max(0, ...wishes.filter(fits).map(({ weight }) => weight))
