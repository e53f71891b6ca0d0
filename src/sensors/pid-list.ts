import { ByteScan } from './byte-scan.ts'

const scan = new ByteScan()
// The kernel's own limit, PID_MAX_LIMIT, on 64-bit machines.
const largestPid = 2 ** 22

/**
 * Adds the pids of a file that holds nothing else, parted by blanks or line ends. Empty is a list
 * too. 0 stands for a process of another pid namespace, which has no name here: it is left out.
 */
export function parsePids(bytes: Uint8Array, length: number, into: number[]): boolean {
  scan.begin(bytes, length)
  for (;;) {
    while (scan.endsWord()) scan.position += 1
    if (scan.position >= scan.end) return true
    const pid = scan.number()
    if (!(pid <= largestPid) || !scan.endsWord()) return false
    if (pid > 0) into.push(pid)
  }
}
