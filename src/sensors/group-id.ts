import type { System } from '../system/system.ts'

/** `name:x:gid:…`, as /etc/group and `getent group` have them. */
function gidIn(text: string, name: string): number | undefined {
  for (const line of text.split('\n')) {
    const [found, , gid = ''] = line.split(':')
    if (found === name && /^\d+$/.test(gid)) return Number(gid)
  }
  return undefined
}

/** The number of a group; undefined where neither /etc/group nor a directory of the network knows it. */
export async function groupId(system: System, name: string): Promise<number | undefined> {
  const text = system.files.readText('/etc/group')
  const known = text.kind === 'ok' ? gidIn(text.value, name) : undefined
  if (known !== undefined || name.startsWith('-')) return known
  const told = await system.toolOutput(['getent', 'group', name])
  return told.kind === 'ok' ? gidIn(told.value, name) : undefined
}
