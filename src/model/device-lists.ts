/**
 * The devices that CUDA shows to a program with this list, as tried with driver 580: it reads up to the first entry that
 * is none (`-1`, an empty one, an index that is too high) or of another kind than the first, and shows nothing at all
 * where a device comes twice. `deviceCount` is null where it is not known.
 */
export function cudaDevices(list: string, deviceCount: number | null): string[] {
  const devices = leading(list, deviceCount)
  const kind = kindOf(devices[0])
  const end = devices.findIndex((device) => kindOf(device) !== kind)
  return unlessRepeated(end < 0 ? devices : devices.slice(0, end))
}

/** The same for ROCm, which takes indices and UUIDs in one list. */
export const rocrDevices = (list: string): string[] => unlessRepeated(leading(list, null))

function leading(list: string, deviceCount: number | null): string[] {
  const devices: string[] = []
  for (const entry of list.split(',')) {
    const device = deviceIn(entry.trim())
    if (device === undefined) break
    if (deviceCount !== null && kindOf(device) === 'index' && Number(device) >= deviceCount) break
    devices.push(device)
  }
  return devices
}

/** A name as it is, an index as `strtol` reads it: by the digits that it begins with. */
function deviceIn(entry: string): string | undefined {
  if (/^(GPU|MIG)-[\w/-]+$/.test(entry)) return entry
  const digits = /^\+?(\d+)/.exec(entry)?.[1]
  return digits === undefined ? undefined : String(Number(digits))
}

const kindOf = (device: string | undefined): string =>
  /^(GPU|MIG)-/.exec(device ?? '')?.[1] ?? 'index'

const unlessRepeated = (devices: string[]): string[] =>
  new Set(devices).size === devices.length ? devices : []
