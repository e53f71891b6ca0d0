import { emptyAnswer } from '../../render/node/empty-answer.ts'
import type { Zone } from '../../render/units/zoned-time.ts'
import { whyNothing, type NothingAsked } from '../../service/nodes/why-nothing.ts'
import type { NodeQuestions } from '../../store/node/node-questions.ts'

/** Says why a question has no answer; the reader must still be open. */
export const sayWhyEmpty = async (
  reader: NodeQuestions,
  asked: NothingAsked,
  zone: Zone,
): Promise<string> => emptyAnswer(await whyNothing(reader, asked), zone)
