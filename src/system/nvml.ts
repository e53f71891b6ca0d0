import { realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import { failed, ok, unavailable, type Reading } from '../model/reading.ts'
import { loadKoffi, type Bound, type Library } from './libc.ts'

/**
 * NVIDIA's management library, call by call; each answers one of `nvmlCodes`. What it writes goes to buffers that the caller
 * keeps. Devices and GPM samples are handles: pointers, which fit a number. A call that this version of the library does
 * not have answers `functionNotFound`.
 */
export interface Nvml {
  nvmlShutdown(): number
  nvmlSystemGetDriverVersion(into: Buffer, size: number): number
  nvmlDeviceGetCount_v2(into: Buffer): number
  nvmlDeviceGetHandleByIndex_v2(index: number, into: Buffer): number
  nvmlDeviceGetName(device: number, into: Buffer, size: number): number
  nvmlDeviceGetUUID(device: number, into: Buffer, size: number): number
  nvmlDeviceGetUtilizationRates(device: number, into: Buffer): number
  nvmlDeviceGetMemoryInfo(device: number, into: Buffer): number
  nvmlDeviceGetMemoryInfo_v2(device: number, into: Buffer): number
  nvmlDeviceGetTemperature(device: number, sensor: number, into: Buffer): number
  nvmlDeviceGetPowerUsage(device: number, into: Buffer): number
  nvmlDeviceGetEnforcedPowerLimit(device: number, into: Buffer): number
  nvmlDeviceGetClockInfo(device: number, type: number, into: Buffer): number
  nvmlDeviceGetMaxClockInfo(device: number, type: number, into: Buffer): number
  nvmlDeviceGetCurrentClocksThrottleReasons(device: number, into: Buffer): number
  nvmlDeviceGetTotalEnergyConsumption(device: number, into: Buffer): number
  nvmlDeviceGetTotalEccErrors(device: number, type: number, counter: number, into: Buffer): number
  nvmlDeviceGetComputeRunningProcesses_v3(device: number, count: Buffer, into: Buffer): number
  nvmlDeviceGetGraphicsRunningProcesses_v3(device: number, count: Buffer, into: Buffer): number
  nvmlDeviceGetProcessUtilization(
    device: number,
    into: Buffer,
    count: Buffer,
    sinceMicroseconds: number,
  ): number
  nvmlDeviceGetMigMode(device: number, current: Buffer, pending: Buffer): number
  nvmlDeviceGetMaxMigDeviceCount(device: number, into: Buffer): number
  nvmlDeviceGetMigDeviceHandleByIndex(device: number, index: number, into: Buffer): number
  nvmlDeviceGetGpuInstanceId(device: number, into: Buffer): number
  nvmlGpmQueryDeviceSupport(device: number, into: Buffer): number
  nvmlGpmSampleAlloc(into: Buffer): number
  nvmlGpmSampleFree(sample: number): number
  nvmlGpmSampleGet(device: number, into: number): number
  nvmlGpmMigSampleGet(device: number, instance: number, into: number): number
  nvmlGpmMetricsGet(request: Buffer): number
}

export const nvmlCodes = {
  success: 0,
  uninitialized: 1,
  notSupported: 3,
  noPermission: 4,
  notFound: 6,
  insufficientSize: 7,
  driverNotLoaded: 9,
  functionNotFound: 13,
  gpuIsLost: 15,
} as const

/** What each call takes after the device, as C has it. */
const parameters: Readonly<Record<keyof Nvml, string>> = {
  nvmlShutdown: '',
  nvmlSystemGetDriverVersion: 'void *into, uint32_t size',
  nvmlDeviceGetCount_v2: 'void *into',
  nvmlDeviceGetHandleByIndex_v2: 'uint32_t index, void *into',
  nvmlDeviceGetName: 'uint64_t device, void *into, uint32_t size',
  nvmlDeviceGetUUID: 'uint64_t device, void *into, uint32_t size',
  nvmlDeviceGetUtilizationRates: 'uint64_t device, void *into',
  nvmlDeviceGetMemoryInfo: 'uint64_t device, void *into',
  nvmlDeviceGetMemoryInfo_v2: 'uint64_t device, void *into',
  nvmlDeviceGetTemperature: 'uint64_t device, uint32_t sensor, void *into',
  nvmlDeviceGetPowerUsage: 'uint64_t device, void *into',
  nvmlDeviceGetEnforcedPowerLimit: 'uint64_t device, void *into',
  nvmlDeviceGetClockInfo: 'uint64_t device, uint32_t type, void *into',
  nvmlDeviceGetMaxClockInfo: 'uint64_t device, uint32_t type, void *into',
  nvmlDeviceGetCurrentClocksThrottleReasons: 'uint64_t device, void *into',
  nvmlDeviceGetTotalEnergyConsumption: 'uint64_t device, void *into',
  nvmlDeviceGetTotalEccErrors: 'uint64_t device, uint32_t type, uint32_t counter, void *into',
  nvmlDeviceGetComputeRunningProcesses_v3: 'uint64_t device, void *count, void *into',
  nvmlDeviceGetGraphicsRunningProcesses_v3: 'uint64_t device, void *count, void *into',
  nvmlDeviceGetProcessUtilization: 'uint64_t device, void *into, void *count, uint64_t since',
  nvmlDeviceGetMigMode: 'uint64_t device, void *current, void *pending',
  nvmlDeviceGetMaxMigDeviceCount: 'uint64_t device, void *into',
  nvmlDeviceGetMigDeviceHandleByIndex: 'uint64_t device, uint32_t index, void *into',
  nvmlDeviceGetGpuInstanceId: 'uint64_t device, void *into',
  nvmlGpmQueryDeviceSupport: 'uint64_t device, void *into',
  nvmlGpmSampleAlloc: 'void *into',
  nvmlGpmSampleFree: 'uint64_t sample',
  nvmlGpmSampleGet: 'uint64_t device, uint64_t into',
  nvmlGpmMigSampleGet: 'uint64_t device, uint32_t instance, uint64_t into',
  nvmlGpmMetricsGet: 'void *request',
}

const shippedName = 'libnvidia-ml.so.1'

/** The library, or another one in its place, such as a test's; it is started once for the whole process. */
export async function openNvml(override: string | undefined): Promise<Reading<Nvml>> {
  const path = override === undefined || override === '' ? shippedName : override
  if (path !== shippedName && !isTrusted(path))
    return unavailable(
      `JOBMETER_NVML is passed over: ${path} is not a file of ours or root's alone`,
    )
  const koffi = loadKoffi()
  if (koffi.kind !== 'ok') return koffi
  let library: Library
  let init: Bound
  try {
    library = koffi.value.load(path)
    init = library.func('int nvmlInit_v2()')
  } catch (error) {
    return unavailable(`${path} cannot be loaded: ${String(error)}`)
  }
  // It takes 20 ms and more, and seconds where no other program has the driver open.
  const code = await new Promise<number>((resolve) =>
    init.async((_: unknown, answer: number) => resolve(answer)),
  )
  if (code === nvmlCodes.driverNotLoaded) return unavailable('the NVIDIA driver is not loaded')
  if (code !== nvmlCodes.success) return failed(`NVML did not start: ${nvmlTrouble(code)}`)
  return ok(bindAll(library))
}

const troubles: Readonly<Record<number, string>> = {
  1: 'it is not started',
  2: 'it does not know such a request',
  3: 'the card does not support it',
  4: 'it needs more rights',
  6: 'there is no such thing',
  9: 'the driver is not loaded',
  10: 'it timed out',
  13: 'the driver is too old for it',
  15: 'the card fell off the bus',
  16: 'the card needs a reset',
  18: 'the library and the kernel module are of different versions',
}

/** What an answer means, in words. */
export const nvmlTrouble = (code: number): string => troubles[code] ?? `error ${code}`

/** Each takes some microseconds to bind, and is bound when it is first called: the call then takes its own place. */
function bindAll(library: Library): Nvml {
  const calls: Record<string, (...args: unknown[]) => unknown> = {}
  const missing = (): number => nvmlCodes.functionNotFound
  for (const [name, takes] of Object.entries(parameters))
    calls[name] = (...args) => {
      try {
        calls[name] = library.func(`int ${name}(${takes})`)
      } catch {
        calls[name] = missing
      }
      return calls[name](...args)
    }
  return calls as unknown as Nvml
}

/**
 * Code from a file that another user can change would run with our rights: root may have been given somebody's environment
 * by `sudo -E`. So the file and every folder above it must be root's or ours, and for nobody else to write to.
 */
function isTrusted(path: string): boolean {
  if (!isAbsolute(path) || process.getuid?.() !== process.geteuid?.()) return false
  try {
    let at = realpathSync(path)
    for (let isFile = true; ; isFile = false) {
      const { uid, mode } = statSync(at)
      const sticky = !isFile && (mode & 0o1000) !== 0
      if (uid !== 0 && uid !== process.getuid?.()) return false
      if ((mode & 0o022) !== 0 && !sticky) return false
      if (at === '/') return true
      at = dirname(at)
    }
  } catch {
    return false
  }
}
