import { readStat } from '../sensors/procfs/stat.ts'
import { backgroundSystem } from '../system/background-system.ts'
import { Programs, type ThisProgram } from './programs.ts'

const programs = new Programs((pid) => readStat(backgroundSystem().files, pid)?.startTicks)

/** The program with this process, by default our own. */
export const thisProgram = (pid = backgroundSystem().processes.self): ThisProgram =>
  programs.of(pid)
