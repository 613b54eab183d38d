/** What tests of the services stand on: real stores of both kinds, and a clock that they move. */

export { settableClock } from './settable-clock.ts'
export { onEveryStore } from './stores.ts'
