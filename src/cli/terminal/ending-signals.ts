/**
 * Signals that would end us, and leave what we run alone, but for those that tell of a fault of our own. SIGUSR2 is passed on
 * to a single command.
 */
export const endingSignals = [
  'SIGINT',
  'SIGQUIT',
  'SIGTERM',
  'SIGHUP',
  'SIGALRM',
  'SIGVTALRM',
  'SIGXCPU',
  'SIGPROF',
  'SIGIO',
  'SIGPWR',
  'SIGSTKFLT',
] as const
