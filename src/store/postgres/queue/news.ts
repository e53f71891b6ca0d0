/** Told when there may be something to take, and when something has ended. */
export const arrivals = 'jobmeter_arrivals'
export const endings = 'jobmeter_endings'
