import type { Reading } from '../../model/reading.ts'
import type { System } from '../../system/system.ts'
import type { GpuSource } from './gpu-card.ts'
import { NvmlCards } from './nvml-cards.ts'

/** One way to read cards, and what came of it. */
export interface FoundSource {
  readonly name: string
  readonly reading: Reading<GpuSource>
}

/** Tries each way that this machine gives reason to try. */
export async function findSources(system: System): Promise<FoundSource[]> {
  const found: FoundSource[] = []
  if (system.nvml.isLikely())
    found.push({ name: 'NVIDIA GPUs', reading: await NvmlCards.open(system) })
  return found
}
