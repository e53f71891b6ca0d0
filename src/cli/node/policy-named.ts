import { didYouMean } from '../../model/suggest.ts'
import type { Policy } from '../../model/policy.ts'
import { UserError } from '../../service/user-error.ts'

export function policyNamed(policies: readonly Policy[], name: string): Policy {
  const found = policies.find((policy) => policy.name === name)
  if (found !== undefined) return found
  const names = policies.map((policy) => policy.name)
  throw new UserError(
    `there is no policy named ${name}.${didYouMean(name, names)} \`jobmeter policies list\` lists them`,
    'usage',
  )
}
