import { shellWord } from '../../../slurm/shell-word.ts'

/** A node that does not see the folder of the workflow. */
export const unseenCode = 72
/** As a shell says that there is no such program. */
const noProgramCode = 127

interface Program {
  /** How to call jobmeter there. */
  readonly program: readonly string[]
}

/** A script that runs what lies in one folder, or for an element of an array, in the folder of that line of a list. */
export function attemptScript(
  { program }: Program,
  what: { folder: string } | { list: string },
): string {
  const find =
    'folder' in what
      ? `folder=${shellWord(what.folder)}`
      : `folder=$(sed -n "\${SLURM_ARRAY_TASK_ID}p" ${shellWord(what.list)})`
  return script(program, [
    find,
    `if [ ! -e "$folder/order.json" ]; then`,
    `  echo "jobmeter: $(hostname) does not see $folder" >&2`,
    `  exit ${unseenCode}`,
    'fi',
    ...kept(`${program.map(shellWord).join(' ')} attempt "$folder"`),
  ])
}

/** A script that has workers pull jobs, one on each node of the allocation. */
export function workerScript(
  { program }: Program,
  directory: string,
  { nodes, words }: { readonly nodes: number; readonly words: readonly string[] },
): string {
  const worker = [...program, 'slurm', 'worker', directory, ...words].map(shellWord).join(' ')
  const onEach = `srun --nodes=${nodes} --ntasks=${nodes} --ntasks-per-node=1 --kill-on-bad-exit=0`
  return script(program, [
    `if [ ! -d ${shellWord(directory)} ]; then`,
    `  echo "jobmeter: $(hostname) does not see" ${shellWord(directory)} >&2`,
    `  exit ${unseenCode}`,
    'fi',
    ...(nodes > 1 ? [`${onEach} sh -c ${shellWord(kept(worker).join('\n'))}`] : kept(worker)),
  ])
}

/**
 * Lines that run what looks after jobs, pass signals on to it, and end its jobs if it was killed: Slurm calls the job over
 * then and not before, and what it looked after would run on beside the next try of it where Slurm does not find it.
 */
const kept = (command: string): string[] => [
  `${command} &`,
  'keeper=$!',
  `for signal in TERM INT HUP; do trap "kill -$signal $keeper 2>/dev/null" $signal; done`,
  'wait $keeper',
  'code=$?',
  // A signal ends the waiting as well.
  'while kill -0 $keeper 2>/dev/null; do wait $keeper; code=$?; done',
  `[ $code -le 128 ] || ${command} --end-left`,
  'exit $code',
]

function script([node = '']: readonly string[], lines: readonly string[]): string {
  return [
    '#!/bin/sh',
    `if ! command -v ${shellWord(node)} >/dev/null; then`,
    `  echo "jobmeter: on $(hostname) there is no" ${shellWord(node)} >&2`,
    `  exit ${noProgramCode}`,
    'fi',
    ...lines,
    '',
  ].join('\n')
}
