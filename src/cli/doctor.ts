export const execute = () => Promise.resolve(2)
