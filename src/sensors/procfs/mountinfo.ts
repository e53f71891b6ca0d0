/** A place where a cgroup tree, or a part of one, can be reached. */
export interface CgroupMount {
  readonly mountPoint: string
  /** Which cgroup of the tree stands at the mount point; not `/` in many containers. */
  readonly root: string
  readonly kind: 'v1' | 'v2'
  /** Of a v1 tree, with `name=…` for a named one; empty for v2. */
  readonly controllers: readonly string[]
}

// A v1 mount lists its controllers among other options (rw, xattr, release_agent=…), and only
// this list tells them apart. It is closed: no kernel adds controllers to v1 any more.
const controllersOfV1 = new Set(
  (
    'cpu cpuacct cpuset memory devices freezer net_cls net_prio ' +
    'blkio perf_event hugetlb pids rdma misc debug'
  ).split(' '),
)

/** The cgroup mounts of /proc/PID/mountinfo, in its order. */
export function parseMountinfo(text: string): readonly CgroupMount[] | undefined {
  const mounts: CgroupMount[] = []
  for (const entry of text.split('\n')) {
    if (entry === '') continue
    const words = entry.split(' ')
    // Optional words end at a single dash; the type, source and options of the file system follow.
    const dash = words.indexOf('-', 6)
    const [root, mountPoint] = [words[3], words[4]]
    const type = words[dash + 1]
    if (dash < 0 || root === undefined || mountPoint === undefined || type === undefined)
      return undefined
    if (type !== 'cgroup' && type !== 'cgroup2') continue
    mounts.push({
      mountPoint: unescapeOctal(mountPoint),
      root: unescapeOctal(root),
      kind: type === 'cgroup' ? 'v1' : 'v2',
      controllers: type === 'cgroup' ? controllersIn(words[dash + 3] ?? '') : [],
    })
  }
  return mounts
}

function controllersIn(options: string): readonly string[] {
  return options
    .split(',')
    .filter((option) => controllersOfV1.has(option) || option.startsWith('name='))
}

/** The kernel writes blanks, line ends and backslashes in paths as `\040` and the like. */
function unescapeOctal(path: string): string {
  if (!path.includes('\\')) return path
  return path.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  )
}
