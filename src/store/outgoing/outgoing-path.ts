/** Where what waits for the targets of an agent or a server is kept, a folder for each: beside its database. */
export const outgoingDirectory = (database: string): string => `${database}-remote`
