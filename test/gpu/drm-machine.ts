import { DrmCards } from '../../src/sensors/gpu/drm-cards.ts'
import type { System } from '../../src/system/system.ts'

export const drm = '/sys/class/drm'
export const kfd = '/sys/class/kfd/kfd'

/** What the kernel shows of two AMD cards: one that draws, one that only computes. */
export const amdTree = {
  [`${drm}/card0/device/vendor`]: '0x1002\n',
  [`${drm}/card0/device/device`]: '0x73bf\n',
  [`${drm}/card0/device/uevent`]:
    'DRIVER=amdgpu\nPCI_CLASS=30000\nPCI_ID=1002:73BF\nPCI_SLOT_NAME=0000:03:00.0\n',
  [`${drm}/card0/device/gpu_busy_percent`]: '37\n',
  [`${drm}/card0/device/mem_busy_percent`]: '12\n',
  [`${drm}/card0/device/mem_info_vram_used`]: '1834405888\n',
  [`${drm}/card0/device/mem_info_vram_total`]: '17163091968\n',
  [`${drm}/card0/device/hwmon/hwmon3/temp1_input`]: '51000\n',
  [`${drm}/card0/device/hwmon/hwmon3/power1_average`]: '183000000\n',
  [`${drm}/card0/device/hwmon/hwmon3/power1_cap`]: '272000000\n',
  [`${drm}/card0/device/hwmon/hwmon3/freq1_input`]: '2310000000\n',
  [`${drm}/card0-DP-1/status`]: 'disconnected\n',
  [`${drm}/card2/device/vendor`]: '0x1002\n',
  [`${drm}/card2/device/product_name`]: 'AMD Instinct MI300X\n',
  [`${drm}/card2/device/uevent`]: 'DRIVER=amdgpu\nPCI_SLOT_NAME=0000:43:00.0\n',
  [`${drm}/card2/device/gpu_busy_percent`]: '99\n',
  [`${drm}/card2/device/mem_info_vram_used`]: '100000000000\n',
  [`${drm}/card2/device/mem_info_vram_total`]: '205890000000\n',
  [`${drm}/card2/device/hwmon/hwmon5/temp1_input`]: '62000\n',
  [`${drm}/card2/device/hwmon/hwmon5/power1_input`]: '741000000\n',
  [`${drm}/card1/device/vendor`]: '0x10de\n',
}

/** An Intel card by i915 that shares the machine's memory, and one by xe with its own. */
export const intelTree = {
  [`${drm}/card0/device/vendor`]: '0x8086\n',
  [`${drm}/card0/device/device`]: '0x9a49\n',
  [`${drm}/card0/device/uevent`]: 'DRIVER=i915\nPCI_SLOT_NAME=0000:00:02.0\n',
  [`${drm}/card1/device/vendor`]: '0x8086\n',
  [`${drm}/card1/device/device`]: '0x56a0\n',
  [`${drm}/card1/device/uevent`]: 'DRIVER=xe\nPCI_SLOT_NAME=0000:03:00.0\n',
  [`${drm}/card1/device/hwmon/hwmon2/energy1_input`]: '123456789\n',
  [`${drm}/card1/device/hwmon/hwmon2/power1_cap`]: '190000000\n',
}

export function openCards(system: System, vendor: 'amd' | 'intel'): DrmCards {
  const cards = DrmCards.open(system, vendor)
  if (cards.kind !== 'ok') throw new Error('no cards')
  return cards.value
}

/** Processes of a job that have run so much. */
export const processes = (...pids: readonly number[]) =>
  new Map(
    pids.map((pid) => [pid, { startTicks: 0, userTicks: 1, systemTicks: 1, minorFaults: 80 }]),
  )

export const fdinfo = (card: string, client: number, rest: string): string =>
  `pos:\t0\ndrm-driver:\tx\ndrm-client-id:\t${client}\ndrm-pdev:\t${card}\n${rest}`

/** One that computes by ROCm, whose open file tells of next to nothing (see the capture `fdinfo-amdgpu-rocm`). */
export const rocmProcess = {
  '/proc/self/ns/pid': 'pid:[4026531836]',
  '/proc/7/fd/4': '/dev/kfd',
  '/proc/7/fd/5': '/dev/dri/renderD128',
  '/proc/7/fdinfo/5': fdinfo('0000:43:00.0', 1, 'drm-memory-vram:\t76 KiB\n'),
  '/proc/7/fd/6': '/dev/dri/renderD129',
  '/proc/7/fdinfo/6': fdinfo('0000:03:00.0', 2, 'drm-memory-vram:\t76 KiB\n'),
}
