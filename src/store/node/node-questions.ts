import type { NodeReader, QuestionName } from './node-reader.ts'
import { answerTo, questionNames } from './questions.ts'

/**
 * What can be asked of nodes, whoever answers: a file, the agent of this machine, another thread or a server. Agents answer
 * each with what is the asker's own.
 */
export type NodeQuestions = {
  readonly [Name in QuestionName]: (
    ...given: Parameters<NodeReader[Name]>
  ) => Promise<ReturnType<NodeReader[Name]>>
} & {
  /** Where the answers come from, for people. */
  readonly path: string
  close(): Promise<void>
}

/** Answers one question, now or later. */
export type Answerer = (name: QuestionName, given: readonly unknown[]) => unknown

/** All questions, answered by one function. What it throws, at once or later, the promise is rejected with. */
export function nodeQuestions(
  path: string,
  answer: Answerer,
  close: () => void | Promise<void> = () => undefined,
): NodeQuestions {
  const asked = questionNames.map((name) => [
    name,
    async (...given: unknown[]): Promise<unknown> => answer(name, withoutEnd(given)),
  ])
  const questions = Object.fromEntries(asked) as Pick<NodeQuestions, QuestionName>
  return {
    ...questions,
    // Whoever has a whole job asks with it; agents refuse what has more in it than they know.
    series: ({ rowId, seenSeconds }) => questions.series({ rowId, seenSeconds }),
    path,
    close: async () => close(),
  }
}

/** Asks an open file. */
export const questionsOfFile = (reader: NodeReader): NodeQuestions =>
  nodeQuestions(
    reader.path,
    (ask, given) => answerTo(reader, { ask, with: given }),
    () => reader.close(),
  )

/** What is left out at the end would be sent as null. */
const withoutEnd = (given: readonly unknown[]): readonly unknown[] =>
  given.slice(0, given.findLastIndex((value) => value !== undefined) + 1)
