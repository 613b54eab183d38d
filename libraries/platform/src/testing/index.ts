/** What tests of the services stand on: real stores of both kinds, real ports, and a clock that they move. */

export { freePort } from '@palisade/start-up/testing'
export { changingOperations } from './changing-operations.ts'
export { memoryDirectory } from './memory-directory.ts'
export { NetworkPath } from './network-path.ts'
export { type PostgresReplica, type PostgresServer, startPostgres } from './postgres-server.ts'
export { quickPasswords } from './quick-passwords.ts'
export { startModule } from './run-module.ts'
export { type ReceivedReply, type SentRequest, send } from './send.ts'
export { type ServedService, serveOnLoopback } from './serve.ts'
export { settableClock } from './settable-clock.ts'
export { compareAsEnglish, onEveryStore } from './stores.ts'
