/** What tests start programs with. */

export { freePort } from './free-port.ts'
