import { atLeast, unmeasured, type Measured } from '../../../../model/measured.ts'
import type { NetTotals } from '../../../../sensors/procfs/net-dev.ts'
import type { JobNamespaces } from './job-namespaces.ts'
import type { JobSockets } from './job-sockets.ts'

export type CountedNamespaces = Pick<
  JobNamespaces,
  'isEmpty' | 'isShared' | 'isHidden' | 'seesMachine' | 'hadMore' | 'hadAll' | keyof NetTotals
>

export type CountedSockets = Pick<JobSockets, 'why' | 'wasShort'> & { readonly totals: NetTotals }

const sharedWords =
  'its network namespace is also that of processes that are not of the job, such as those of another container'

const hiddenWords =
  'whether its network namespace is also that of processes that are not of the job cannot be told: those of other users are hidden, as by hidepid'

const apartWords = (hadAll: boolean | null): string => {
  if (hadAll === null) return ', in which not all of its processes are known to have been'
  return hadAll ? '' : ', in which not all of its processes were'
}

/**
 * What is told of the bytes that a job received or sent. What its namespaces and its sockets counted is not added up: a
 * program such as slirp4netns or pasta passes what goes through an interface of its container on through sockets of ours.
 */
export function networkFigure(
  way: keyof NetTotals,
  namespaces: CountedNamespaces,
  { totals, why, wasShort }: CountedSockets,
): Measured {
  const known = Math.max(namespaces[way], totals[way])
  if (namespaces.isShared && known === 0) return unmeasured(sharedWords)
  if (namespaces.isHidden && known === 0) return unmeasured(hiddenWords)
  if (namespaces.isEmpty && why !== null) return unmeasured(why)
  if (namespaces.isEmpty || totals[way] > namespaces[way]) {
    const missed = wasShort
      ? '; not all open files were looked through at each look, so connections may have been missed'
      : ''
    return atLeast(
      totals[way],
      `TCP sockets that were open at a look (inet_diag), loopback included${missed}`,
    )
  }
  const since = namespaces.hadMore ? ', since its interfaces were first seen there' : ''
  const apart = apartWords(namespaces.hadAll)
  const unseen = namespaces.seesMachine
    ? ''
    : '; processes outside of the PID namespace of jobmeter may be in it too, and are not seen'
  // The namespace is gone with its last process: what went through after the last look at it, nobody knows.
  return atLeast(
    namespaces[way],
    `/proc/PID/net/dev of its network namespace${apart}, without loopback${since}, until the last look${unseen}`,
  )
}
