const signalsByExitCode: Readonly<Record<number, string>> = {
  132: 'SIGILL',
  134: 'SIGABRT',
  135: 'SIGBUS',
  136: 'SIGFPE',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  143: 'SIGTERM',
  152: 'SIGXCPU',
}

/** A shell or a container in between reports a signal as 128 plus its number. null for other codes. */
export const signalOfExitCode = (exitCode: number | null): string | null =>
  signalsByExitCode[exitCode ?? 0] ?? null
