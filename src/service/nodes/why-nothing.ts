import { whyEmpty, type NamesAsked, type WhyEmpty } from '../../analysis/node/why-empty.ts'
import type { Dictionary } from '../../store/node/names.ts'
import type { NodeQuestions } from '../../store/node/node-questions.ts'
import { othersName } from '../../store/node/viewer.ts'

export interface NothingAsked {
  readonly from: number
  readonly to: number
  readonly users: readonly string[]
  readonly hosts: readonly string[]
  readonly accounts: readonly string[]
  readonly commands: readonly string[]
}

/** Why a question has no answer; the reader must still be open. */
export async function whyNothing(reader: NodeQuestions, asked: NothingAsked): Promise<WhyEmpty> {
  const { from, to, hosts } = asked
  const users = asked.users.length === 0 ? [] : await reader.names('user')
  if (users.includes(othersName) && asked.users.some((name) => !users.includes(name)))
    return { kind: 'not-yours' }
  const every = await reader.extents()
  const chosen = every.filter(({ host }) => hosts.includes(host))
  const names = async (what: Dictionary, wanted: readonly string[]): Promise<NamesAsked> => ({
    what,
    asked: wanted,
    isPart: false,
    known: wanted.length === 0 ? [] : await reader.names(what),
  })
  return whyEmpty({
    from,
    to,
    extents: chosen.length === 0 ? every : chosen,
    wasLooked: await reader.wasLooked(from, to, hosts),
    neighbours: await reader.neighbours(from, to, hosts),
    names: [
      await names('user', asked.users),
      await names('host', hosts),
      await names('account', asked.accounts),
      { ...(await names('command', asked.commands)), isPart: true },
    ],
  })
}
