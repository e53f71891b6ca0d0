import { tokenState, type ApiToken } from '../../model/api-token.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { table } from '../text/table.ts'
import { utcTime } from '../units/iso-time.ts'
import { shortTime, type Zone } from '../units/zoned-time.ts'

export const tokenJson = (token: ApiToken, now: number): object => ({
  token_id: token.id,
  name: token.name,
  user: token.user,
  role: token.role,
  scopes: token.scopes,
  state: tokenState(token, now),
  created_at: utcTime(token.createdAt),
  expires_at: utcTime(token.expiresAt),
  last_used_at: utcTime(token.lastUsedAt),
  revoked_at: utcTime(token.revokedAt),
})

const columns = ['Id', 'Name', 'User', 'Role', 'Scopes', 'State', 'Expires', 'Last used'].map(
  (header) => ({ header, align: 'left' as const }),
)

export function tokenListText(
  tokens: readonly ApiToken[],
  { now, style, zone }: { readonly now: number; readonly style: Style; readonly zone: Zone },
): string {
  if (tokens.length === 0) return 'There are no tokens. Make one: jobmeter tokens create NAME\n'
  const rows = tokens.map((token) => [
    token.id,
    printable(token.name),
    printable(token.user),
    token.role,
    token.scopes.join(','),
    tokenState(token, now),
    shortTime(token.expiresAt, zone),
    token.lastUsedAt === null ? 'never' : shortTime(token.lastUsedAt, zone),
  ])
  const [header = '', ...lines] = table(columns, rows).split('\n')
  const painted = lines.map((line, index) => {
    const token = tokens[index]
    return token !== undefined && tokenState(token, now) === 'valid' ? line : style.dim(line)
  })
  return `${[style.bold(header), ...painted].join('\n')}\n`
}
