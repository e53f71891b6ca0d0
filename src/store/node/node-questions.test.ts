import { nodeQuestionsContract } from '../../../test/contracts/node-questions.ts'
import { questionsOfFile } from './node-questions.ts'
import { openNodeReader } from './open-node.ts'

nodeQuestionsContract('the file of an agent', async (path) => ({
  ask: async (viewer) => questionsOfFile(openNodeReader(path, viewer ?? undefined)),
  dispose: async () => undefined,
}))
