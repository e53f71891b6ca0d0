import { ContainerResourceMonitor } from '../../profile/container-monitor.ts'
import { profileSections, type ProfileSection } from '../../profile/resource-profile.ts'
import { ResourceProfiler } from '../../profile/resource-profiler.ts'
import { MessageError, type Fields } from './message.ts'
import type { Handlers, SidecarContext } from './handlers.ts'

/** The messages of profilers, of which a client may have several, each by a name that it chooses. */
export function profileMessages({ pid }: SidecarContext): Handlers {
  const profilers = new Map<string, ResourceProfiler>()
  return {
    async profile_start(fields) {
      const name = fields.requiredText('profiler')
      if (profilers.has(name)) throw new MessageError(`profiler "${name}" is running already`)
      const intervalSeconds = fields.number('interval_seconds')
      const metrics = sectionsIn(fields)
      const profiler = new ResourceProfiler({
        pid,
        ...(intervalSeconds === undefined ? {} : { intervalSeconds }),
        ...(metrics === undefined ? {} : { metrics }),
      })
      profiler.startProfiling(fields.text('container_name'))
      profilers.set(name, profiler)
      // The container and the GPUs are part of the profile from its beginning.
      await profiler.ready()
      return {}
    },
    profile_stop(fields) {
      const name = fields.requiredText('profiler')
      const profiler = profilers.get(name)
      if (profiler === undefined) throw new MessageError(`profiler "${name}" is not running`)
      profilers.delete(name)
      return { ...profiler.stopProfiling() }
    },
    async container_info(fields) {
      const name = fields.requiredText('container_name')
      return { ...(await new ContainerResourceMonitor(name).getContainerInfo()) }
    },
  }
}

function sectionsIn(fields: Fields): readonly ProfileSection[] | undefined {
  const names = fields.texts('metrics')
  const wrong = names?.find((name) => !profileSections.some((section) => section === name))
  if (wrong === undefined) return names as readonly ProfileSection[] | undefined
  throw new MessageError(`"${wrong}" is not one of ${profileSections.join(', ')}`)
}
