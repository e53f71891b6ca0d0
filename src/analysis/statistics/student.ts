/** Student's two-sided 95 % quantile for 1 to 30 degrees of freedom. */
const quantiles = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145,
  2.131, 2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048,
  2.045, 2.042,
]

/** By how many standard errors 95 of 100 estimates are off at most, for so many degrees of freedom. */
export function studentQuantile(freedom: number): number {
  // Beyond the table the next term of the series is right to three digits.
  return quantiles[freedom - 1] ?? 1.95996 + 2.3723 / freedom + 2.8225 / freedom ** 2
}
