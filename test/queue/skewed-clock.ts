// For NODE_OPTIONS=--import: the time of day is wrong by some minutes, as on a machine whose clock nobody keeps.
const minutes = Number(process.env['SKEW_MINUTES'] ?? 0)
const now = Date.now.bind(Date)
Date.now = () => now() + minutes * 60_000
