/** Beside the ledger, so that both are on one disk and move together. */
export const spoolDirectory = (ledger: string): string => `${ledger}.spool`
