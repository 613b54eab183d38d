export { proxyCommand } from './command.ts'
