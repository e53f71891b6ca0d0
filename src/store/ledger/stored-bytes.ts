/*
 * About how much of the file rows take, for SQL. A usage that is stored as a whole is mostly more than
 * half a page, and then it has the page to itself.
 */

const pageBytes = 4096
const usageRowBytes = `(octet_length(coalesce(attempt.usage,
  (SELECT usage FROM attempt_usage WHERE attempt_id = attempt.id), '')) + 10)`

export const attemptBytes = `(500 + ${pageBytes} / max(1, ${pageBytes} / ${usageRowBytes}))`

export const jobBytes = `(200 + octet_length(job.command) + octet_length(job.params)
  + octet_length(coalesce(job.definition, '')) + octet_length(coalesce(job.shell_command, '')))`

/** Some thirty columns of eight bytes, and the index. */
export const sampleBytes = 290
