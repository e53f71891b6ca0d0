import { isAbsolute, join } from 'node:path'

const rootPath = '/var/lib/jobmeter/node.db'

/** Where the rounds of this node are: what is named, else the place of whoever asks; root's is the node's. */
export function nodePath(
  environment: Readonly<Record<string, string | undefined>>,
  override: string | undefined,
  { isRoot, homeDirectory }: { readonly isRoot: boolean; readonly homeDirectory: string },
): string {
  const named = override || environment['JOBMETER_NODE_DB']
  if (named) return named
  if (isRoot) return rootPath
  const state = environment['XDG_STATE_HOME']
  const base = state && isAbsolute(state) ? state : join(homeDirectory, '.local', 'state')
  return join(base, 'jobmeter', 'node.db')
}

export const nodeRootPath = rootPath
