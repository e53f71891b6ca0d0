/** `squeue` takes larger ones for negative. In a federation, numbers are above 67,108,863, the largest of one cluster. */
const largest = 2 ** 31 - 1

/** Slurm's commands take a name of any other form for an error, and then tell of no job at all. */
export const isJobNumber = (id: string): boolean =>
  /^[1-9]\d{0,9}$/.test(id) && Number(id) <= largest
