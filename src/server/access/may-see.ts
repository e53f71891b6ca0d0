import type { NodeViewer } from '../../store/node/viewer.ts'
import type { Viewer } from './viewer.ts'

/** Whose an object is. */
export interface Owned {
  readonly user: string
  readonly account?: string | null
}

/** The one place that says whether somebody may see, or act on, what is somebody's. */
export function maySee(viewer: Viewer, { user, account }: Owned): boolean {
  if (viewer.users === null || user === viewer.user || viewer.users.includes(user)) return true
  return account !== undefined && account !== null && viewer.accounts.includes(account)
}

/** Whose objects a list may hold; null: everybody's. */
export const usersSeenBy = ({ user, users }: Viewer): readonly string[] | null =>
  users === null ? null : [user, ...users]

/** The same of jobs that agents saw on nodes, which have an account as well. */
export function nodesSeenBy(viewer: Viewer): NodeViewer | null {
  const users = usersSeenBy(viewer)
  return users === null ? null : { users, accounts: viewer.accounts }
}
