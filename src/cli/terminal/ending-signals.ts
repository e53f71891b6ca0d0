/** All that would end us otherwise, and leave what we run alone. SIGUSR2 a single command gets passed on. */
export const endingSignals = [
  'SIGINT',
  'SIGQUIT',
  'SIGTERM',
  'SIGHUP',
  'SIGALRM',
  'SIGVTALRM',
  'SIGXCPU',
] as const
