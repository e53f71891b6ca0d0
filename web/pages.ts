/** A page of the dashboard. The menu, the keys that go there and the documentation have it from here. */
interface PageEntry {
  readonly id: string
  /** `:name` or `:number` stands for what the page is about. */
  readonly path: string
  /** As the menu has it, and otherwise the documentation. */
  readonly name: string
  /** Goes there after `g`. Pages that have one are in the menu. */
  readonly key?: string
  /** The menu leaves it out where no node is watched. */
  readonly isOfNodes?: true
}

/** In the order of the menu. */
export const pages = [
  { id: 'home', path: '/', name: 'Home', key: 'h' },
  { id: 'jobs', path: '/jobs', name: 'Jobs', key: 'j' },
  { id: 'job', path: '/jobs/:name', name: 'a job' },
  { id: 'compare', path: '/compare', name: 'Compare' },
  { id: 'workflows', path: '/workflows', name: 'Workflows', key: 'w' },
  { id: 'workflow', path: '/workflows/:number', name: 'a workflow' },
  { id: 'nodes', path: '/nodes', name: 'Nodes', key: 'n', isOfNodes: true },
  { id: 'node', path: '/nodes/:name', name: 'a node', isOfNodes: true },
  { id: 'node-job', path: '/node-jobs/:name', name: 'a job on a node', isOfNodes: true },
  { id: 'usage', path: '/usage', name: 'Usage', key: 'u', isOfNodes: true },
  { id: 'hogs', path: '/hogs', name: 'Hogs', key: 'o', isOfNodes: true },
  { id: 'reservations', path: '/reservations', name: 'Reservations', key: 'r', isOfNodes: true },
  { id: 'alerts', path: '/alerts', name: 'Alerts', key: 'a' },
] as const satisfies readonly PageEntry[]

export type PageId = (typeof pages)[number]['id']

/** Pages that are gone to by the menu, or by a key after `g`. */
export const menuPages = (pages as readonly PageEntry[]).flatMap(
  ({ path, name, key, isOfNodes = false }) =>
    key === undefined ? [] : [{ path, name, key, isOfNodes }],
)

/** The page at a path, and what it is about. */
export function pageAt(path: string): { readonly id: PageId; readonly about: string } | undefined {
  const asked = path.split('/')
  for (const { id, path: pattern } of pages) {
    const parts = pattern.split('/')
    const isThere =
      parts.length === asked.length &&
      parts.every((part, place) => isLike(part, asked[place] ?? ''))
    if (isThere) return { id, about: decoded(asked[parts.findIndex(isAbout)] ?? '') }
  }
  return undefined
}

const isAbout = (part: string): boolean => part.startsWith(':')

const isLike = (part: string, asked: string): boolean =>
  isAbout(part) ? (part === ':number' ? /^\d+$/ : /./).test(asked) : part === asked

/** People may have typed `100%` as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
