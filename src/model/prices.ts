/** What things cost, as a site or a user has written it down. null: no price, so it is not part of any cost. */
export interface Prices {
  /** Such as EUR; it is shown and never converted. */
  readonly currency: string
  readonly coreHour: number | null
  readonly memoryGbHour: number | null
  /** By model, each as it was written; `default` stands for all others. */
  readonly gpuHour: Readonly<Record<string, number>>
  readonly kwh: number | null
  readonly storageGbMonth: number | null
  /** How much CO2 a kWh stands for. */
  readonly carbonGramsPerKwh: number | null
  /** A model of the energy of a busy core, for machines without a counter. */
  readonly wattsPerCore: number | null
}

/** The price of an hour of a card. A model is found by any part of its name; capitals do not matter. */
export function gpuHourPrice({ gpuHour }: Prices, model: string | null): number | null {
  const known = model?.toLowerCase()
  const named = Object.entries(gpuHour).filter(
    ([name]) => name !== 'default' && known?.includes(name.toLowerCase()),
  )
  // The longest name is the one that says most.
  const [best] = named.toSorted(([a], [b]) => b.length - a.length)
  return best?.[1] ?? gpuHour['default'] ?? null
}
