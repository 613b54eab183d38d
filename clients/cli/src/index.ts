export { clientCommand, clientProgram } from './main.ts'
export { type CalledOperation, calledOperations } from './operations.ts'
