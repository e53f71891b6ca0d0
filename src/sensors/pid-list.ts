// The kernel's own limit, PID_MAX_LIMIT, on 64-bit machines.
const largestPid = 2 ** 22

/**
 * Adds the pids of a file that holds nothing else, parted by blanks or line ends. Empty is a list
 * too. 0 stands for a process of another pid namespace, which has no name here: it is left out.
 */
export function parsePids(bytes: Uint8Array, length: number, into: number[]): boolean {
  const end = Math.min(length, bytes.length)
  let pid = -1
  for (let position = 0; position < end; position += 1) {
    const byte = bytes[position] ?? 0
    if (byte >= 48 && byte <= 57) {
      pid = (pid < 0 ? 0 : pid) * 10 + (byte - 48)
      if (pid > largestPid) return false
    } else if (byte === 10 || byte === 32 || byte === 9) {
      if (pid > 0) into.push(pid)
      pid = -1
    } else return false
  }
  // A number without an end may have been cut.
  return pid < 0
}
