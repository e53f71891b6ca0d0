import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeQuestionsContract } from '../../test/contracts/node-questions.ts'
import { agentQuestions, NoAgent } from './agent-questions.ts'

/** Takes connections, and says nothing. */
const deaf = `require('node:net').createServer(() => {}).listen(process.argv[1], () => console.log('ready'))`

const isRoot = process.geteuid?.() === 0

if (isRoot)
  nodeQuestionsContract(
    'an agent',
    async (path) => {
      const folder = mkdtempSync(join(tmpdir(), 'jobmeter-agent-'))
      const socket = join(folder, 'agent.sock')
      const program = join(import.meta.dirname, '../../test/node/answering-agent.ts')
      const agent = spawn(process.execPath, [program, socket, path], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      await once(agent.stdout, 'data')
      return {
        ask: async () => agentQuestions(socket, () => {}),
        dispose: async () => {
          agent.kill()
          rmSync(folder, { recursive: true })
        },
      }
    },
    // Each is answered by a process of its own.
    { questions: 8, onlyWhoSeesEverything: true },
  )

describe('agentQuestions', () => {
  it('says that nobody is there', async () => {
    const nodes = agentQuestions('/nowhere/agent.sock', () => {})
    await expect(nodes.jobs({})).rejects.toThrow(NoAgent)
  })

  it.runIf(isRoot)('waits no longer than it is to for an agent that does not answer', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jobmeter-agent-'))
    const socket = join(folder, 'agent.sock')
    const agent = spawn(process.execPath, ['-e', deaf, socket], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      await once(agent.stdout, 'data')
      const nodes = agentQuestions(socket, () => {}, 1)
      await expect(nodes.jobs({})).rejects.toThrow(
        expect.objectContaining({ kind: 'machine', message: expect.stringContaining('did not') }),
      )
    } finally {
      agent.kill()
      rmSync(folder, { recursive: true })
    }
  })
})
