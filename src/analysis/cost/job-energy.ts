import { isLowerBound, type Measured } from '../../model/measured.ts'
import type { Prices } from '../../model/prices.ts'
import { furtherFigures, type Usage } from '../../model/usage.ts'

/** The energy of a job, as far as it is known. */
export interface JobEnergy {
  readonly joules: number | null
  /** How that was obtained, or why it was not. */
  readonly basis: string
  /** Whether some of it comes from `watts_per_core` and not from a counter. */
  readonly isModel: boolean
  readonly isLowerBound: boolean
  /** null without a carbon intensity, or without energy. */
  readonly carbonGrams: number | null
}

const joulesPerKwh = 3_600_000

export const kilowattHours = (joules: number): number => joules / joulesPerKwh

/** Counters of the CPUs, else the model where there is one; and what the counters of GPUs tell. */
export function jobEnergy(usage: Usage, prices: Prices | null): JobEnergy {
  const further = new Map(furtherFigures(usage))
  const cpu = cpuEnergy(further.get('energyJoules'), usage, prices)
  const gpu = further.get('gpuEnergyJoules')
  const gpuJoules = gpu?.value ?? null
  const joules =
    cpu.joules === null && gpuJoules === null ? null : (cpu.joules ?? 0) + (gpuJoules ?? 0)
  const intensity = prices?.carbonGramsPerKwh ?? null
  const lacksCpu = cpu.joules === null && gpuJoules !== null
  return {
    joules,
    basis: [
      lacksCpu ? `CPUs not included: ${cpu.basis}` : cpu.basis,
      ...(gpu === undefined || gpu.value === null ? [] : [`GPUs: ${gpu.basis}`]),
    ].join('; '),
    isModel: cpu.isModel,
    isLowerBound: lacksCpu || cpu.isLowerBound || (gpu !== undefined && isLowerBound(gpu)),
    carbonGrams: joules === null || intensity === null ? null : kilowattHours(joules) * intensity,
  }
}

type CpuEnergy = Pick<JobEnergy, 'joules' | 'basis' | 'isModel' | 'isLowerBound'>

function cpuEnergy(
  counted: Measured | undefined,
  { cpuTotalSeconds }: Usage,
  prices: Prices | null,
): CpuEnergy {
  if (counted !== undefined && counted.value !== null)
    return {
      joules: counted.value,
      basis: counted.basis,
      isModel: false,
      isLowerBound: isLowerBound(counted),
    }
  const watts = prices?.wattsPerCore ?? null
  if (watts !== null && cpuTotalSeconds.value !== null)
    return {
      joules: cpuTotalSeconds.value * watts,
      basis: `model, not a measurement: ${watts} W for each busy core (watts_per_core)`,
      isModel: true,
      isLowerBound: isLowerBound(cpuTotalSeconds),
    }
  const why = counted?.value === null ? counted.why : 'not asked for (--metrics energy)'
  return { joules: null, basis: why, isModel: false, isLowerBound: false }
}
