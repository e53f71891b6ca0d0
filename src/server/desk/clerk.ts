import { realSystem } from '../../system/real.ts'
import { answerAsThread } from '../../system/worker-thread.ts'
import { tellError, type Told } from './told.ts'
import { doWork, type Work } from './work.ts'

/** The program of a thread that does long work for a server, one piece after the other (`desk.ts` starts it). */
const system = realSystem({ ownsProcess: false })

answerAsThread(async (work): Promise<Told> => {
  try {
    return { ok: await doWork(system, work as Work) }
  } catch (error) {
    return { error: tellError(error) }
  }
})
