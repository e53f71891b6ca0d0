const key = 'SigIgn:\t'
/** SIGCHLD is number 17: the lowest bit of the fifth of 16 hexadecimal digits, from the right. */
const digitOfChild = 11

/** Whether a process ignores SIGCHLD, by /proc/PID/status: the kernel then lets go of its children as they end. */
export function parseIgnoresChildren(bytes: Uint8Array, length: number): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, length)
  const start = text.indexOf(key, 0, 'latin1')
  const at = start + key.length + digitOfChild
  if (start < 0 || at >= length) return false
  const digit = Number.parseInt(String.fromCharCode(text[at] ?? 0), 16)
  return (digit & 1) === 1
}
