import { cudaDevices, rocrDevices } from '../model/device-lists.ts'
import type { System } from '../system/system.ts'

/** The GPUs that this process may use, by the names under which programs are told of them. */
export interface VisibleGpus {
  readonly names: readonly string[]
  /** What in the environment says so, such as `CUDA_VISIBLE_DEVICES=2,3`; null where nothing does. */
  readonly toldBy: string | null
}

type Environment = Readonly<Record<string, string | undefined>>

/** By what we are told to see; else all that have a device file. */
export function readVisibleGpus(system: System, environment: Environment): VisibleGpus {
  const files = nvidiaFiles(system)
  const cuda = environment['CUDA_VISIBLE_DEVICES']
  if (cuda !== undefined)
    return {
      names: cudaDevices(cuda, files === 0 ? null : files),
      toldBy: `CUDA_VISIBLE_DEVICES=${cuda}`,
    }
  const rocr = environment['ROCR_VISIBLE_DEVICES']
  if (rocr !== undefined)
    return { names: rocrDevices(rocr), toldBy: `ROCR_VISIBLE_DEVICES=${rocr}` }
  // CUDA counts the devices that it finds, from 0: in a container `/dev/nvidia3` may be the only one.
  return { names: Array.from({ length: files }, (_, index) => String(index)), toldBy: null }
}

function nvidiaFiles({ files }: System): number {
  const devices = files.list('/dev')
  return devices.kind === 'ok' ? devices.value.filter((name) => /^nvidia\d+$/.test(name)).length : 0
}
