export { agentCommand } from './command.ts'
