/** Bytes as NVML lays them out; the sizes are part of its interface and do not change. */
export const processInfoBytes = 24
export const processUtilizationBytes = 32
export const gpmMetricBytes = 40
export const gpmMetricsAt = 24

/** `nvmlMemory_v2_t`: version, total, reserved, free, used. */
export const memoryV2Version = 40 | (2 << 24)

const word = 2 ** 32

/** 64 bits as a number, without the detour by a bigint: this runs at every look. Beyond 2^53 it is rounded. */
export function readUint64(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * word
}

export function writeUint64(bytes: Buffer, value: number, at: number): void {
  bytes.writeUInt32LE(value % word, at)
  bytes.writeUInt32LE(Math.floor(value / word), at + 4)
}

/** All bits set stands for "not available". */
export const knownBytes = (value: number): number => (value >= 2 ** 63 ? Number.NaN : value)

/** Text up to its zero. */
export function readText(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
}
