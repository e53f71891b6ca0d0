import type { Files } from '../../system/system.ts'

/** /proc/PID/cmdline as one line; '' for a kernel thread or a zombie, which have none. */
function parseCmdline(text: string): string {
  return text.replaceAll('\0', ' ').trim()
}

/** The name in a line of /proc/PID/stat: all between the first '(' and the last ')'. */
function parseCommandName(stat: string): string | undefined {
  const start = stat.indexOf('(')
  const end = stat.lastIndexOf(')')
  return start >= 0 && end > start ? stat.slice(start + 1, end) : undefined
}

/**
 * What a process runs, for people to read; `undefined` when it is gone. Not for every look: reading
 * cmdline takes the target's memory lock and hangs when the target hangs in the kernel.
 */
export function readCommand(files: Files, pid: number): string | undefined {
  const cmdline = files.readText(`/proc/${pid}/cmdline`)
  const command = cmdline.kind === 'ok' ? parseCmdline(cmdline.value) : ''
  if (command !== '') return command
  const stat = files.readText(`/proc/${pid}/stat`)
  const name = stat.kind === 'ok' ? parseCommandName(stat.value) : undefined
  return name === undefined ? undefined : `[${name}]`
}

/** The words of a process's command line, or its name where it has none; `undefined` when it is gone. */
export function readCommandWords(files: Files, pid: number): readonly string[] | undefined {
  const cmdline = files.readText(`/proc/${pid}/cmdline`)
  const words = cmdline.kind === 'ok' ? cmdline.value.replace(/\0$/, '').split('\0') : ['']
  if (words.some((word) => word !== '')) return words
  const name = readCommand(files, pid)
  return name === undefined ? undefined : [name]
}
