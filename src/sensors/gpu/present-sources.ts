import type { System } from '../../system/system.ts'
import type { GpuSource } from './gpu-card.ts'

/** Those that tell of the cards of this machine. Nothing is loaded where there is no card. */
export async function presentSources(system: System): Promise<readonly GpuSource[]> {
  const { files, nvml } = system
  const hasDrm = !files.isMissing('/sys/class/drm') || !files.isMissing('/dev/dri')
  if (!hasDrm && !nvml.isLikely()) return []
  const { findSources } = await import('./sources.ts')
  // A driver that fails in a way nobody thought of must not keep the rest from being looked at.
  const found = await findSources(system).catch(() => [])
  return found.flatMap(({ reading }) => (reading.kind === 'ok' ? [reading.value] : []))
}
