import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NodeQuestions } from '../../src/store/node/node-questions.ts'
import type { NodeReader } from '../../src/store/node/node-reader.ts'
import { openNodeReader } from '../../src/store/node/open-node.ts'
import { answerTo, asQuestion } from '../../src/store/node/questions.ts'
import type { NodeViewer } from '../../src/store/node/viewer.ts'
import { fillWithAllKinds } from '../node/nodes-of-all-kinds.ts'
import { anyQuestion, askedAround } from './any-node-question.ts'

/** Answers for what a file holds; null asks as who sees everything. */
export interface NodesUnderTest {
  ask(viewer: NodeViewer | null): Promise<NodeQuestions>
  dispose(): Promise<void>
}

const viewers: readonly (readonly [string, NodeViewer | null])[] = [
  ['everything', null],
  ['what is of ada', { users: ['ada'] }],
  ['what is of cyd or on an account', { users: ['cyd'], accounts: ['ada-account', 'physics'] }],
  ['what is of nobody', { users: ['eve'] }],
]

/** Where each answer takes long, or cannot be had for everybody. */
interface Extent {
  /** How many questions are asked. */
  readonly questions?: number
  readonly onlyWhoSeesEverything?: boolean
}

/** Everybody who answers for nodes says the same as the file that an agent wrote; numbers of rows are each one's own. */
export function nodeQuestionsContract(
  name: string,
  answer: (path: string) => Promise<NodesUnderTest>,
  { questions = 150, onlyWhoSeesEverything = false }: Extent = {},
): void {
  describe(`${name}, asked about nodes`, () => {
    let folder = ''
    let nodes: NodesUnderTest
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
      fillWithAllKinds(join(folder, 'node.db'))
      nodes = await answer(join(folder, 'node.db'))
    })
    afterAll(async () => {
      await nodes.dispose()
      rmSync(folder, { recursive: true })
    })

    describe.each(onlyWhoSeesEverything ? viewers.slice(0, 1) : viewers)(
      'by who sees %s',
      (_, viewer) => {
        let file: NodeReader
        let asked: NodeQuestions
        beforeAll(async () => {
          file = openNodeReader(join(folder, 'node.db'), viewer ?? undefined)
          asked = await nodes.ask(viewer)
        })
        afterAll(async () => {
          file.close()
          await asked.close()
        })

        it('answers as the file does', async () => {
          await fc.assert(
            fc.asyncProperty(anyQuestion, async (question) => {
              if (isByRow(question.with)) return
              const sent = asQuestion(question)
              if (sent === undefined) throw new Error(`not a question: ${JSON.stringify(question)}`)
              const method = asked[sent.ask] as (...given: unknown[]) => Promise<unknown>
              const answered = await method(...sent.with)
              expect(withoutRows(answered)).toEqual(withoutRows(answerTo(file, sent)))
            }),
            { numRuns: questions },
          )
        })

        it('tells the same of every job over time, and finds it by its number', async () => {
          const [own, known] = [await asked.jobs({}), file.jobs({})]
          expect(withoutRows(own)).toEqual(withoutRows(known))
          for (const [at, job] of own.slice(0, questions).entries()) {
            const same = known[at]
            if (same === undefined) throw new Error('there are as many')
            expect(await asked.series(job)).toEqual(file.series(same))
            expect(await asked.jobs({ rowId: job.rowId })).toEqual([job])
          }
        })
      },
    )

    it('has all of it', async () => {
      const asked = await nodes.ask(null)
      const query = { by: [], metric: 'cpu', from: 0, to: 4e9, offsets: [] } as const
      expect((await asked.jobs({})).length).toBeGreaterThan(50)
      expect(await asked.names('host')).toEqual(['node0', 'node1', 'old01', 'old02'])
      expect((await asked.usage(query)).total).toBeGreaterThan(4000)
      expect(await asked.violations({})).toHaveLength(3)
      const { hosts } = await asked.wall({
        from: askedAround,
        to: askedAround + 36_000,
        steps: 10,
      })
      expect(hosts.map(({ host }) => host)).toEqual(['node0', 'node1', 'old01'])
      for (const { busyCores, load } of hosts.slice(0, 2)) {
        expect(busyCores.filter((one) => one !== null)).toHaveLength(10)
        expect(load.filter((one) => one !== null).length).toBeGreaterThan(5)
      }
      await asked.close()
    })
  })
}

const isByRow = (given: readonly unknown[]): boolean =>
  given.some((one) => typeof one === 'object' && one !== null && 'rowId' in one)

/** Numbers of rows are those of whoever keeps them. */
function withoutRows(answered: unknown): unknown {
  if (Array.isArray(answered)) return answered.map(withoutRow)
  return answered
}

function withoutRow(one: unknown): unknown {
  if (typeof one !== 'object' || one === null) return one
  const known = one as Record<string, unknown>
  if ('rowId' in known) return { ...known, rowId: 0 }
  return 'policy' in known && 'id' in known ? { ...known, id: 0 } : one
}
