import { commandGroup } from '../command/group.ts'

export const execute = commandGroup(
  'tokens',
  'Tokens with which programs use the server in the name of a user.',
  [
    {
      name: 'create',
      summary: 'make a token, and print it once',
      load: () => import('./tokens-create.ts'),
    },
    {
      name: 'list',
      summary: 'all tokens, and when they were last used',
      load: () => import('./tokens-list.ts'),
    },
    {
      name: 'revoke',
      summary: 'end a token now',
      load: () => import('./tokens-revoke.ts'),
    },
  ],
)
