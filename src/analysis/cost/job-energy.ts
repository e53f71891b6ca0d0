import { energyIsOfPackage } from '../../model/gpu-usage.ts'
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

/** Counters of the CPUs, else the model where there is one; and GPUs of their own. */
export function jobEnergy(usage: Usage, prices: Prices | null): JobEnergy {
  const further = new Map(furtherFigures(usage))
  const cpu = besidePackage(
    cpuEnergy(further.get('energyJoules'), usage, prices),
    further.get('gpuPackageEnergyJoules'),
  )
  const gpu = further.get('gpuEnergyJoules')
  const gpuJoules = gpu?.value ?? null
  const missing = gpu?.value === null && gpu.why !== energyIsOfPackage ? gpu.why : null
  const joules =
    cpu.joules === null && gpuJoules === null ? null : (cpu.joules ?? 0) + (gpuJoules ?? 0)
  const intensity = prices?.carbonGramsPerKwh ?? null
  const lacksCpu = cpu.joules === null && gpuJoules !== null
  return {
    joules,
    basis: [
      lacksCpu ? `CPUs not included: ${cpu.basis}` : cpu.basis,
      ...(gpu === undefined || gpu.value === null ? [] : [`GPUs: ${gpu.basis}`]),
      ...(missing === null ? [] : [`GPUs not included: ${missing}`]),
    ].join('; '),
    isModel: cpu.isModel,
    isLowerBound:
      lacksCpu ||
      cpu.isLowerBound ||
      (missing !== null && joules !== null) ||
      (gpu !== undefined && isLowerBound(gpu)),
    carbonGrams: joules === null || intensity === null ? null : kilowattHours(joules) * intensity,
  }
}

type CpuEnergy = Pick<JobEnergy, 'joules' | 'basis' | 'isModel' | 'isLowerBound'>

/**
 * Where a GPU is part of the CPU package, it tells the power of the package: idle draw and the work of others are in it, and
 * nothing tells the job's part. The counters of the CPUs have the same energy, and are shared by CPU time.
 */
function besidePackage(cpu: CpuEnergy, ofPackage: Measured | undefined): CpuEnergy {
  if (ofPackage === undefined || ofPackage.value === null) return cpu
  const isCounted = cpu.joules !== null && !cpu.isModel
  const why = isCounted
    ? 'not added, for these counters have it'
    : 'not included, for it tells the power of the whole package, whoever uses it'
  return {
    ...cpu,
    basis: `${cpu.basis}; GPU in the CPU package: ${why}`,
    isLowerBound: cpu.isLowerBound || cpu.isModel,
  }
}

const measuredEnergy = (joules: number, basis: string): CpuEnergy => ({
  joules,
  basis,
  isModel: false,
  isLowerBound: isLowerBound({ value: joules, basis }),
})

function cpuEnergy(
  counted: Measured | undefined,
  { cpuTotalSeconds }: Usage,
  prices: Prices | null,
): CpuEnergy {
  if (counted !== undefined && counted.value !== null)
    return measuredEnergy(counted.value, counted.basis)
  const watts = prices?.wattsPerCore ?? null
  if (watts !== null && cpuTotalSeconds.value !== null)
    return {
      joules: cpuTotalSeconds.value * watts,
      basis: `model, not a measurement: ${watts} W for each busy core (watts_per_core)`,
      isModel: true,
      isLowerBound: isLowerBound(cpuTotalSeconds),
    }
  return {
    joules: null,
    basis:
      watts === null
        ? whyUncounted(counted)
        : 'its CPU time, by which it would be modelled, was not measured',
    isModel: false,
    isLowerBound: false,
  }
}

/** Without --metrics energy, nothing tells whether there was none to read or whether others were asked for. */
const whyUncounted = (counted: Measured | undefined): string =>
  counted?.value === null ? counted.why : 'no energy counter was read; --metrics energy says why'
