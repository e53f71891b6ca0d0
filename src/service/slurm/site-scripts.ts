import { shellWord } from '../../slurm/shell-word.ts'

export interface SiteScriptSettings {
  /** How jobmeter is called on the nodes. */
  readonly program: readonly string[]
  /** Where records of all jobs are kept: for root alone. */
  readonly ledger: string
  /** Seconds between two samples. */
  readonly intervalSeconds: number
}

/** Of its own: the agent's, where its socket is, is for everyone. */
const folder = '/run/jobmeter-slurm'

/** Whether the folder is root's own and no link: what lies in it is acted upon by root. */
const isOurs = `[ -d ${folder} ] && [ ! -L ${folder} ] && [ -O ${folder} ]`

/** A command that prints when a process started, in ticks: field 22 of its line. The name before it may have blanks. */
const startTicks = (pid: string): string =>
  `sed "s/.*) //" /proc/${pid}/stat 2>/dev/null | cut -d " " -f 20`

/** For `Prolog` in slurm.conf: has each job of the node measured. It never fails, for a failure would drain the node. */
export const prologScript = ({
  program,
  ledger,
  intervalSeconds,
}: SiteScriptSettings): string => `#!/bin/sh
# Measures every job of this node, by jobmeter. slurm.conf: Prolog=/etc/slurm/prolog.d/jobmeter.sh
[ -n "$SLURM_JOB_ID" ] || exit 0
job=$SLURM_JOB_ID
file=${folder}/$job.pid
mkdir -m 700 ${folder} 2>/dev/null || { ${isOurs}; } || exit 0
chmod 700 ${folder} || exit 0
rm -f "$file"
# In a session of its own and without the mark of the job: it must outlive the prolog, and is no part of the job.
# Its number alone may be another's by the end of the job: the time of its start goes with it.
env -u SLURM_JOB_ID -u SLURM_JOBID setsid sh -c \\
  'echo "$$ $(${startTicks('$$')})" >"$0"; exec "$@"' "$file" \\
  ${words(program)} slurm attach "$job" --wait 10m --interval ${intervalSeconds} \\
  --admin-comment --quiet --db ${shellWord(ledger)} </dev/null >>${folder}/attach.log 2>&1 &
# Slurm kills what is left in the process group of the prolog when that ends.
tries=0
until [ -s "$file" ] || [ $tries -gt 100 ]; do
  sleep 0.02
  tries=$((tries + 1))
done
exit 0
`

/** For `Epilog`: no process of the job is left, so what measures it writes its record; where none ever was, it ends. */
export const epilogScript = (): string => `#!/bin/sh
# Ends the measuring that the prolog began. slurm.conf: Epilog=/etc/slurm/epilog.d/jobmeter.sh
[ -n "$SLURM_JOB_ID" ] || exit 0
file=${folder}/$SLURM_JOB_ID.pid
${isOurs} || exit 0
[ -r "$file" ] || exit 0
read -r pid started <"$file"
rm -f "$file"
# Of another process, which has its number by now, the start is another.
[ -n "$started" ] && [ "$started" = "$(${startTicks('$pid')})" ] && kill "$pid"
exit 0
`

const words = (program: readonly string[]): string => program.map(shellWord).join(' ')
