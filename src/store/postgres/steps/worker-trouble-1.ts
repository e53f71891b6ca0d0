/** Why a worker takes no jobs for the time being, in its own words: for people to be told of. */
export const workerTrouble1 = (): string => `
ALTER TABLE queue_worker ADD COLUMN trouble text;
GRANT UPDATE (trouble) ON queue_worker TO jobmeter_worker;
`
