import { ok, parseReading, unavailable, type Reading } from '../../model/reading.ts'
import type { Files } from '../../system/system.ts'
import { parseCgroupMembership } from '../procfs/cgroup-membership.ts'
import { parseMountinfo, type CgroupMount } from '../procfs/mountinfo.ts'

/** A cgroup of a process, as a directory. */
export interface CgroupPlace {
  readonly directory: string
  readonly mountPoint: string
}

/** Those of v1 that help to measure a job. */
const usefulControllers = ['memory', 'cpuacct']

/** Which cgroup trees this machine has, and where a process stands in each. */
export interface CgroupHierarchy {
  readonly v2: CgroupPlace | null
  /** By controller, the useful ones. */
  readonly v1: ReadonlyMap<string, CgroupPlace>
}

/** Brings together a process's paths within the trees and the places where the trees are mounted. */
export function readHierarchy(files: Files, procSelf = '/proc/self'): Reading<CgroupHierarchy> {
  return hierarchyOf(files, `${procSelf}/cgroup`, `${procSelf}/mountinfo`, usefulControllers)
}

/** The same for another process, with these controllers of v1. Its own mounts may be those of a container. */
export const readHierarchyOf = (
  files: Files,
  pid: number,
  controllers: readonly string[],
): Reading<CgroupHierarchy> =>
  hierarchyOf(files, `/proc/${pid}/cgroup`, '/proc/self/mountinfo', controllers)

function hierarchyOf(
  files: Files,
  membershipPath: string,
  mountinfoPath: string,
  controllers: readonly string[],
): Reading<CgroupHierarchy> {
  const membership = parseReading(
    files.readText(membershipPath),
    membershipPath,
    parseCgroupMembership,
  )
  if (membership.kind !== 'ok') return membership
  const mounts = parseReading(files.readText(mountinfoPath), mountinfoPath, parseMountinfo)
  if (mounts.kind !== 'ok') return mounts

  const { v2Path, v1: paths } = membership.value
  const ofV2 = mounts.value.filter((mount) => mount.kind === 'v2')
  const v2 = v2Path === null ? null : findPlace(files, ofV2, v2Path)
  const v1 = new Map<string, CgroupPlace>()
  for (const controller of controllers) {
    const path = paths.get(controller)
    if (path === undefined) continue
    const trees = mounts.value.filter((mount) => mount.controllers.includes(controller))
    const place = findPlace(files, trees, path)
    if (place !== null) v1.set(controller, place)
  }
  if (v2 === null && v1.size === 0) return unavailable('no cgroup file system shows our own cgroup')
  return ok({ v2, v1 })
}

/** A tree may be mounted more than once, or a mount hidden under another: the first that shows it. */
function findPlace(files: Files, mounts: readonly CgroupMount[], path: string): CgroupPlace | null {
  for (const mount of mounts) {
    const directory = directoryOf(mount, path)
    if (directory === null) continue
    const descriptor = files.open(`${directory}/cgroup.procs`)
    if (descriptor < 0) continue
    files.close(descriptor)
    return { directory, mountPoint: mount.mountPoint }
  }
  return null
}

/**
 * A mount shows the tree from its root down: in a container that root is often the container's
 * cgroup, and paths are counted from the tree's top all the same. Paths with `..` lie outside of
 * our cgroup namespace, where nothing tells their names.
 */
function directoryOf(mount: CgroupMount, path: string): string | null {
  if (path.split('/').includes('..') || mount.root.split('/').includes('..')) return null
  const root = mount.root === '/' ? '' : mount.root
  if (path !== root && !path.startsWith(`${root}/`)) return null
  const below = path.slice(root.length)
  return below === '/' || below === '' ? mount.mountPoint : `${mount.mountPoint}${below}`
}
