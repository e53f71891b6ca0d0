import { executorContract } from '../../../test/contracts/executor.ts'
import { localExecutors } from '../../../test/contracts/local-executors.ts'

executorContract('local', () => {
  const { owner, make } = localExecutors()
  return { first: make(), second: make(), owner }
})
