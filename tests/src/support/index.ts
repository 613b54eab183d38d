export { awarenessToken, basic, bearer, eventually, firewallToken } from './calls.ts'
export { Program, palisade } from './program.ts'
export { root } from './root.ts'
export { newFolder, provisioned, Server } from './server.ts'
