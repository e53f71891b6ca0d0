import { count } from '../../model/count.ts'
import { whyNot } from '../../model/reading.ts'
import type { Rung } from '../../model/doctor.ts'
import type { GpuSource } from '../../sensors/gpu/gpu-card.ts'
import { findSources, type FoundSource } from '../../sensors/gpu/sources.ts'
import type { System } from '../../system/system.ts'

const remedies: Readonly<Record<FoundSource['vendor'], string>> = {
  NVIDIA:
    'with a card: install the NVIDIA driver; in a container: docker run --gpus all, or the NVIDIA container toolkit',
  AMD: 'with a card: load the amdgpu driver; in a container: --device /dev/kfd --device /dev/dri, and /sys to be seen',
  Intel:
    'with a card: load the i915 or xe driver; in a container: --device /dev/dri, and /sys to be seen',
}

/** What can be read of GPUs here, vendor by vendor. */
export async function gpuRungs(system: System): Promise<Rung[]> {
  const found = await findSources(system)
  const rungs = found.flatMap(({ vendor, reading }): Rung[] => {
    const name = `${vendor} GPUs`
    if (reading.kind !== 'ok')
      return [{ name, state: 'no', finding: whyNot(reading), remedy: remedies[vendor] }]
    reading.value.look(true)
    return [cardsRung(name, reading.value), ...activityRungs(vendor, reading.value)]
  })
  for (const { reading } of found) if (reading.kind === 'ok') reading.value.close()
  return rungs
}

function cardsRung(name: string, source: GpuSource): Rung {
  const { cards } = source
  const failed = cards.filter(({ failure }) => failure !== null)
  const names = [...new Set(cards.map(({ identity }) => identity.name))].join(', ')
  const untold = cards.find(({ processes }) => processes.loss !== null)?.processes.loss ?? null
  const asleep = cards.filter(({ isAsleep }) => isAsleep).length
  const sleep = asleep === 0 ? '' : `, ${asleep} asleep and not woken to be read`
  const what = `${source.name}: ${count(cards.length, 'card')} (${names})${sleep}`
  if (failed.length > 0)
    return {
      name,
      state: 'partly',
      finding: `${what}; ${failed.map(({ number, failure }) => `card ${number}: ${failure}`).join('; ')}`,
      remedy: 'look at what the kernel says of it: dmesg | grep -i -e xid -e amdgpu -e drm',
    }
  return untold === null
    ? { name, state: 'yes', finding: `${what}: use, memory, power, processes`, remedy: null }
    : {
        name,
        state: 'partly',
        finding: `${what}, but not which process uses them: ${untold}`,
        remedy: 'npm install koffi has them read through the library of the driver',
      }
}

/** What units of a card do is told by Hopper and newer, through NVML. */
function activityRungs(vendor: FoundSource['vendor'], source: GpuSource): Rung[] {
  if (vendor !== 'NVIDIA') return []
  const name = 'what NVIDIA GPUs are bound by'
  source.lookAtActivity(source.cards)
  const loss = source.cards.find(({ activityLoss }) => activityLoss !== null)?.activityLoss ?? null
  if (loss === null) {
    return [
      {
        name,
        state: 'yes',
        finding:
          'GPM counters, which need no root: multiprocessors, tensor units, memory bandwidth, transfers',
        remedy: null,
      },
    ]
  }
  const isRefused = loss.includes('rights')
  return [
    {
      name,
      state: 'no',
      finding: loss,
      remedy: isRefused
        ? 'run as root, or load the driver with NVreg_RestrictProfilingToAdminUsers=0'
        : 'needs a card of the Hopper generation or newer; use, power and clocks are told of any',
    },
  ]
}
