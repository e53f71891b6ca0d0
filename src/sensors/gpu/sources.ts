import { unavailable, whyNot, type Reading } from '../../model/reading.ts'
import type { System } from '../../system/system.ts'
import { DrmCards } from './drm-cards.ts'
import type { GpuSource } from './gpu-card.ts'
import { intelGpuTopCommands, parseIntelGpuTop } from './intel-gpu-top.ts'
import { nvidiaSmiCommand, parseNvidiaSmi } from './nvidia-smi.ts'
import { NvmlProcess } from './nvml-process.ts'
import { parseRocmSmi, rocmSmiCommand } from './rocm-smi.ts'
import { ToolCards, type GpuTool } from './tool-cards.ts'

/** The cards of one vendor, and what came of looking for them. */
export interface FoundSource {
  readonly vendor: 'NVIDIA' | 'AMD' | 'Intel'
  readonly reading: Reading<GpuSource>
}

const nvidiaSmi: GpuTool = { vendor: 'nvidia', command: nvidiaSmiCommand, parse: parseNvidiaSmi }
const rocmSmi: GpuTool = { vendor: 'amd', command: rocmSmiCommand, parse: parseRocmSmi }
const intelGpuTops = intelGpuTopCommands.map((command): GpuTool => ({
  vendor: 'intel',
  command,
  parse: parseIntelGpuTop,
}))

/** Each vendor's cards by the best way that there is; a tool of the vendor's where the better way is not to be had. */
export async function findSources(system: System): Promise<FoundSource[]> {
  return [
    { vendor: 'NVIDIA', reading: await nvidiaCards(system) },
    { vendor: 'AMD', reading: await drmCards(system, 'amd', '/dev/kfd', [rocmSmi]) },
    { vendor: 'Intel', reading: await drmCards(system, 'intel', '/dev/dri', intelGpuTops) },
  ]
}

async function nvidiaCards(system: System): Promise<Reading<GpuSource>> {
  if (!system.nvml.isLikely()) return unavailable('no NVIDIA driver: there is no /dev/nvidiactl')
  const byLibrary = await NvmlProcess.open(system)
  return byLibrary.kind === 'ok' ? byLibrary : orByTool(system, byLibrary, [nvidiaSmi])
}

/** A container may have a card's device file and not its place in sysfs. */
async function drmCards(
  system: System,
  vendor: 'amd' | 'intel',
  deviceFile: string,
  tools: readonly GpuTool[],
): Promise<Reading<GpuSource>> {
  const byKernel = DrmCards.open(system, vendor)
  const { files } = system
  const isHidden = files.list('/sys/class/drm').kind !== 'ok' && !files.isMissing(deviceFile)
  if (byKernel.kind === 'ok' || !isHidden) return byKernel
  return orByTool(system, byKernel, tools)
}

/** By the first of these that tells of cards. */
async function orByTool(
  system: System,
  better: Exclude<Reading<GpuSource>, { kind: 'ok' }>,
  tools: readonly GpuTool[],
): Promise<Reading<GpuSource>> {
  const reasons = new Set([whyNot(better)])
  for (const tool of tools) {
    const byTool = await ToolCards.open(system, tool)
    if (byTool.kind === 'ok') return byTool
    reasons.add(whyNot(byTool))
  }
  return unavailable([...reasons].join('; '))
}
