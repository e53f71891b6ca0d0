import { existsSync } from 'node:fs'
import type { NvmlDoor } from './system.ts'

/** What the kernel module brings; under WSL the driver is Windows' own. */
const driverFiles = ['/dev/nvidiactl', '/dev/dxg']

/** Nothing of the library is loaded before somebody asks for it. */
export const nvmlDoor: NvmlDoor = {
  isLikely: () => isOverridden() || driverFiles.some((path) => existsSync(path)),
  async open() {
    const { openNvml } = await import('./nvml.ts')
    return openNvml(process.env['JOBMETER_NVML'])
  },
}

const isOverridden = (): boolean => Boolean(process.env['JOBMETER_NVML'])
