/** What samples add up to, computed in the plainest way: all of them in memory, and one rule after the other. */

export interface PlainProcess {
  readonly user: string
  readonly job: number
  readonly epoch: number
  readonly pid: number
  readonly ppid: number
  readonly cmd: string
  readonly cpu: number
}

export interface PlainSample {
  readonly host: string
  readonly at: number
  readonly cores: readonly number[]
  readonly processes: readonly PlainProcess[]
}

const longest = 3600
const assumedCores = 4096
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
const key = ({ pid, job, epoch }: PlainProcess): string => `${pid}/${job}/${epoch}`

/** CPU seconds by user, in the order in which the samples came. */
export function plainUse(samples: readonly PlainSample[]): Map<string, number> {
  const used = new Map<string, number>()
  const add = (user: string, seconds: number): void => {
    used.set(user, (used.get(user) ?? 0) + seconds)
  }
  const known = new Map<string, { from: number; to: PlainSample }[]>()
  for (const sample of samples) {
    const stretches = known.get(sample.host) ?? []
    known.set(sample.host, stretches)
    if (stretches.some(({ from, to }) => from <= sample.at && sample.at <= to.at)) continue
    const [last] = stretches
      .filter(({ to }) => to.at < sample.at)
      .toSorted((one, other) => other.to.at - one.to.at)
    const before = last?.to
    const wentBack =
      before !== undefined &&
      before.cores.length > 0 &&
      sample.cores.length > 0 &&
      sum(sample.cores) + before.cores.length < sum(before.cores)
    if (last === undefined || before === undefined || sample.at - before.at > longest || wentBack) {
      stretches.push({ from: sample.at, to: sample })
      continue
    }
    last.to = sample
    const all = between(before, sample, add)
    if (sample.cores.length > 0 && sample.cores.length === before.cores.length)
      add('unattributed', sum(sample.cores) - sum(before.cores) - all)
  }
  return used
}

function between(
  before: PlainSample,
  sample: PlainSample,
  add: (user: string, seconds: number) => void,
): number {
  const span = sample.at - before.at
  const most = (sample.cores.length || assumedCores) * span + 2
  let all = 0
  for (const process of sample.processes) {
    const last = before.processes.find((one) => key(one) === key(process))
    const ended = before.processes.filter(
      (one) => !sample.processes.some((now) => key(now) === key(one)),
    )
    const handed = last === undefined ? 0 : sum(heirs(ended, process.pid).map(({ cpu }) => cpu))
    const grown = process.cpu - (last?.cpu ?? 0)
    const seconds = grown >= handed ? grown - handed : grown >= 0 ? grown : process.cpu
    if (seconds > most) continue
    all += seconds
    add(process.user, seconds)
  }
  return all
}

/** Those that have ended, and whose nearest ancestor that has not is this one. */
function heirs(ended: readonly PlainProcess[], pid: number, deep = 0): PlainProcess[] {
  if (deep > 99) return []
  const children = ended.filter((one) => one.ppid === pid)
  return children.flatMap((child) => [child, ...heirs(ended, child.pid, deep + 1)])
}
